// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule lock-order-cycle, and what dependence-cycle predicts, against their definitions: random teams and tasks that
// take locks in random orders and hold them in waits, and a search through all of it in the task graph.
// FLETCHER_PROPERTY_SCALE multiplies the programs.
#include "random.hpp"

#include "checker/checker.hpp"
#include "checker/graph/graph_builder.hpp"
#include "checker/graph/reachability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

namespace fletcher::property {
namespace {

constexpr unsigned members = 3, locks = 4;
constexpr Address sets = 0x5000, first_lock = 0x6000;

class Findings final : public FindingSink {
public:
  void found(std::uint64_t, Finding finding) override { all.push_back(std::move(finding)); }
  void again(std::uint64_t) override {}
  std::vector<Finding> all;
};

/// A wait for a lock by somebody who holds others, by the letter, or by somebody for whom the holder waits.
struct Wait {
  Address pc;
  graph::Vertex strand;
  Address wanted;
  std::set<Address> held; ///< mutexinoutset items among them
  graph::Vertex begin;    ///< what comes before this is over: of the holder's wait, else the strand
};

/// A lock, or a mutexinoutset item, that somebody waited for and got.
struct Taking {
  Address pc;
  graph::Vertex strand;
  Address lock;
  TaskId task;
};

/// A taskwait or barrier of somebody who holds a lock.
struct HeldWait {
  Address pc;
  bool taskwait;
  graph::Vertex before, after;
  Address lock;
  TaskId task;
};

/// One region. What takes locks runs without interruption, so no program hangs in its own run.
class LockProgram {
public:
  explicit LockProgram(std::uint64_t seed)
      : random_(seed), checker_({.accesses = seed % 2 == 0, .address_bits = 24}, findings_) {
    tell(ThreadBegin{ThreadId{1}});
    tell(InitialTaskBegin{ThreadId{1}, root_, TaskKind::initial});
    tell(ParallelBegin{ThreadId{1}, root_, team_, members, false, 0x9000});
    for (unsigned i = 0; i < members; ++i) {
      tasks_.push_back({TaskId{i + 2}, {}, {}});
      tell(ImplicitTaskBegin{ThreadId{i + 1}, team_, TaskId{i + 2}, i, members});
    }
    last_task_ = members + 1;
    for (int steps = 0; steps < 14; ++steps) step();
    while (!pending_.empty()) run_pending(random_.below(members) + 1);
    sync(SyncKind::barrier_parallel, false);
    tell(SyncEnd{ThreadId{1}, TaskId{2}, team_, SyncKind::barrier_parallel, 0});
    tell(ImplicitTaskEnd{ThreadId{1}, team_, TaskId{2}});
    tell(ParallelEnd{ThreadId{1}, root_, team_, 0});
  }

  const std::vector<Finding>& findings() const { return findings_.all; }
  const std::vector<Wait>& waits() const { return waits_; }
  const std::vector<Taking>& takings() const { return takings_; }
  const std::vector<HeldWait>& held_waits() const { return held_waits_; }
  /// The thread that waits in `waiter` may start the task that is at work in `task`, as far as their kinship goes.
  bool may_be_started_by(TaskId waiter, TaskId task) const {
    while (undeferred_.contains(task)) task = creator_.at(task);
    const auto deferred = creator_.find(task);
    for (auto at = deferred; at != creator_.end(); at = creator_.find(at->second))
      if (at->second == waiter) return true;
    return false;
  }
  const graph::TaskGraph& graph() const { return builder_.graph(); }
  std::string text() const { return text_.str(); }

private:
  struct Task {
    TaskId id;
    std::optional<Dependence> depend;
    std::vector<Address> around; ///< held while it runs
  };

  template <class Event> void tell(const Event& event) {
    static_cast<Listener&>(builder_).on(event);
    checker_.on(event);
  }

