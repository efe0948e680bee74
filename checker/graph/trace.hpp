// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events that order tasks as records of one size, with the time of each: what a checked process keeps of a run for
// the program that draws its task graph afterwards, in another process.
#pragma once

#include "checker/events.hpp"

#include <cstdint>
#include <span>

namespace fletcher::graph {

using Nanoseconds = std::uint64_t;

enum class RecordKind : std::uint8_t {
  none, ///< not written yet
  initial_task_begin,
  initial_task_end,
  parallel_begin,
  parallel_end,
  implicit_task_begin,
  implicit_task_end,
  task_create,
  task_dependences,
  task_switch,
  task_end,
  task_fulfill,
  sync_begin,
  sync_end,
  taskgroup_wait,
  taskwait_depend_begin,
  taskwait_depend_end,
  ordered_acquired,
  ordered_released,
  doacross_source,
  doacross_sink,
  item, ///< of the record before: of a depend list, or of an iteration
  work_begin,
  work_end,
  dispatch,
  combination_begin,
  combination_end,
  release,
  acquire,
};

/// What each field means depends on the kind (trace.cpp).
struct Record {
  RecordKind kind = RecordKind::none;
  std::uint8_t detail = 0;
  std::uint16_t flags = 0;
  std::uint32_t thread = 0;
  std::uint32_t first = 0, second = 0;
  std::uint64_t place = 0; ///< a program counter, or an address
  Nanoseconds time = 0;    ///< by one clock for all threads
  Nanoseconds waited = 0;  ///< of these since the thread's last record, for locks
};
static_assert(sizeof(Record) == 40);

/// Turns events into records. Thread-safe if `write` is.
class TraceWriter : public Listener {
public:
  void on(const InitialTaskBegin&) override;
  void on(const InitialTaskEnd&) override;
  void on(const ParallelBegin&) override;
  void on(const ParallelEnd&) override;
  void on(const ImplicitTaskBegin&) override;
  void on(const ImplicitTaskEnd&) override;
  void on(const TaskCreate&) override;
  void on(const TaskDependences&) override;
  void on(const TaskSwitch&) override;
  void on(const TaskEnd&) override;
  void on(const TaskFulfill&) override;
  void on(const SyncBegin&) override;
  void on(const SyncEnd&) override;
  void on(const TaskgroupWait&) override;
  void on(const TaskwaitDepend&) override;
  void on(const MutexEvent&) override;
  void on(const Doacross&) override;

protected:
  /// Room for a record and the items that follow it, in the order of the calls; empty: no more are kept.
  virtual std::span<Record> room(std::size_t records) = 0;
  /// The record that `room` gave is complete except for its kind and times; its items are written.
  virtual void publish(Record& place, RecordKind kind) = 0;
  /// The thread waits for a lock from now on, or has got it.
  virtual void waits(bool begin) = 0;

  void put(RecordKind kind, const Record& record);
  void put(RecordKind kind, const Record& record, std::span<const Dependence> list);
};

/// Also of the events by which units of work and releases of other kinds order: all that graph_builder.hpp follows, but
/// for the order in which this run took locks.
class CompleteTraceWriter : public TraceWriter {
public:
  using TraceWriter::on;
  void on(const Work&) override;
  void on(const Dispatch&) override;
  void on(const Combination&) override;
  void on(const Release&) override;
  void on(const Acquire&) override;
};

/// Raises the events that the record and its items stand for.
void replay(const Record& record, std::span<const Record> items, Listener& listener);

} // namespace fletcher::graph
