// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The longest path in topological order, one pass for all regions.
#include "checker/graph/span.hpp"

#include <boost/graph/topological_sort.hpp>
#include <boost/range/adaptor/reversed.hpp>

#include <algorithm>
#include <iterator>

namespace fletcher::graph {

std::map<TeamId, Span> spans(const TaskGraph& graph, const std::vector<std::uint64_t>& times) {
  std::vector<Vertex> reversed;
  reversed.reserve(boost::num_vertices(graph));
  try {
    boost::topological_sort(graph, std::back_inserter(reversed));
  } catch (const boost::not_a_dag&) {
    return {};
  }
  const Vertex none = boost::graph_traits<TaskGraph>::null_vertex();
  std::vector<std::uint64_t> longest(reversed.size());
  std::vector<Vertex> before(reversed.size(), none);
  std::map<TeamId, Span> out;
  std::map<TeamId, Vertex> last;
  for (const Vertex vertex : boost::adaptors::reverse(reversed)) {
    const TeamId region = graph[vertex].region;
    // Of paths of one length the first predecessor's: a path that takes no time still goes from the region's begin on.
    for (const EdgeId edge : boost::make_iterator_range(boost::in_edges(vertex, graph))) {
      const Vertex from = boost::source(edge, graph);
      if (graph[from].region != region || (before[vertex] != none && longest[from] <= longest[vertex])) continue;
      before[vertex] = from;
      longest[vertex] = longest[from];
    }
    longest[vertex] += times[vertex];
    Span& span = out[region];
    span.work += times[vertex];
    const auto found = last.try_emplace(region, vertex).first;
    if (longest[vertex] >= longest[found->second]) found->second = vertex;
  }
  for (const auto& [region, end] : last) {
    Span& span = out[region];
    span.span = longest[end];
    for (Vertex vertex = end; vertex != none; vertex = before[vertex]) span.path.push_back(vertex);
    std::reverse(span.path.begin(), span.path.end());
  }
  return out;
}

} // namespace fletcher::graph
