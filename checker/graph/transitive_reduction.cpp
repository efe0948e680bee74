// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An edge is superfluous if another successor of its source reaches its target.
#include "checker/graph/transitive_reduction.hpp"

namespace fletcher::graph {
namespace {

bool superfluous(const TaskGraph& graph, const Reachability& order, EdgeId edge) {
  const Vertex from = boost::source(edge, graph);
  const Vertex to = boost::target(edge, graph);
  if (graph[edge].reason == EdgeReason::program_order || order.reaches(to, from)) return false;
  bool before = true; // `other` stands before `edge` among the source's edges
  for (const EdgeId other : boost::make_iterator_range(boost::out_edges(from, graph))) {
    if (other == edge) {
      before = false;
      continue;
    }
    const Vertex next = boost::target(other, graph);
    if (next == to ? before || graph[other].reason == EdgeReason::program_order
                   : order.reaches(next, to) && !order.reaches(next, from))
      return true;
  }
  return false;
}

} // namespace

std::vector<EdgeId> transitive_reduction(const TaskGraph& graph, const Reachability& order) {
  std::vector<EdgeId> kept;
  for (const EdgeId edge : boost::make_iterator_range(boost::edges(graph)))
    if (!superfluous(graph, order, edge)) kept.push_back(edge);
  return kept;
}

} // namespace fletcher::graph
