// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search and transitive closure. The closure works on strong components, so that it also answers for a graph that is
// wrong (a dependence cycle).
#include "checker/graph/reachability.hpp"

#include <boost/graph/strong_components.hpp>

namespace fletcher::graph {

bool reaches(const TaskGraph& graph, Vertex from, Vertex to) {
  std::vector<bool> seen(boost::num_vertices(graph));
  std::vector<Vertex> open{from};
  seen[from] = true;
  while (!open.empty()) {
    const Vertex vertex = open.back();
    open.pop_back();
    if (vertex == to) return true;
    for (const EdgeId edge : boost::make_iterator_range(boost::out_edges(vertex, graph))) {
      const Vertex next = boost::target(edge, graph);
      if (seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

Reachability::Reachability(const TaskGraph& graph) : component_(boost::num_vertices(graph)) {
  if (component_.empty()) return;
  const std::size_t count = boost::strong_components(
      graph, boost::make_iterator_property_map(component_.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<Vertex>> members(count);
  for (Vertex vertex = 0; vertex < component_.size(); ++vertex) members[component_[vertex]].push_back(vertex);
  rows_.assign(count, boost::dynamic_bitset<>(component_.size()));
  // Components are numbered in reverse topological order: all successors have smaller numbers.
  for (std::size_t c = 0; c < count; ++c) {
    for (const Vertex vertex : members[c]) {
      rows_[c].set(vertex);
      for (const EdgeId edge : boost::make_iterator_range(boost::out_edges(vertex, graph))) {
        const std::size_t next = component_[boost::target(edge, graph)];
        if (next != c) rows_[c] |= rows_[next];
      }
    }
  }
}

} // namespace fletcher::graph
