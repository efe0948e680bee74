// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds a trace to the graph builder, and tells the time between a thread's records to the strand that it was in.
#include "checker/graph/timed_graph.hpp"

#include <boost/range/iterator_range.hpp>

#include <algorithm>

namespace fletcher::graph {

namespace {

EdgeReason reason_of(SyncKind kind) noexcept {
  return kind == SyncKind::taskwait    ? EdgeReason::taskwait
         : kind == SyncKind::taskgroup ? EdgeReason::taskgroup
                                       : EdgeReason::barrier;
}

} // namespace

TimedGraph::TimedGraph(std::span<const Record> trace) {
  for (std::size_t i = 0; i < trace.size();) {
    std::size_t end = i + 1;
    while (end < trace.size() && trace[end].kind == RecordKind::item) ++end;
    if (trace[i].kind != RecordKind::none && trace[i].kind != RecordKind::item)
      take(trace[i], trace.subspan(i + 1, end - i - 1));
    i = end;
  }
  grow();
  find_last();
}

void TimedGraph::take(const Record& record, std::span<const Record> items) {
  pass(record);
  replay(record, items, builder_);
  grow();
  note(record);
}

// The time since the thread's last record was that of the task that it ran, or of that task's wait.
void TimedGraph::pass(const Record& record) {
  Thread& thread = threads_[ThreadId{record.thread}];
  const Nanoseconds last = std::exchange(thread.last, record.time).value_or(record.time);
  const Nanoseconds whole = record.time > last ? record.time - last : 0;
  const Nanoseconds time = whole > record.waited ? whole - record.waited : 0;
  const TaskId running = builder_.running(ThreadId{record.thread});
  if (running == TaskId::none) return;
  if (const auto found = waiting_.find(running); found != waiting_.end() && found->second.now) {
    if (found->second.wait != nowhere) waits_[found->second.wait].time += time;
    return;
  }
  const auto strand = builder_.strand(running);
  if (!strand) return;
  times_[*strand] += time;
  ends_[*strand] = record.time;
  activities_[of_task(running)].time += time;
}

void TimedGraph::note(const Record& record) {
  const TaskId task{record.first};
  switch (record.kind) {
  case RecordKind::initial_task_begin:
    activities_[of_task(task)].begin = record.time;
    return;
  case RecordKind::parallel_begin: {
    Activity region;
    region.kind = Activity::Kind::region;
    region.parent = of_task(task);
    region.team = TeamId{record.second};
    region.region = activities_[region.parent].region;
    if (region.region == TeamId::none) region.region = region.team;
    region.pc = record.place;
    region.begin = record.time;
    by_team_[region.team] = add(region);
    return;
  }
  case RecordKind::parallel_end:
    if (const auto found = by_team_.find(TeamId{record.second}); found != by_team_.end())
      activities_[found->second].end = record.time;
    return;
  case RecordKind::implicit_task_begin: {
    Activity member;
    member.kind = Activity::Kind::implicit;
    if (const auto found = by_team_.find(TeamId{record.second}); found != by_team_.end()) {
      member.parent = found->second;
      member.region = activities_[found->second].region;
      member.pc = activities_[found->second].pc;
    }
    member.task = task;
    member.index = static_cast<std::uint32_t>(record.place);
    member.begin = record.time;
    by_task_[task] = add(member);
    return;
  }
  case RecordKind::implicit_task_end:
  case RecordKind::initial_task_end:
    if (Activity& ended = activities_[of_task(task)]; ended.end == 0) ended.end = record.time;
    return;
  case RecordKind::task_create: {
    Activity created;
    created.kind =
        static_cast<TaskKind>(record.detail) == TaskKind::target ? Activity::Kind::target : Activity::Kind::explicit_;
    created.parent = of_task(TaskId{record.second});
    created.region = activities_[created.parent].region;
    created.task = task;
    created.pc = record.place;
    by_task_[task] = add(created);
    return;
  }
  case RecordKind::task_switch:
    if (Activity& next = activities_[of_task(task)]; next.begin == 0) next.begin = record.time;
    return;
  case RecordKind::task_end:
    activities_[of_task(task)].end = record.time;
    return;
  case RecordKind::sync_begin: {
    const auto kind = static_cast<SyncKind>(record.detail);
    if (kind != SyncKind::taskgroup) begin_wait(task, reason_of(kind), record.place);
    if (kind == SyncKind::barrier_parallel || kind == SyncKind::barrier_teams)
      activities_[of_task(task)].end = record.time;
    return;
  }
  case RecordKind::taskgroup_wait:
    return begin_wait(task, EdgeReason::taskgroup, record.place);
  case RecordKind::taskwait_depend_begin:
    return begin_wait(task, EdgeReason::dependence, record.place);
  case RecordKind::sync_end:
  case RecordKind::taskwait_depend_end:
    return end_wait(task);
  default:
    return;
  }
}

void TimedGraph::begin_wait(TaskId task, EdgeReason reason, Address pc) {
  Wait wait;
  wait.activity = of_task(task);
  wait.reason = reason;
  wait.pc = pc;
  wait.created = activities_.size();
  waiting_[task] = {waits_.size(), true};
  waits_.push_back(wait);
  after_.push_back(0);
}

void TimedGraph::end_wait(TaskId task) {
  const auto found = waiting_.find(task);
  if (found == waiting_.end() || !found->second.now) return;
  found->second.now = false;
  if (const auto strand = builder_.strand(task)) after_[found->second.wait] = *strand;
}

// Which tasks a wait was for: those whose ends have an edge to what follows it, directly or by the node of its barrier,
// taskgroup or taskwait.
void TimedGraph::find_last() {
  const TaskGraph& all = graph();
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    if (after_[i] == 0) continue;
    Wait& wait = waits_[i];
    Nanoseconds latest = 0;
    const auto look = [&](Vertex before) {
      const std::size_t one = activity_of(before);
      if (one == nowhere || one == wait.activity) return;
      ++wait.count;
      const Nanoseconds end = all[before].kind == NodeKind::strand ? ends_[before] : activities_[one].end;
      if (wait.last != nowhere && end <= latest) return;
      wait.last = one;
      latest = end;
    };
    for (const EdgeId edge : boost::make_iterator_range(boost::in_edges(after_[i], all))) {
      if (all[edge].reason == EdgeReason::program_order) continue;
      const Vertex before = boost::source(edge, all);
      if (all[before].kind == NodeKind::strand || all[before].kind == NodeKind::task_end)
        look(before);
      else
        for (const EdgeId further : boost::make_iterator_range(boost::in_edges(before, all)))
          look(boost::source(further, all));
    }
  }
}

std::size_t TimedGraph::add(Activity activity) {
  activities_.push_back(activity);
  return activities_.size() - 1;
}

/// One that began before the trace is the program's serial part.
std::size_t TimedGraph::of_task(TaskId task) {
  if (const auto found = by_task_.find(task); found != by_task_.end()) return found->second;
  Activity unknown;
  unknown.task = task;
  return by_task_[task] = add(unknown);
}

std::size_t TimedGraph::activity_of(Vertex vertex) const {
  const auto found = by_task_.find(graph()[vertex].task);
  return graph()[vertex].task == TaskId::none || found == by_task_.end() ? nowhere : found->second;
}

std::vector<std::size_t> TimedGraph::outermost_regions() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < activities_.size(); ++i)
    if (activities_[i].kind == Activity::Kind::region && activities_[i].team == activities_[i].region) all.push_back(i);
  return all;
}

} // namespace fletcher::graph
