// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph as JSON: activities in columns, as there may be a hundred thousand, and numbers that point into them.
#include "reports/document/enum_names.hpp"
#include "reports/graph/run_graph.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <unordered_map>

namespace fletcher::reports {

namespace {

using Json = nlohmann::ordered_json;
using graph::nowhere;

constexpr std::array<std::string_view, 5> kinds{"serial", "region", "implicit", "task", "target"};

class Writer {
public:
  explicit Writer(const RunGraph& graph) : graph_(graph), timed_(graph.timed()) {
    for (const graph::Activity& one : timed_.activities())
      if (one.begin != 0 && (origin_ == 0 || one.begin < origin_)) origin_ = one.begin;
  }

  Json whole() {
    const Run& run = graph_.run();
    Json out{{"fletcher-graph", 1},
             {"run",
              {{"program", run.program},
               {"arguments", run.arguments},
               {"level", name_of(run.level)},
               {"threads", run.threads},
               {"notes", run.notes}}}};
    out["activities"] = activities();
    out["regions"] = regions();
    out["edges"] = edges();
    out["waits"] = waits();
    out["findings"] = findings();
    out["places"] = places_;
    return out;
  }

private:
  static Json index(std::size_t activity) { return activity == nowhere ? Json(-1) : Json(activity); }

  /// Into "places"; -1 where nothing is known. Different calls at one line are one place.
  int place(Address pc) {
    const auto known = by_pc_.find(pc);
    if (known != by_pc_.end()) return known->second;
    const std::string name = graph_.place(pc);
    if (name.empty()) return by_pc_[pc] = -1;
    const auto [found, fresh] = by_name_.try_emplace(name, static_cast<int>(places_.size()));
    if (fresh) places_.push_back({{"name", name}, {"text", graph_.source_line(pc)}});
    return by_pc_[pc] = found->second;
  }

  graph::Nanoseconds since_origin(graph::Nanoseconds time) const { return time > origin_ ? time - origin_ : 0; }

  Json activities() {
    Json kind = Json::array(), parent = kind, at = kind, number = kind, begin = kind, end = kind, time = kind;
    for (const graph::Activity& one : timed_.activities()) {
      kind.push_back(kinds[static_cast<std::size_t>(one.kind)]);
      parent.push_back(index(one.parent));
      at.push_back(place(one.pc));
      number.push_back(one.index);
      begin.push_back(since_origin(one.begin));
      end.push_back(since_origin(one.end));
      time.push_back(one.time);
    }
    return {{"kind", kind},   {"parent", parent}, {"place", at}, {"number", number},
            {"begin", begin}, {"end", end},       {"time", time}};
  }

  /// What follows each other on the critical path and is of one activity is one step: [activity, time, the reason why
  /// it comes after the step before, place].
  Json path(const graph::Span& span) {
    Json out = Json::array();
    const graph::TaskGraph& all = timed_.graph();
    std::size_t last = nowhere;
    std::string reason = "fork";
    graph::Vertex before = span.path.empty() ? 0 : span.path.front();
    for (const graph::Vertex vertex : span.path) {
      if (vertex != before) {
        const auto edge = boost::edge(before, vertex, all);
        const graph::EdgeReason why = edge.second ? all[edge.first].reason : graph::EdgeReason::program_order;
        // The reason of the last edge that is not the order of one task's own strands.
        if (why != graph::EdgeReason::program_order && why != graph::EdgeReason::body_end) reason = name(why);
      }
      before = vertex;
      const std::size_t activity = timed_.activity_of(vertex);
      if (activity == nowhere) continue;
      if (activity == last) {
        out.back()[1] = out.back()[1].get<graph::Nanoseconds>() + timed_.times()[vertex];
        continue;
      }
      out.push_back({activity, timed_.times()[vertex], reason, place(all[vertex].pc)});
      last = activity;
    }
    return out;
  }

  Json regions() {
    Json out = Json::array();
    for (const std::size_t one : timed_.outermost_regions()) {
      const auto found = graph_.spans().find(timed_.activities()[one].team);
      if (found == graph_.spans().end()) continue;
      out.push_back({{"activity", one},
                     {"work", found->second.work},
                     {"span", found->second.span},
                     {"path", path(found->second)}});
    }
    return out;
  }

  /// Except for those that the activities' parents and the waits say.
  Json edges() {
    Json out = Json::array();
    const graph::TaskGraph& all = timed_.graph();
    for (const graph::EdgeId edge : boost::make_iterator_range(boost::edges(all))) {
      switch (all[edge].reason) {
      case graph::EdgeReason::dependence:
      case graph::EdgeReason::fulfill:
      case graph::EdgeReason::undeferred:
      case graph::EdgeReason::doacross:
        break;
      case graph::EdgeReason::ordered:
        through(boost::source(edge, all), boost::target(edge, all), out);
        continue;
      default:
        continue;
      }
      const std::size_t from = timed_.activity_of(boost::source(edge, all));
      const std::size_t to = timed_.activity_of(boost::target(edge, all));
      if (all[boost::target(edge, all)].kind == graph::NodeKind::depend_wait) continue;
      if (from != nowhere && to != nowhere && from != to) out.push_back({from, to, name(all[edge].reason)});
    }
    return out;
  }

  /// From what was released on an object to who comes after it.
  void through(graph::Vertex from, graph::Vertex to, Json& out) const {
    const graph::TaskGraph& all = timed_.graph();
    if (all[from].kind != graph::NodeKind::object) return;
    for (const graph::EdgeId edge : boost::make_iterator_range(boost::in_edges(from, all))) {
      const std::size_t first = timed_.activity_of(boost::source(edge, all)), then = timed_.activity_of(to);
      if (first != nowhere && then != nowhere && first != then)
        out.push_back({first, then, name(graph::EdgeReason::ordered)});
    }
  }

  /// [activity, reason, place, time, tasks waited for, the last of them, activities before it]
  Json waits() {
    Json out = Json::array();
    for (const graph::Wait& wait : timed_.waits())
      out.push_back(
          {wait.activity, name(wait.reason), place(wait.pc), wait.time, wait.count, index(wait.last), wait.created});
    return out;
  }

  Json findings() const {
    Json out = Json::array();
    for (const GraphFinding& one : graph_.findings())
      out.push_back({{"rule", one.rule},
                     {"severity", one.severity},
                     {"message", one.message},
                     {"place", one.place},
                     {"places", one.places},
                     {"activities", one.activities}});
    return out;
  }

  const RunGraph& graph_;
  const graph::TimedGraph& timed_;
  graph::Nanoseconds origin_ = 0;
  Json places_ = Json::array();
  std::unordered_map<Address, int> by_pc_;
  std::unordered_map<std::string, int> by_name_;
};

} // namespace

std::string graph_json(const RunGraph& graph) {
  return Writer(graph).whole().dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace fletcher::reports
