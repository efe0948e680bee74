// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of a run as people and programs read it: a TimedGraph with the names of places, the work and span of
// each region, and the findings that its tasks have a part in. What every form of it is made from.
#pragma once

#include "checker/graph/span.hpp"
#include "checker/graph/timed_graph.hpp"
#include "reports/document/document.hpp"
#include "reports/explanation/diagnostic.hpp"
#include "reports/symbols/symbols.hpp"

#include <map>
#include <string>
#include <vector>

namespace fletcher::reports {

struct GraphFinding {
  std::string rule, severity, message, place;
  std::size_t places = 1;              ///< that one cause explains
  std::vector<std::size_t> activities; ///< that the accesses or steps are of
};

class RunGraph {
public:
  /// `diagnostics`: one for each finding, before equal ones are merged.
  RunGraph(const Run& run, const graph::TimedGraph& timed, const SymbolTable& symbols,
           const std::vector<Diagnostic>& diagnostics, SourceText& sources);

  const Run& run() const noexcept { return run_; }
  const graph::TimedGraph& timed() const noexcept { return timed_; }
  const std::map<TeamId, graph::Span>& spans() const noexcept { return spans_; }
  const std::vector<GraphFinding>& findings() const noexcept { return findings_; }
  /// "a.c:12", or "module+0x12"; empty where nothing is known.
  std::string place(Address pc) const;
  SourcePlace source_place(Address pc) const;
  /// The line of source there, without blanks around it.
  std::string source_line(Address pc) const;
  /// By vertex: it lies on its region's critical path.
  const std::vector<bool>& critical() const noexcept { return critical_; }

private:
  const Run& run_;
  const graph::TimedGraph& timed_;
  const SymbolTable& symbols_;
  SourceText& sources_;
  std::map<TeamId, graph::Span> spans_;
  std::vector<bool> critical_;
  std::vector<GraphFinding> findings_;
};

/// The addresses of code that the graph names.
Stack code_of(const graph::TimedGraph& timed);

/// The forms. The page stands for itself: one file without references to others.
std::string graph_json(const RunGraph& graph);
std::string graph_html(const RunGraph& graph);
std::string graph_dot(const RunGraph& graph);
std::string graph_graphml(const RunGraph& graph);

} // namespace fletcher::reports
