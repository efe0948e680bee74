// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can happen in an OpenMP program, as plain types, and the interface of their listeners. The words are
// OpenMP's; no event is named after a runtime's callback. The events are in events/, by family.
//
// Thread-safety: events arrive on the thread that they name, concurrently from all threads. The caller
// guarantees the order that OpenMP's runtime guarantees (facts: a task completes before its waiter resumes).
#pragma once

#include "checker/events/device.hpp"
#include "checker/events/memory.hpp"
#include "checker/events/synchronisation.hpp"
#include "checker/events/tasks.hpp"
#include "checker/events/teams.hpp"
#include "checker/events/work.hpp"

namespace fletcher {

/// Implemented by the checker, by the ThreadSanitizer annotator, by a trace recorder: each event does nothing unless
/// overridden.
class Listener {
public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void on(const ThreadBegin&) {}
  virtual void on(const ThreadEnd&) {}
  virtual void on(const ThreadCreate&) {}
  virtual void on(const InitialTaskBegin&) {}
  virtual void on(const InitialTaskEnd&) {}
  virtual void on(const ParallelBegin&) {}
  virtual void on(const ParallelEnd&) {}
  virtual void on(const ImplicitTaskBegin&) {}
  virtual void on(const ImplicitTaskEnd&) {}
  virtual void on(const Forked&) {}
  virtual void on(const ThreadsReleased&) {}
  virtual void on(const TaskCreate&) {}
  virtual void on(const TaskDependences&) {}
  virtual void on(const TaskDependenceEdge&) {}
  virtual void on(const TaskSwitch&) {}
  virtual void on(const TaskEnd&) {}
  virtual void on(const TaskFulfill&) {}
  virtual void on(const SyncBegin&) {}
  virtual void on(const SyncEnd&) {}
  virtual void on(const TaskgroupWait&) {}
  virtual void on(const TaskwaitDepend&) {}
  virtual void on(const MutexEvent&) {}
  virtual void on(const Doacross&) {}
  virtual void on(const DoacrossWait&) {}
  virtual void on(const Work&) {}
  virtual void on(const Dispatch&) {}
  virtual void on(const Masked&) {}
  virtual void on(const Reduction&) {}
  virtual void on(const Combination&) {}
  virtual void on(const Cancel&) {}
  virtual void on(const Flush&) {}
  virtual void on(const ErrorDirective&) {}
  virtual void on(const Release&) {}
  virtual void on(const Acquire&) {}
  virtual void on(const MemoryBegin&) {}
  virtual void on(const MemoryEnd&) {}
  virtual void on(const DeviceEvent&) {}
  virtual void on(const TargetRegion&) {}
  virtual void on(const DataOp&) {}
  virtual void on(const KernelSubmit&) {}
};

} // namespace fletcher
