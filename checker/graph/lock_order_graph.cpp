// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/graph/lock_order_graph.hpp"

#include <boost/graph/strong_components.hpp>

namespace fletcher::graph {

LockOrderGraph::Graph::vertex_descriptor LockOrderGraph::vertex(std::uint64_t lock) {
  const auto [at, is_new] = vertices_.try_emplace(lock);
  if (is_new && free_.empty()) {
    at->second = boost::add_vertex(graph_);
    component_.push_back(++highest_);
  } else if (is_new) {
    at->second = free_.back();
    free_.pop_back();
    component_[at->second] = ++highest_;
  }
  return at->second;
}

// Components are numbered such that edges lead to smaller numbers, or stay in one component. So an edge that does that
// closes no cycle; nor does one from where no edge leads to, or to where none leads on, which can be numbered anew.
void LockOrderGraph::add(std::uint64_t held, std::uint64_t wanted) {
  const auto from = vertex(held), to = vertex(wanted);
  if (!boost::add_edge(from, to, graph_).second || component_[from] >= component_[to]) return;
  if (boost::out_degree(to, graph_) == 0) {
    component_[to] = --lowest_;
  } else if (boost::in_degree(from, graph_) == 0) {
    component_[from] = ++highest_;
  } else {
    highest_ = boost::strong_components(
        graph_, boost::make_iterator_property_map(component_.begin(), boost::get(boost::vertex_index, graph_)));
    lowest_ = 0;
  }
}

bool LockOrderGraph::may_be_on_cycle(std::uint64_t held, std::uint64_t wanted) const {
  const auto from = vertices_.find(held), to = vertices_.find(wanted);
  return from != vertices_.end() && to != vertices_.end() && component_[from->second] == component_[to->second];
}

void LockOrderGraph::remove(std::uint64_t lock) {
  const auto at = vertices_.find(lock);
  if (at == vertices_.end()) return;
  boost::clear_vertex(at->second, graph_);
  free_.push_back(at->second);
  vertices_.erase(at);
}

void LockOrderGraph::clear() {
  graph_.clear();
  vertices_.clear();
  free_.clear();
  component_.clear();
  lowest_ = highest_ = 0;
}

} // namespace fletcher::graph
