// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a run's tasks, as it was or as it would be without some of its constructs: the events are replayed into
// the graph builder, those of the constructs left out.
#pragma once

#include "checker/advise/run.hpp"
#include "checker/graph/graph_builder.hpp"

#include <set>
#include <span>

namespace fletcher::advise {

/// A construct of the program that orders tasks.
struct Construct {
  enum class Kind : std::uint8_t { taskwait, barrier, depend_item };
  Kind kind = Kind::taskwait;
  Address pc = 0;       ///< of a depend item: of the task's creation
  std::size_t item = 0; ///< its place in the list
  friend auto operator<=>(const Construct&, const Construct&) = default;
};

class Replay {
public:
  Replay(const Run& run, const std::set<Construct>& without);

  static constexpr graph::Vertex nowhere = static_cast<graph::Vertex>(-1);
  /// The strand that a segment is a part of, and its task; nowhere where no task is known to have run.
  graph::Vertex strand(SegmentId segment) const { return strands_[segment]; }
  TaskId task(SegmentId segment) const { return tasks_[segment]; }
  const graph::TaskGraph& graph() const noexcept { return builder_.graph(); }
  /// The task whose construct made `task`.
  TaskId parent(TaskId task) const { return builder_.parent(task); }
  /// Where it was created; 0 of a task that no construct made.
  Address creation(TaskId task) const;

private:
  void play(const graph::Record& record, std::span<const graph::Record> items);
  const std::set<Construct>& without_;
  graph::GraphBuilder builder_;
  std::unordered_map<TaskId, Address> creations_;
  std::vector<graph::Vertex> strands_;
  std::vector<TaskId> tasks_;
};

/// Calls `visit(index, record, items)` for each record of the trace with what belongs to it.
template <class Visit> void for_each_record(const std::vector<graph::Record>& records, Visit visit) {
  for (std::size_t i = 0, end = 0; i < records.size(); i = end) {
    end = i + 1;
    while (end < records.size() && records[end].kind == graph::RecordKind::item) ++end;
    visit(i, records[i], std::span(records).subspan(i + 1, end - i - 1));
  }
}

/// What a record of a taskwait or of a barrier that may be left out is about.
std::optional<Construct> waiting_construct(const graph::Record& record);

} // namespace fletcher::advise
