// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph of strands for other programs: Graphviz, and whatever reads GraphML (Gephi, yEd, NetworkX). Written by
// Boost.Graph.
#include "checker/graph/dot.hpp"
#include "reports/graph/run_graph.hpp"

#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <sstream>
#include <unordered_map>

namespace fletcher::reports {

namespace {

/// Beyond it, finding the edges that follow from others takes too much time and memory.
constexpr std::size_t most_to_reduce = 4000;

/// A finding's rule, by the activities that have a part in one.
std::unordered_map<std::size_t, std::string> rules_of(const RunGraph& graph) {
  std::unordered_map<std::size_t, std::string> rules;
  for (const GraphFinding& finding : graph.findings())
    for (const std::size_t activity : finding.activities) rules[activity] = finding.rule;
  return rules;
}

std::string in_microseconds(graph::Nanoseconds time) { return std::to_string(time / 1000) + " us"; }

} // namespace

std::string graph_dot(const RunGraph& run) {
  const graph::TimedGraph& timed = run.timed();
  const auto rules = rules_of(run);
  graph::DotOptions options;
  options.reduce = boost::num_vertices(timed.graph()) <= most_to_reduce;
  options.place = [&](Address pc) { return run.place(pc); };
  options.highlight = [&](graph::Vertex vertex) { return run.critical()[vertex]; };
  options.note = [&](graph::Vertex vertex) {
    if (timed.graph()[vertex].kind != graph::NodeKind::strand) return std::string();
    const auto rule = rules.find(timed.activity_of(vertex));
    return in_microseconds(timed.times()[vertex]) + (rule == rules.end() ? "" : ", " + rule->second);
  };
  std::ostringstream out;
  graph::write_dot(out, timed.graph(), options);
  return out.str();
}

std::string graph_graphml(const RunGraph& run) {
  using graph::Vertex;
  const graph::TimedGraph& timed = run.timed();
  const graph::TaskGraph& all = timed.graph();
  const auto rules = rules_of(run);
  boost::dynamic_properties properties;
  const auto of_vertex = [&](const char* name, auto value) {
    properties.property(name, boost::make_function_property_map<Vertex>(value));
  };
  of_vertex("kind", [&](Vertex v) { return std::string(graph::name(all[v].kind)); });
  of_vertex("began", [&](Vertex v) { return std::string(graph::name(all[v].began)); });
  of_vertex("task", [&](Vertex v) { return static_cast<long>(number(all[v].task)); });
  of_vertex("region", [&](Vertex v) { return static_cast<long>(number(all[v].region)); });
  of_vertex("place", [&](Vertex v) { return run.place(all[v].pc); });
  of_vertex("nanoseconds", [&](Vertex v) { return static_cast<long>(timed.times()[v]); });
  of_vertex("critical", [&](Vertex v) { return static_cast<bool>(run.critical()[v]); });
  of_vertex("finding", [&](Vertex v) {
    const auto rule = rules.find(timed.activity_of(v));
    return rule == rules.end() ? std::string() : rule->second;
  });
  properties.property("reason", boost::make_function_property_map<graph::EdgeId>(
                                    [&](graph::EdgeId e) { return std::string(graph::name(all[e].reason)); }));
  std::ostringstream out;
  boost::write_graphml(out, all, boost::get(boost::vertex_index, all), properties, true);
  return out.str();
}

} // namespace fletcher::reports
