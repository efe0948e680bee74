// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every event as a line of text, "name key=value …", in the order in which they arrive: for people who debug a
// program's or a runtime's behaviour, and for tests.
#pragma once

#include "checker/events.hpp"

#include <string>

namespace fletcher::tool {

class EventLog final : public Listener {
public:
  /// Null, after one clear line, where the file cannot be written. Never freed.
  static EventLog* open(const std::string& path);

  void on(const ThreadBegin& e) override;
  void on(const ThreadEnd& e) override;
  void on(const ThreadCreate& e) override;
  void on(const InitialTaskBegin& e) override;
  void on(const InitialTaskEnd& e) override;
  void on(const ParallelBegin& e) override;
  void on(const ParallelEnd& e) override;
  void on(const ImplicitTaskBegin& e) override;
  void on(const ImplicitTaskEnd& e) override;
  void on(const Forked& e) override;
  void on(const ThreadsReleased& e) override;
  void on(const TaskCreate& e) override;
  void on(const TaskDependences& e) override;
  void on(const TaskDependenceEdge& e) override;
  void on(const TaskSwitch& e) override;
  void on(const TaskEnd& e) override;
  void on(const TaskFulfill& e) override;
  void on(const SyncBegin& e) override;
  void on(const SyncEnd& e) override;
  void on(const TaskgroupWait& e) override;
  void on(const TaskwaitDepend& e) override;
  void on(const MutexEvent& e) override;
  void on(const Doacross& e) override;
  void on(const DoacrossWait& e) override;
  void on(const Work& e) override;
  void on(const Dispatch& e) override;
  void on(const Masked& e) override;
  void on(const Reduction& e) override;
  void on(const Combination& e) override;
  void on(const Cancel& e) override;
  void on(const Flush& e) override;
  void on(const ErrorDirective& e) override;
  void on(const Release& e) override;
  void on(const Acquire& e) override;
  void on(const MemoryBegin& e) override;
  void on(const MemoryEnd& e) override;
  void on(const DeviceEvent& e) override;
  void on(const TargetRegion& e) override;
  void on(const DataOp& e) override;
  void on(const KernelSubmit& e) override;

private:
  explicit EventLog(int file) : file_(file) {}
  int file_;
};

} // namespace fletcher::tool
