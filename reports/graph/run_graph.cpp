// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/graph/run_graph.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/explanation/causes/causes.hpp"
#include "reports/explanation/explain.hpp"
#include "reports/source/directives.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace fletcher::reports {

RunGraph::RunGraph(const Run& run, const graph::TimedGraph& timed, const SymbolTable& symbols,
                   const std::vector<Diagnostic>& diagnostics, SourceText& sources)
    : run_(run), timed_(timed), symbols_(symbols), sources_(sources),
      spans_(graph::spans(timed.graph(), timed.times())), critical_(boost::num_vertices(timed.graph())) {
  for (const auto& [region, span] : spans_)
    for (const graph::Vertex vertex : span.path) critical_[vertex] = true;
  std::map<TaskId, std::size_t> by_task;
  for (std::size_t i = 0; i < timed.activities().size(); ++i)
    if (const TaskId task = timed.activities()[i].task; task != TaskId::none) by_task.emplace(task, i);
  // Findings of one cause are one, as in the report; marked are the tasks of all of them.
  using Key = std::tuple<Rule, std::string, unsigned, unsigned>;
  const auto key = [](Rule rule, const SourcePlace& at) { return Key{rule, at.file, at.line, at.column}; };
  std::map<Key, std::set<std::size_t>> activities;
  for (const Diagnostic& one : diagnostics)
    for (const Participant& participant : one.participants) {
      if (participant.tasks.empty()) continue;
      const auto found = by_task.find(participant.tasks.front().id);
      if (found != by_task.end()) activities[key(one.rule, one.place)].insert(found->second);
    }
  for (const Diagnostic& one : grouped_by_cause(merged(diagnostics), sources)) {
    GraphFinding finding{std::string(name_of(one.rule)), std::string(name_of(one.severity)), one.message, {}, 1, {}};
    finding.place = shown_file(sources, one.place, one.stack);
    if (one.place.known()) finding.place += ":" + std::to_string(one.place.line);
    finding.places += one.also.size();
    std::set<std::size_t> all = activities[key(one.rule, one.place)];
    for (const Also& also : one.also) all.merge(std::set(activities[key(also.rule, also.place)]));
    finding.activities.assign(all.begin(), all.end());
    findings_.push_back(std::move(finding));
  }
}

SourcePlace RunGraph::source_place(Address pc) const {
  if (pc == 0) return {};
  const std::vector<Frame> frames = symbols_.shown({pc});
  const Frame* const frame = frame_of_interest(frames);
  if (frame == nullptr || frame->runtime) return {};
  return frame->place;
}

std::string RunGraph::place(Address pc) const {
  if (pc == 0) return {};
  const SourcePlace known = source_place(pc);
  if (known.known()) return sources_.shown(known.file) + ":" + std::to_string(known.line);
  const std::vector<Frame> frames = symbols_.shown({pc});
  return frames.empty() || frames.front().runtime ? std::string() : shown_file(sources_, known, frames);
}

std::string RunGraph::source_line(Address pc) const {
  const SourcePlace known = source_place(pc);
  const auto line = known.known() ? sources_.line(known.file, known.line) : std::nullopt;
  return line ? std::string(trimmed(*line)) : std::string();
}

Stack code_of(const graph::TimedGraph& timed) {
  std::set<Address> all;
  for (const graph::Vertex vertex : boost::make_iterator_range(boost::vertices(timed.graph())))
    all.insert(timed.graph()[vertex].pc);
  for (const graph::Activity& activity : timed.activities()) all.insert(activity.pc);
  for (const graph::Wait& wait : timed.waits()) all.insert(wait.pc);
  all.erase(0);
  return {all.begin(), all.end()};
}

} // namespace fletcher::reports
