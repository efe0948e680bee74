// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two listeners one after the other, so that analyses are chained as they are listed. Adds a call to each event.
#pragma once

#include "checker/events.hpp"

namespace fletcher::tool {

/// Neither listener is owned; either may be a chain.
class Chain final : public Listener {
public:
  Chain(Listener& first, Listener& second) : first_(first), second_(second) {}

  void on(const ThreadBegin& e) override { both(e); }
  void on(const ThreadEnd& e) override { both(e); }
  void on(const ThreadCreate& e) override { both(e); }
  void on(const InitialTaskBegin& e) override { both(e); }
  void on(const InitialTaskEnd& e) override { both(e); }
  void on(const ParallelBegin& e) override { both(e); }
  void on(const ParallelEnd& e) override { both(e); }
  void on(const ImplicitTaskBegin& e) override { both(e); }
  void on(const ImplicitTaskEnd& e) override { both(e); }
  void on(const Forked& e) override { both(e); }
  void on(const ThreadsReleased& e) override { both(e); }
  void on(const TaskCreate& e) override { both(e); }
  void on(const TaskDependences& e) override { both(e); }
  void on(const TaskDependenceEdge& e) override { both(e); }
  void on(const TaskSwitch& e) override { both(e); }
  void on(const TaskEnd& e) override { both(e); }
  void on(const TaskFulfill& e) override { both(e); }
  void on(const SyncBegin& e) override { both(e); }
  void on(const SyncEnd& e) override { both(e); }
  void on(const TaskgroupWait& e) override { both(e); }
  void on(const TaskwaitDepend& e) override { both(e); }
  void on(const MutexEvent& e) override { both(e); }
  void on(const Doacross& e) override { both(e); }
  void on(const DoacrossWait& e) override { both(e); }
  void on(const Work& e) override { both(e); }
  void on(const Dispatch& e) override { both(e); }
  void on(const Masked& e) override { both(e); }
  void on(const Reduction& e) override { both(e); }
  void on(const Combination& e) override { both(e); }
  void on(const Cancel& e) override { both(e); }
  void on(const Flush& e) override { both(e); }
  void on(const ErrorDirective& e) override { both(e); }
  void on(const Release& e) override { both(e); }
  void on(const Acquire& e) override { both(e); }
  void on(const MemoryBegin& e) override { both(e); }
  void on(const MemoryEnd& e) override { both(e); }
  void on(const DeviceEvent& e) override { both(e); }
  void on(const TargetRegion& e) override { both(e); }
  void on(const DataOp& e) override { both(e); }
  void on(const KernelSubmit& e) override { both(e); }

private:
  template <class Event> void both(const Event& event) {
    first_.on(event);
    second_.on(event);
  }
  Listener& first_;
  Listener& second_;
};

} // namespace fletcher::tool
