// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From events to records and back: the two halves of each kind stand in the same order.
#include "checker/graph/trace.hpp"

#include <array>
#include <vector>

namespace fletcher::graph {

namespace {

enum CreateFlags : std::uint16_t { undeferred = 1, taskloop = 2 };
enum EndFlags : std::uint16_t { detached = 1, cancelled = 2 };
constexpr std::uint16_t end_untold = 1;
constexpr unsigned size_shift = 32; ///< of a team, above a member's index
constexpr std::uint16_t all_memory = 1;

std::uint16_t flags_if(bool first, std::uint16_t one, bool second, std::uint16_t other) noexcept {
  return static_cast<std::uint16_t>((first ? one : 0) | (second ? other : 0));
}

Record record(ThreadId thread, std::uint32_t first, std::uint32_t second = 0, Address place = 0,
              std::uint8_t detail = 0, std::uint16_t flags = 0) noexcept {
  Record made;
  made.thread = number(thread);
  made.first = first;
  made.second = second;
  made.place = place;
  made.detail = detail;
  made.flags = flags;
  return made;
}

std::vector<Dependence> dependences(std::span<const Record> items) {
  std::vector<Dependence> list;
  for (const Record& item : items)
    list.push_back({item.place, static_cast<DependenceType>(item.detail), (item.flags & all_memory) != 0});
  return list;
}

std::vector<std::uint64_t> iteration(std::span<const Record> items) {
  std::vector<std::uint64_t> numbers;
  for (const Record& item : items) numbers.push_back(item.place);
  return numbers;
}

} // namespace

void TraceWriter::put(RecordKind kind, const Record& made) {
  const std::span<Record> places = room(1);
  if (places.empty()) return;
  places.front() = made;
  publish(places.front(), kind);
}

void TraceWriter::put(RecordKind kind, const Record& made, std::span<const Dependence> list) {
  const std::span<Record> places = room(1 + list.size());
  if (places.empty()) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Record& item = places[1 + i];
    item = record(ThreadId{made.thread}, 0, 0, list[i].address, static_cast<std::uint8_t>(list[i].type),
                  list[i].all_memory ? all_memory : std::uint16_t{0});
    item.kind = RecordKind::item;
  }
  places.front() = made;
  publish(places.front(), kind);
}

void TraceWriter::on(const InitialTaskBegin& e) {
  put(RecordKind::initial_task_begin, record(e.thread, number(e.task), 0, 0, static_cast<std::uint8_t>(e.kind)));
}
void TraceWriter::on(const InitialTaskEnd& e) { put(RecordKind::initial_task_end, record(e.thread, number(e.task))); }
void TraceWriter::on(const ParallelBegin& e) {
  put(RecordKind::parallel_begin, record(e.thread, number(e.encountering), number(e.team), e.pc));
}
void TraceWriter::on(const ParallelEnd& e) {
  put(RecordKind::parallel_end, record(e.thread, number(e.encountering), number(e.team), e.pc));
}
void TraceWriter::on(const ImplicitTaskBegin& e) {
  put(RecordKind::implicit_task_begin,
      record(e.thread, number(e.task), number(e.team), e.index | Address{e.size} << size_shift));
}
void TraceWriter::on(const ImplicitTaskEnd& e) {
  put(RecordKind::implicit_task_end, record(e.thread, number(e.task), number(e.team)));
}
void TraceWriter::on(const TaskCreate& e) {
  put(RecordKind::task_create,
      record(e.thread, number(e.task), number(e.creator), e.pc, static_cast<std::uint8_t>(e.kind),
             flags_if(e.traits.undeferred, undeferred, e.traits.taskloop, taskloop)));
}
void TraceWriter::on(const TaskDependences& e) {
  put(RecordKind::task_dependences, record(e.thread, number(e.task)), e.list);
}
void TraceWriter::on(const TaskSwitch& e) {
  put(RecordKind::task_switch, record(e.thread, number(e.next), number(e.prior)));
}
void TraceWriter::on(const TaskEnd& e) {
  put(RecordKind::task_end,
      record(e.thread, number(e.task), number(e.next), 0, 0, flags_if(e.detached, detached, e.cancelled, cancelled)));
}
void TraceWriter::on(const TaskFulfill& e) { put(RecordKind::task_fulfill, record(e.thread, number(e.task))); }
void TraceWriter::on(const SyncBegin& e) {
  put(RecordKind::sync_begin,
      record(e.thread, number(e.task), number(e.team), e.pc, static_cast<std::uint8_t>(e.kind)));
}
void TraceWriter::on(const SyncEnd& e) {
  put(RecordKind::sync_end, record(e.thread, number(e.task), number(e.team), e.pc, static_cast<std::uint8_t>(e.kind)));
}
void TraceWriter::on(const TaskgroupWait& e) {
  put(RecordKind::taskgroup_wait, record(e.thread, number(e.task), 0, e.pc));
}
void TraceWriter::on(const TaskwaitDepend& e) {
  put(e.begin ? RecordKind::taskwait_depend_begin : RecordKind::taskwait_depend_end,
      record(e.thread, number(e.task), 0, e.pc), e.list);
}
void TraceWriter::on(const MutexEvent& e) {
  if (e.step == MutexStep::acquiring) return waits(true);
  if (e.step == MutexStep::acquired) waits(false);
  if (e.mutex.kind != MutexKind::ordered) return;
  if (e.step != MutexStep::acquired && e.step != MutexStep::released) return;
  put(e.step == MutexStep::acquired ? RecordKind::ordered_acquired : RecordKind::ordered_released,
      record(e.thread, number(e.task), 0, e.pc), std::array{Dependence{e.mutex.address}});
}
void TraceWriter::on(const Doacross& e) {
  std::vector<Dependence> numbers;
  for (const std::uint64_t one : e.iteration) numbers.push_back({one});
  put(e.source ? RecordKind::doacross_source : RecordKind::doacross_sink,
      record(e.thread, number(e.task), number(e.team)), numbers);
}

