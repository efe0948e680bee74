// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Listens to a run and watches its accesses, and keeps what advice needs to know. Events take one lock, accesses none.
#pragma once

#include "checker/access/watcher.hpp"
#include "checker/advise/run.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

namespace fletcher::advise {

class Recorder final : public graph::CompleteTraceWriter, public access::Watcher {
public:
  /// `sees`: the code at a program counter tells its accesses.
  explicit Recorder(bool (*sees)(Address) noexcept) : sees_(sees) {}
  ~Recorder() override;

  /// The running task calls code that does not tell what it does.
  void meets_unseen_code(ThreadId thread);
  /// It calls a function that writes to a stream.
  void prints(ThreadId thread, Address pc);

  /// What happened so far. Not to be used while events or accesses arrive.
  Run take();

  void accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind, Address pc,
                bool whole) override;

  void on(const InitialTaskBegin& e) override { keep(e); }
  void on(const InitialTaskEnd& e) override { keep(e); }
  void on(const ParallelBegin&) override;
  void on(const ParallelEnd& e) override { keep(e); }
  void on(const ImplicitTaskBegin& e) override { keep(e); }
  void on(const ImplicitTaskEnd& e) override { keep(e); }
  void on(const TaskCreate&) override;
  void on(const TaskDependences&) override;
  void on(const TaskSwitch&) override;
  void on(const TaskEnd&) override;
  void on(const TaskFulfill& e) override { keep(e); }
  void on(const SyncBegin&) override;
  void on(const SyncEnd& e) override { keep(e); }
  void on(const TaskwaitDepend& e) override { keep(e); }
  void on(const MutexEvent&) override;
  void on(const Doacross& e) override { keep(e); }
  void on(const Work&) override;
  void on(const Dispatch& e) override { keep(e); }
  void on(const Combination& e) override { keep(e); }
  void on(const Release& e) override { keep(e); }
  void on(const Acquire& e) override { keep(e); }
  void on(const Reduction&) override;
  void on(const Cancel&) override { give_up("the program cancels constructs"); }
  void on(const Flush&) override { give_up("the program orders accesses by flushes"); }
  void on(const Forked&) override { give_up("the process was made by fork"); }
  void on(const MemoryBegin&) override;
  void on(const MemoryEnd&) override;
  void on(const DeviceEvent&) override { give_up("the program uses devices"); }
  void on(const TargetRegion&) override { give_up("the program uses devices"); }
  void on(const DataOp&) override { give_up("the program uses devices"); }

private:
  static constexpr std::size_t most_threads = 1024, most_segments = 4'000'000, most_accesses = 8'000'000;
  /// Written by the thread itself.
  struct Thread {
    std::vector<Access> accesses;
    std::vector<HeldLock> held;
    StackRange stack;
    SegmentId segment = 0;
    bool begun = false;
    bool by_chance = false; ///< it is in a construct whose parts threads take as they come
    bool busy = false;      ///< an access is being noted, and a signal handler may make one
  };

  template <class Event> void keep(const Event& event) {
    const memory::SpinGuard guard(lock_);
    CompleteTraceWriter::on(event);
    begin_segment(event.thread);
  }
  std::span<graph::Record> room(std::size_t records) override;
  void publish(graph::Record& place, graph::RecordKind kind) override { place.kind = kind; }
  void waits(bool) override {}

  Thread* thread(ThreadId id);
  void begin_segment(ThreadId thread);
  void renew(ThreadId thread, Address low, Address high);
  std::uint32_t lockset(const std::vector<HeldLock>& held);
  void give_up(const char* why);

  bool (*const sees_)(Address) noexcept;
  memory::SpinLock lock_;
  Run run_;
  std::map<std::vector<std::array<Address, 3>>, std::uint32_t> known_locksets_{{{}, 0}};
  std::unordered_map<TaskId, bool> combines_; ///< a task has met a reduction since its last barrier
  std::array<std::atomic<Thread*>, most_threads> threads_{};
  std::atomic<const char*> unknown_{nullptr};
};

} // namespace fletcher::advise