  void step() {
    const unsigned thread = random_.below(members) + 1;
    Task& member = tasks_[thread - 1];
    switch (random_.below(8)) {
    case 0:
    case 1:
      return create(thread, member.id, random_.percent(50));
    case 2:
      if (!pending_.empty()) run_pending(thread);
      return;
    case 3:
      while (const auto child = pending_child_of(member.id)) run(thread, member.id, *child);
      return hold_in_wait(thread, member.id, true, [&](Address pc) {
        text_ << "[" << thread << "] taskwait // " << pc << "\n";
        tell(SyncBegin{ThreadId{thread}, member.id, team_, SyncKind::taskwait, pc});
        tell(SyncEnd{ThreadId{thread}, member.id, team_, SyncKind::taskwait, pc});
      });
    case 4:
      if (random_.percent(60)) return;
      while (!pending_.empty()) run_pending(thread);
      return hold_in_wait(thread, member.id, false, [&](Address pc) {
        text_ << "barrier // " << pc << "\n";
        sync(SyncKind::barrier_explicit, true, pc);
      });
    default:
      return take_locks(thread, member.id, {});
    }
  }

  /// `wait` is told the place that it gets.
  template <class F> void hold_in_wait(unsigned thread, TaskId task, bool taskwait, F wait) {
    const Address lock = first_lock + Address{random_.below(locks)} * 8;
    const bool holds = random_.percent(50);
    MutexEvent event{ThreadId{thread}, task, {MutexKind::lock, lock}, MutexStep::acquiring, 0, ++last_pc_};
    const Address pc = ++last_pc_;
    if (!holds) return wait(pc);
    text_ << "[" << thread << "] holds " << lock << " // " << last_pc_ << "\n";
    tell(event);
    takings_.push_back({event.pc, *builder_.strand(task), lock, task});
    event.step = MutexStep::acquired;
    tell(event);
    const graph::Vertex before = *builder_.strand(task);
    wait(pc);
    held_waits_.push_back({pc, taskwait, before, *builder_.strand(task), lock, task});
    event.step = MutexStep::released;
    tell(event);
  }

  void sync(SyncKind kind, bool leave, Address pc = 0) {
    for (unsigned i = 0; i < members; ++i) tell(SyncBegin{ThreadId{i + 1}, tasks_[i].id, team_, kind, pc});
    for (unsigned i = 0; leave && i < members; ++i) tell(SyncEnd{ThreadId{i + 1}, tasks_[i].id, team_, kind});
  }

  void create(unsigned thread, TaskId creator, bool with_dependence) {
    Task task{TaskId{++last_task_}, {}, {}};
    text_ << "[" << thread << "] task " << number(creator) << " creates task " << last_task_;
    tell(TaskCreate{ThreadId{thread}, creator, task.id, TaskKind::explicit_, {}, 0x8000 + last_task_});
    if (with_dependence) {
      constexpr DependenceType types[]{DependenceType::in, DependenceType::inout, DependenceType::mutexinoutset};
      task.depend = Dependence{sets + random_.below(2) * 8, types[random_.below(3)], false};
      tell(TaskDependences{ThreadId{thread}, task.id, {&*task.depend, 1}});
      text_ << " depend " << static_cast<int>(task.depend->type) << " " << task.depend->address;
      // A name that only siblings share.
      if (task.depend->type == DependenceType::mutexinoutset)
        task.around.push_back(task.depend->address + (Address{number(creator)} << 32));
    }
    text_ << "\n";
    creator_[task.id] = creator;
    pending_.push_back(task);
  }

  /// In the order of creation, so that predecessors come first.
  std::optional<Task> pending_child_of(TaskId creator) {
    const auto at =
        std::find_if(pending_.begin(), pending_.end(), [&](const Task& t) { return creator_[t.id] == creator; });
    return at == pending_.end() ? std::nullopt : std::optional(*at);
  }
  void run_pending(unsigned thread) {
    const TaskId creator = creator_[pending_[random_.below(pending_.size())].id];
    run(thread, tasks_[thread - 1].id, *pending_child_of(creator));
  }
  void run(unsigned thread, TaskId prior, const Task& task) {
    std::erase_if(pending_, [&](const Task& t) { return t.id == task.id; });
    text_ << "[" << thread << "] runs task " << number(task.id) << "\n";
    tell(TaskSwitch{ThreadId{thread}, prior, task.id});
    for (const Address item : task.around)
      takings_.push_back({0x8000 + number(task.id), *builder_.strand(task.id), item, task.id});
    if (random_.percent(20)) create(thread, task.id, false);
    take_locks(thread, task.id, task.around);
    if (random_.percent(20)) create(thread, task.id, false);
    tell(TaskEnd{.thread = ThreadId{thread}, .task = task.id, .next = prior});
  }

