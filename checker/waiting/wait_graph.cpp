// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction of the graph (what can go on releases those that wait for it), then strong components of what is left.
#include "checker/waiting/wait_graph.hpp"

#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <functional>
#include <limits>

namespace fletcher::waiting {

namespace {
constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max();
/// From so many vertices of a knot the way round is looked for: a knot of many tasks has many equal circles.
constexpr int starts = 64;
} // namespace

WaitGraph::Vertex WaitGraph::add(Needs needs) { return boost::add_vertex(needs, graph_); }

void WaitGraph::wait(Vertex from, Vertex to, std::uint32_t label, std::uint32_t cost) {
  boost::add_edge(from, to, Reason{label, cost}, graph_);
}

std::vector<bool> WaitGraph::stuck() const {
  std::vector<bool> result(boost::num_vertices(graph_), true);
  std::vector<std::size_t> missing(result.size());
  std::vector<Vertex> going;
  const auto go = [&](Vertex v) {
    if (!result[v]) return;
    result[v] = false;
    going.push_back(v);
  };
  for (Vertex v = 0; v < result.size(); ++v) {
    missing[v] = boost::out_degree(v, graph_);
    if (graph_[v] == Needs::nothing || (graph_[v] == Needs::all && missing[v] == 0)) go(v);
  }
  while (!going.empty()) {
    const Vertex v = going.back();
    going.pop_back();
    for (const auto edge : boost::make_iterator_range(boost::in_edges(v, graph_))) {
      const Vertex waiter = boost::source(edge, graph_);
      if (graph_[waiter] == Needs::one || (graph_[waiter] == Needs::all && --missing[waiter] == 0)) go(waiter);
    }
  }
  return result;
}

std::vector<std::vector<WaitGraph::Edge>> WaitGraph::circles() const {
  const std::vector<bool> is_stuck = stuck();
  const std::size_t size = is_stuck.size();
  if (std::find(is_stuck.begin(), is_stuck.end(), true) == is_stuck.end()) return {};
  std::vector<std::size_t> component(size);
  // What can go on waits for nothing here, and is in a component of its own.
  const auto both_stuck = [&](Graph::edge_descriptor e) {
    return is_stuck[boost::source(e, graph_)] && is_stuck[boost::target(e, graph_)];
  };
  const boost::filtered_graph<Graph, std::function<bool(Graph::edge_descriptor)>> left(graph_, both_stuck);
  const auto index = boost::get(boost::vertex_index, left);
  const std::size_t count = boost::strong_components(left, boost::make_iterator_property_map(component.begin(), index));

  std::vector<bool> knot(count, true);
  for (Vertex v = 0; v < size; ++v) {
    if (!is_stuck[v]) knot[component[v]] = false;
    for (const auto e : boost::make_iterator_range(boost::out_edges(v, left)))
      if (component[boost::target(e, left)] != component[v]) knot[component[v]] = false;
  }

  struct Best {
    std::uint32_t cost = far;
    int tried = 0;
    std::vector<Edge> way;
  };
  std::vector<Best> best(count);
  for (Vertex start = 0; start < size; ++start) {
    Best& found = best[component[start]];
    if (!knot[component[start]] || found.tried++ >= starts) continue;
    std::vector<std::uint32_t> distance(size, far);
    std::vector<Vertex> before(size);
    boost::dijkstra_shortest_paths(left, start,
                                   boost::predecessor_map(boost::make_iterator_property_map(before.begin(), index))
                                       .distance_map(boost::make_iterator_property_map(distance.begin(), index))
                                       .weight_map(boost::get(&Reason::cost, left))
                                       .distance_inf(far));
    for (const auto last : boost::make_iterator_range(boost::in_edges(start, left))) {
      const Vertex from = boost::source(last, left);
      if (distance[from] == far || distance[from] + left[last].cost >= found.cost) continue;
      found.cost = distance[from] + left[last].cost;
      found.way = {{from, start, left[last].label}};
      for (Vertex at = from; at != start; at = before[at]) {
        Edge step{before[at], at, 0};
        std::uint32_t cheapest = far;
        for (const auto e : boost::make_iterator_range(boost::out_edges(before[at], left)))
          if (boost::target(e, left) == at && left[e].cost < cheapest) {
            cheapest = left[e].cost;
            step.label = left[e].label;
          }
        found.way.push_back(step);
      }
      std::reverse(found.way.begin(), found.way.end());
    }
  }
  std::vector<std::vector<Edge>> result;
  for (Best& b : best)
    if (!b.way.empty()) result.push_back(std::move(b.way));
  return result;
}

} // namespace fletcher::waiting