void CompleteTraceWriter::on(const Work& e) {
  put(e.begin ? RecordKind::work_begin : RecordKind::work_end,
      record(e.thread, number(e.task), number(e.team), e.pc, static_cast<std::uint8_t>(e.kind),
             e.end_untold ? end_untold : std::uint16_t{0}));
}
void CompleteTraceWriter::on(const Dispatch& e) {
  put(RecordKind::dispatch, record(e.thread, number(e.task), number(e.team), 0, static_cast<std::uint8_t>(e.kind)));
}
void CompleteTraceWriter::on(const Combination& e) {
  put(e.begin ? RecordKind::combination_begin : RecordKind::combination_end,
      record(e.thread, number(e.task), number(e.team)));
}
void CompleteTraceWriter::on(const Release& e) {
  put(RecordKind::release, record(e.thread, 0, 0, e.object, 0, static_cast<std::uint16_t>(e.first)));
}
void CompleteTraceWriter::on(const Acquire& e) {
  put(RecordKind::acquire, record(e.thread, 0, 0, e.object, 0, static_cast<std::uint16_t>(e.more)));
}

void replay(const Record& r, std::span<const Record> items, Listener& listener) {
  const ThreadId thread{r.thread};
  const TaskId task{r.first};
  const TeamId team{r.second};
  switch (r.kind) {
  case RecordKind::initial_task_begin:
    return listener.on(InitialTaskBegin{thread, task, static_cast<TaskKind>(r.detail)});
  case RecordKind::initial_task_end:
    return listener.on(InitialTaskEnd{thread, task});
  case RecordKind::parallel_begin:
    return listener.on(ParallelBegin{thread, task, team, 0, false, r.place});
  case RecordKind::parallel_end:
    return listener.on(ParallelEnd{thread, task, team, r.place});
  case RecordKind::implicit_task_begin:
    return listener.on(ImplicitTaskBegin{thread, team, task, static_cast<std::uint32_t>(r.place),
                                         static_cast<std::uint32_t>(r.place >> size_shift)});
  case RecordKind::implicit_task_end:
    return listener.on(ImplicitTaskEnd{thread, team, task});
  case RecordKind::task_create: {
    TaskTraits traits;
    traits.undeferred = (r.flags & undeferred) != 0;
    traits.taskloop = (r.flags & taskloop) != 0;
    return listener.on(TaskCreate{thread, TaskId{r.second}, task, static_cast<TaskKind>(r.detail), traits, r.place});
  }
  case RecordKind::task_dependences:
    return listener.on(TaskDependences{thread, task, dependences(items)});
  case RecordKind::task_switch:
    return listener.on(TaskSwitch{thread, TaskId{r.second}, task});
  case RecordKind::task_end:
    return listener.on(TaskEnd{thread, task, TaskId{r.second}, (r.flags & detached) != 0, (r.flags & cancelled) != 0});
  case RecordKind::task_fulfill:
    return listener.on(TaskFulfill{thread, task});
  case RecordKind::sync_begin:
    return listener.on(SyncBegin{thread, task, team, static_cast<SyncKind>(r.detail), r.place});
  case RecordKind::sync_end:
    return listener.on(SyncEnd{thread, task, team, static_cast<SyncKind>(r.detail), r.place});
  case RecordKind::taskgroup_wait:
    return listener.on(TaskgroupWait{thread, task, r.place});
  case RecordKind::taskwait_depend_begin:
  case RecordKind::taskwait_depend_end:
    return listener.on(
        TaskwaitDepend{thread, task, dependences(items), r.kind == RecordKind::taskwait_depend_begin, r.place});
  case RecordKind::ordered_acquired:
  case RecordKind::ordered_released: {
    const Address mutex = items.empty() ? 0 : items.front().place;
    return listener.on(MutexEvent{thread,
                                  task,
                                  {MutexKind::ordered, mutex},
                                  r.kind == RecordKind::ordered_acquired ? MutexStep::acquired : MutexStep::released,
                                  0,
                                  r.place});
  }
  case RecordKind::doacross_source:
  case RecordKind::doacross_sink:
    return listener.on(Doacross{thread, task, team, r.kind == RecordKind::doacross_source, iteration(items)});
  case RecordKind::work_begin:
  case RecordKind::work_end:
    return listener.on(Work{thread, task, team, static_cast<WorkKind>(r.detail), r.kind == RecordKind::work_begin, 0,
                            r.place, (r.flags & end_untold) != 0});
  case RecordKind::dispatch:
    return listener.on(Dispatch{thread, task, team, static_cast<DispatchKind>(r.detail)});
  case RecordKind::combination_begin:
  case RecordKind::combination_end:
    return listener.on(Combination{thread, task, team, r.kind == RecordKind::combination_begin});
  case RecordKind::release:
    return listener.on(Release{thread, r.place, r.flags != 0});
  case RecordKind::acquire:
    return listener.on(Acquire{thread, r.place, r.flags != 0});
  case RecordKind::none:
  case RecordKind::item:
    return;
  }
}

} // namespace fletcher::graph
