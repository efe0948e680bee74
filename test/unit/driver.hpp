// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives a Checker by hand: each method is one thing that an OpenMP program does on a thread, and the accesses' pcs are
// small numbers that tests find again in findings.
#pragma once

#include "checker/access/check.hpp"
#include "checker/checker.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace fletcher::test {

class Recorder final : public FindingSink {
public:
  void found(std::uint64_t, Finding f) override { findings.push_back(std::move(f)); }
  void again(std::uint64_t) override { ++repeated; }
  std::vector<Finding> findings;
  int repeated = 0;
};

inline CheckerConfig small_config() {
  CheckerConfig c;
  c.address_bits = 24;
  return c;
}

class Driver {
public:
  using Pairs = std::set<std::pair<Address, Address>>;

  explicit Driver(const CheckerConfig& config = small_config()) : checker(config, recorder) {
    root = begin_root(1, TaskKind::initial);
  }
  ~Driver() { checker.on(InitialTaskEnd{ThreadId{1}, root}); }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  TaskId begin_root(unsigned thread, TaskKind kind, bool announced = false) {
    checker.on(ThreadBegin{ThreadId{thread}});
    const TaskId t = fresh_task();
    checker.on(InitialTaskBegin{ThreadId{thread}, t, kind, announced});
    return current[thread] = t;
  }
  /// The running task of thread 1 forks a team; its members run on threads first_thread, first_thread + 1, … (the first
  /// one on `thread`).
  TeamId fork(unsigned thread, unsigned size, unsigned others_from = 2, bool league = false, bool open = false) {
    const TeamId team{++teams};
    outer[team] = current[thread];
    ParallelBegin begin{ThreadId{thread}, current[thread], team, size, league, 0x9000 + teams};
    begin.gomp = gomp;
    begin.own_values_are_told = own_values_are_told;
    checker.on(begin);
    for (unsigned i = 0; i < size; ++i) {
      const unsigned on = i == 0 ? thread : others_from + i - 1;
      const TaskId t = fresh_task();
      checker.on(ImplicitTaskBegin{ThreadId{on}, team, t, i, size, open});
      current[on] = t;
      members[team].emplace_back(on, t);
    }
    return team;
  }
  void join(TeamId team, SyncKind kind = SyncKind::barrier_parallel) {
    const auto& m = members[team];
    for (const auto& [on, t] : m) checker.on(SyncBegin{ThreadId{on}, t, team, kind, 0, 0});
    checker.on(SyncEnd{ThreadId{m[0].first}, m[0].second, team, kind, 0});
    checker.on(ImplicitTaskEnd{ThreadId{m[0].first}, team, m[0].second});
    checker.on(ParallelEnd{ThreadId{m[0].first}, outer[team], team, 0});
    current[m[0].first] = outer[team];
  }
  void barrier(TeamId team, SyncKind kind = SyncKind::barrier_explicit) {
    for (const auto& [on, t] : members[team]) checker.on(SyncBegin{ThreadId{on}, t, team, kind, 0, 0});
    for (const auto& [on, t] : members[team]) checker.on(SyncEnd{ThreadId{on}, t, team, kind, 0});
  }
  TaskId create(unsigned thread, std::initializer_list<Dependence> depend = {}, TaskTraits traits = {},
                Address stack_pointer = 0) {
    const TaskId t = fresh_task();
    checker.on(TaskCreate{ThreadId{thread}, current[thread], t, TaskKind::explicit_, traits, 0x8000 + number(t),
                          stack_pointer});
    if (depend.size() != 0) checker.on(TaskDependences{ThreadId{thread}, t, {depend.begin(), depend.size()}});
    return t;
  }
  void start(unsigned thread, TaskId task) {
    checker.on(TaskSwitch{ThreadId{thread}, current[thread], task});
    interrupted[task] = current[thread];
    current[thread] = task;
  }
  void end(unsigned thread, bool detached = false) {
    const TaskId t = current[thread];
    checker.on(TaskEnd{.thread = ThreadId{thread}, .task = t, .next = interrupted[t], .detached = detached});
    current[thread] = interrupted[t];
  }
  /// Starts and ends a task around one access.
  void run(unsigned thread, TaskId task, Address a, access::Kind kind, Address pc) {
    start(thread, task);
    access(thread, a, kind, pc);
    end(thread);
  }
  void taskwait(unsigned thread) { sync(thread, SyncKind::taskwait, true), sync(thread, SyncKind::taskwait, false); }
  void sync(unsigned thread, SyncKind kind, bool begin, Address stack_pointer = 0) {
    if (begin)
      checker.on(SyncBegin{ThreadId{thread}, current[thread], TeamId::none, kind, 0x7000, stack_pointer});
    else
      checker.on(SyncEnd{ThreadId{thread}, current[thread], TeamId::none, kind, 0x7000});
  }
  void work(unsigned thread, WorkKind kind, bool begin, Address pc = 0x5000, std::uint64_t count = 0) {
    checker.on(Work{ThreadId{thread}, current[thread], TeamId::none, kind, begin, count, pc});
  }
  void masked(unsigned thread, bool begin) {
    checker.on(Masked{ThreadId{thread}, current[thread], TeamId::none, begin, 0x5100});
  }
  /// Takes the next chunk of the dynamic loop that the thread is in.
  void chunk(unsigned thread) {
    checker.on(Dispatch{ThreadId{thread}, current[thread], TeamId::none, DispatchKind::loop_chunk, 0, 1});
  }
  /// Begins the next piece of the static loop, or the next section, that the thread is in.
  void piece(unsigned thread) {
    checker.on(Dispatch{ThreadId{thread}, current[thread], TeamId::none, DispatchKind::piece, 0, 1});
  }
  void acquiring(unsigned thread, Address l, MutexKind kind = MutexKind::lock, Address pc = 0x6000) {
    mutex(thread, {kind, l}, MutexStep::acquiring, pc);
  }
  void lock(unsigned thread, Address l, MutexKind kind = MutexKind::lock, Address pc = 0x6000) {
    acquiring(thread, l, kind, pc);
    mutex(thread, {kind, l}, MutexStep::acquired, pc);
  }
  void test_lock(unsigned thread, Address l, Address pc = 0x6000) {
    mutex(thread, {MutexKind::lock, l}, MutexStep::testing, pc);
    mutex(thread, {MutexKind::lock, l}, MutexStep::acquired, pc);
  }
  void unlock(unsigned thread, Address l, MutexKind kind = MutexKind::lock, Address pc = 0x6000) {
    mutex(thread, {kind, l}, MutexStep::released, pc);
  }
  /// The begin or end of a lock's life.
  void life(unsigned thread, Address l, MutexStep step, Address pc = 0x6000) {
    const bool nest = step == MutexStep::init_nest || step == MutexStep::destroy_nest;
    mutex(thread, {nest ? MutexKind::nest_lock : MutexKind::lock, l}, step, pc);
  }
  void mutex(unsigned thread, Mutex m, MutexStep step, Address pc) {
    checker.on(MutexEvent{ThreadId{thread}, current[thread], m, step, 0, pc});
  }
  void access(unsigned thread, Address a, access::Kind kind, Address pc, std::size_t size = 8) {
    access::check(checker.thread(ThreadId{thread}), a, size, kind, pc);
  }
  void write(unsigned thread, Address a, Address pc) { access(thread, a, access::Kind::write, pc); }
  void read(unsigned thread, Address a, Address pc) { access(thread, a, access::Kind::read, pc); }

  /// The places of all data races found so far, each pair sorted.
  Pairs races() const {
    Pairs result;
    for (const Finding& f : recorder.findings)
      if (f.rule == Rule::data_race)
        result.insert(std::minmax(f.accesses[0].stack.front(), f.accesses[1].stack.front()));
    return result;
  }

  /// How many findings of a rule there are.
  std::ptrdiff_t count(Rule rule) const {
    return std::count_if(recorder.findings.begin(), recorder.findings.end(),
                         [&](const Finding& f) { return f.rule == rule; });
  }

  Recorder recorder;
  Checker checker;
  TaskId root;
  std::map<unsigned, TaskId> current;
  bool gomp = false;               ///< teams begin by entry points of gcc's
  bool own_values_are_told = true; ///< of the regions to come

private:
  TaskId fresh_task() { return TaskId{++tasks}; }
  std::uint32_t tasks = 0, teams = 0;
  std::map<TeamId, TaskId> outer;
  std::map<TeamId, std::vector<std::pair<unsigned, TaskId>>> members;
  std::map<TaskId, TaskId> interrupted;
};

} // namespace fletcher::test
