// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strong components (Tarjan, by Boost), then a breadth-first search for a cycle that a person can read.
#include "checker/graph/cycles.hpp"

#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <deque>
#include <map>

namespace fletcher::graph {
namespace {

/// The shortest way from `start` back to itself within its component.
std::vector<EdgeId> way_round(const TaskGraph& graph, const std::vector<std::size_t>& component, Vertex start) {
  std::map<Vertex, EdgeId> reached_by;
  std::deque<Vertex> open{start};
  while (!open.empty()) {
    const Vertex vertex = open.front();
    open.pop_front();
    for (const EdgeId edge : boost::make_iterator_range(boost::out_edges(vertex, graph))) {
      const Vertex next = boost::target(edge, graph);
      if (component[next] != component[start] || !reached_by.try_emplace(next, edge).second) continue;
      if (next != start) {
        open.push_back(next);
        continue;
      }
      std::vector<EdgeId> way{edge};
      while (boost::source(way.back(), graph) != start) way.push_back(reached_by.at(boost::source(way.back(), graph)));
      std::reverse(way.begin(), way.end());
      return way;
    }
  }
  return {};
}

} // namespace

std::vector<std::vector<EdgeId>> cycles(const TaskGraph& graph) {
  std::vector<std::size_t> component(boost::num_vertices(graph));
  if (component.empty()) return {};
  const std::size_t count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<bool> looked_at(count);
  std::vector<std::vector<EdgeId>> result;
  for (Vertex vertex = 0; vertex < component.size(); ++vertex) {
    if (looked_at[component[vertex]]) continue;
    looked_at[component[vertex]] = true;
    if (auto way = way_round(graph, component, vertex); !way.empty()) result.push_back(std::move(way));
  }
  return result;
}

} // namespace fletcher::graph