  void take_locks(unsigned thread, TaskId task, std::vector<Address> held) {
    if (held.size() > 2) return;
    const Address lock = first_lock + Address{random_.below(locks)} * 8;
    if (std::find(held.begin(), held.end(), lock) != held.end()) return;
    MutexEvent event{ThreadId{thread}, task, {MutexKind::lock, lock}, MutexStep::acquiring, 0, ++last_pc_};
    const bool waits = random_.percent(85);
    if (!waits) event.step = MutexStep::testing;
    tell(event);
    text_ << "[" << thread << "] " << (waits ? "sets " : "tests ") << lock << " // " << last_pc_ << "\n";
    const graph::Vertex strand = *builder_.strand(task);
    if (waits && !held.empty()) waits_.push_back({last_pc_, strand, lock, {held.begin(), held.end()}, strand});
    if (waits) takings_.push_back({last_pc_, *builder_.strand(task), lock, task});
    event.step = MutexStep::acquired;
    tell(event);
    held.push_back(lock);
    if (random_.percent(25)) {
      Task child{TaskId{++last_task_}, {}, {}};
      text_ << "[" << thread << "] undeferred task " << last_task_ << "\n";
      tell(TaskCreate{ThreadId{thread}, task, child.id, TaskKind::explicit_, {.undeferred = true}, 0x8000});
      creator_[child.id] = task;
      undeferred_.insert(child.id);
      tell(TaskSwitch{ThreadId{thread}, task, child.id});
      take_locks(thread, child.id, held);
      tell(TaskEnd{.thread = ThreadId{thread}, .task = child.id, .next = task});
    } else {
      take_locks(thread, task, held);
    }
    event.step = MutexStep::released;
    tell(event);
    text_ << "[" << thread << "] unsets " << lock << "\n";
  }

  Random random_;
  graph::GraphBuilder builder_;
  Findings findings_;
  Checker checker_;
  std::vector<Wait> waits_;
  std::vector<Taking> takings_;
  std::vector<HeldWait> held_waits_;
  std::vector<Task> tasks_, pending_;
  std::map<TaskId, TaskId> creator_;
  std::set<TaskId> undeferred_;
  std::ostringstream text_;
  TaskId root_{1};
  TeamId team_{1};
  std::uint32_t last_task_ = 0;
  Address last_pc_ = 100;
};

class Definition {
public:
  explicit Definition(const LockProgram& run) : run_(run), waits_(run.waits()), order_(run.graph()) {
    for (const HeldWait& wait : run.held_waits())
      for (const Taking& taking : run.takings())
        if (wait.lock != taking.lock && is_for(wait, taking))
          waits_.push_back({taking.pc, taking.strand, taking.lock, {wait.lock}, wait.before});
  }

  /// The wait ends after somebody else's taking of a lock, which could as well come after its begin.
  bool is_for(const HeldWait& wait, const Taking& taking) const {
    return wait.task != taking.task && order_.reaches(taking.strand, wait.after) &&
           !order_.reaches(taking.strand, wait.before);
  }
  bool waits_for(const HeldWait& wait, const Taking& taking) const {
    return wait.lock == taking.lock && is_for(wait, taking);
  }
  /// The taking could be in the wait.
  bool may_be_within(const HeldWait& wait, const Taking& taking) const {
    return wait.taskwait && wait.lock == taking.lock && run_.may_be_started_by(wait.task, taking.task) &&
           !order_.reaches(taking.strand, wait.before) && !order_.reaches(wait.before, taking.strand);
  }

  /// In some order each wait is for a lock that the next one holds, and all could be at once.
  bool cycle(std::vector<const Wait*> waits) const {
    for (const Wait* a : waits)
      for (const Wait* b : waits)
        if (a != b && !together(*a, *b)) return false;
    std::sort(waits.begin(), waits.end());
    do {
      bool closed = true;
      for (std::size_t i = 0; i < waits.size(); ++i)
        closed = closed && waits[(i + 1) % waits.size()]->held.contains(waits[i]->wanted);
      if (closed) return true;
    } while (std::next_permutation(waits.begin(), waits.end()));
    return false;
  }
  std::vector<std::vector<const Wait*>> all() const {
    std::vector<std::vector<const Wait*>> result;
    for (const Wait& a : waits_)
      for (const Wait& b : waits_) {
        if (&a < &b && cycle({&a, &b})) result.push_back({&a, &b});
        for (const Wait& c : waits_)
          if (&a < &b && &b < &c && cycle({&a, &b, &c})) result.push_back({&a, &b, &c});
      }
    // Whom a task comes after that somebody waits for is waited for as well: that is the circle to tell.
    std::erase_if(result, [&](const std::vector<const Wait*>& circle) {
      return std::any_of(circle.begin(), circle.end(), [&](const Wait* a) {
        return std::any_of(circle.begin(), circle.end(),
                           [&](const Wait* b) { return a != b && order_.reaches(a->strand, b->strand); });
      });
    });
    return result;
  }
  /// There is a cycle of waits at these places.
  bool cycle_at(const std::vector<Address>& places, std::vector<const Wait*> found = {}) const {
    if (found.size() == places.size()) return cycle(found);
    found.push_back(nullptr);
    return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& w) {
      found.back() = &w;
      return w.pc == places[found.size() - 1] && cycle_at(places, found);
    });
  }

private:
  bool together(const Wait& a, const Wait& b) const {
    return !order_.reaches(a.strand, b.begin) && !order_.reaches(b.strand, a.begin) &&
           std::none_of(a.held.begin(), a.held.end(), [&](Address lock) { return b.held.contains(lock); });
  }
  const LockProgram& run_;
  std::vector<Wait> waits_;
  graph::Reachability order_;
};

TEST(LockOrderAgainstItsDefinition, RandomPrograms) {
  const char* scale = std::getenv("FLETCHER_PROPERTY_SCALE");
  const std::uint64_t count = 3000 * (scale != nullptr ? std::strtoull(scale, nullptr, 10) : 1);
  std::size_t cycles = 0;
  for (std::uint64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
    const LockProgram run(seed);
    const Definition definition(run);
    std::set<Address> reported;
    for (const Finding& f : run.findings()) {
      if (f.rule != Rule::lock_order_cycle) continue;
      std::vector<Address> places;
      for (std::size_t i = 0; i < f.steps.size(); i += 2) places.push_back(f.steps[i].stack.front());
      reported.insert(places.begin(), places.end());
      EXPECT_TRUE(definition.cycle_at(places))
          << "false alarm at " << places.front() << " and " << places.back() << ", seed " << seed << "\n"
          << run.text();
    }
    for (const auto& cycle : definition.all()) {
      ++cycles;
      // A place that was reported once is not reported again.
      const bool told =
          std::any_of(cycle.begin(), cycle.end(), [&](const Wait* w) { return reported.contains(w->pc); });
      EXPECT_TRUE(told) << "missed: " << cycle.front()->pc << " and " << cycle.back()->pc << ", seed " << seed << "\n"
                        << run.text();
    }
  }
  EXPECT_GT(cycles, count / 10); // the programs are worth looking at
}

TEST(HeldWaitAgainstItsDefinition, RandomPrograms) {
  const char* scale = std::getenv("FLETCHER_PROPERTY_SCALE");
  const std::uint64_t count = 3000 * (scale != nullptr ? std::strtoull(scale, nullptr, 10) : 1);
  std::size_t dangers = 0;
  for (std::uint64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
    const LockProgram run(seed);
    const Definition definition(run);
    std::set<std::pair<Address, Address>> reported;
    for (const Finding& f : run.findings())
      if (f.rule == Rule::dependence_cycle) reported.emplace(f.steps.at(0).stack.front(), f.steps.at(2).stack.front());
    for (const HeldWait& wait : run.held_waits())
      for (const Taking& taking : run.takings()) {
        const bool told = reported.erase({wait.pc, taking.pc}) != 0;
        const bool true_one = definition.waits_for(wait, taking) || definition.may_be_within(wait, taking);
        dangers += true_one ? 1 : 0;
        EXPECT_TRUE(!told || true_one) << "false alarm at " << wait.pc << " and " << taking.pc << ", seed " << seed
                                       << "\n"
                                       << run.text();
        // Of a task's takings before the wait the last one is reported.
        const bool last = std::none_of(run.takings().begin(), run.takings().end(), [&](const Taking& later) {
          return later.pc > taking.pc && later.pc < wait.pc && later.task == taking.task && later.lock == taking.lock;
        });
        EXPECT_TRUE(told || !true_one || !last)
            << "missed: " << wait.pc << " and " << taking.pc << ", seed " << seed << "\n"
            << run.text();
      }
    EXPECT_TRUE(reported.empty()) << "seed " << seed;
  }
  EXPECT_GT(dangers, count / 10);
}

} // namespace
} // namespace fletcher::property
