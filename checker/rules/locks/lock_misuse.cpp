// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/locks/lock_misuse.hpp"

#include "checker/rules/describe.hpp"

#include <cstddef>
#include <utility>

namespace fletcher::rules {

namespace {
bool is_omp_lock(const Mutex& mutex) { return mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock; }
} // namespace

void LockMisuse::before(access::ThreadState& thread, const MutexEvent& e) {
  constructs::Task* const task = thread.task;
  if (task == nullptr || !is_omp_lock(e.mutex)) return;
  const std::uint64_t key = constructs::Execution::mutex_key(e.mutex, *task);
  switch (e.step) {
  case MutexStep::init:
  case MutexStep::init_nest:
    return begin_life(thread, e);
  case MutexStep::acquiring:
    if (e.mutex.kind == MutexKind::lock && find_held(task->now().held, key) != nullptr)
      if (const constructs::Holder owner = execution_.holder_of(key); owner.task == task->id)
        return report(thread, e, "{task} sets {lock}, which it holds already: it waits for itself forever",
                      "unset the lock before it is set again, or make it a nestable lock (omp_nest_lock_t)",
                      {"it set the lock here", owner.acquired});
    return check_life(thread, e);
  case MutexStep::calling:
  case MutexStep::testing:
    return check_life(thread, e);
  case MutexStep::releasing:
  case MutexStep::released:
  case MutexStep::unnested:
    if (!e.announced && find_held(task->now().held, key) == nullptr) check_unset(thread, e, key);
    return;
  case MutexStep::destroy:
  case MutexStep::destroy_nest: {
    const std::optional<LockLife> before =
        remember(e.mutex.address, {.over = true, .place = execution_.place(thread, e.pc)});
    if (const constructs::Holder owner = execution_.holder_of(key); owner.task != TaskId::none)
      report(thread, e, "{lock} is destroyed while it is set", "unset the lock before it is destroyed",
             {"it was set here", owner.acquired});
    else
      judge(thread, e, before);
    return;
  }
  case MutexStep::acquired:
  case MutexStep::nested:
    return;
  }
}

void LockMisuse::check_unset(access::ThreadState& thread, const MutexEvent& e, std::uint64_t key) {
  const constructs::Holder owner = execution_.holder_of(key);
  if (owner.task != TaskId::none)
    return report(
        thread, e, "{task} unsets {lock}, which another task has set: only the task that set a lock owns it",
        "unset the lock in the task that set it; to hand work to another task, use a dependence or an atomic flag",
        {"the other task set it here", owner.acquired});
  report(thread, e, "{task} unsets {lock}, which is not set", "set the lock first, or remove this call", {});
}

std::optional<LockLife> LockMisuse::remember(Address address, const LockLife& life) {
  const auto [kept, before] = lives_.remember(address, life, [&] {
    if (in_order_ && in_order(address).load(std::memory_order_relaxed) != 0)
      in_order(address).store(0, std::memory_order_relaxed);
  });
  if (!kept) complete_.store(false, std::memory_order_relaxed);
  return before;
}

// Memory that comes to be something else may be initialised without its end as a lock: nothing tells the two apart.
void LockMisuse::begin_life(access::ThreadState& thread, const MutexEvent& e) {
  const ContextId place = execution_.place(thread, e.pc);
  const std::optional<LockLife> before =
      remember(e.mutex.address, {.nestable = e.step == MutexStep::init_nest, .place = place});
  if (before && !before->over && memory_ != nullptr && memory_->is_static(e.mutex.address))
    report(thread, e, "{lock} is initialised again, and was not destroyed before",
           "initialise the lock once, before the parallel region or in a single construct",
           {"it was initialised here", before->place});
}

void LockMisuse::check_life(access::ThreadState& thread, const MutexEvent& e) {
  if (is_in_order(e.mutex)) return;
  judge(thread, e, lives_.find(e.mutex.address, [&] {
    if (in_order_) in_order(e.mutex.address).store(use_of(e.mutex), std::memory_order_relaxed);
  }));
}

// A lock that is none, or not one for these routines, is reported once.
void LockMisuse::judge(access::ThreadState& thread, const MutexEvent& e, const std::optional<LockLife>& known) {
  if (known ? !known->over && known->nestable == (e.mutex.kind == MutexKind::nest_lock)
            : !complete_.load(std::memory_order_relaxed))
    return;
  const LockLife life = known.value_or(LockLife{});
  MutexEvent misuse = e;
  if (!life.over && known) misuse.mutex.kind = life.nestable ? MutexKind::nest_lock : MutexKind::lock;
  if (!known)
    report(thread, misuse, "{lock} is used without having been initialised", "initialise the lock before its first use",
           {});
  else if (life.over)
    report(thread, misuse, "{lock} is used after it was destroyed, and was not initialised again",
           "destroy the lock after its last use", {"it was destroyed here", life.place});
  else
    report(thread, misuse,
           life.nestable ? "a routine for simple locks is called with {lock}"
                         : "a routine for nestable locks is called with {lock}",
           life.nestable
               ? "use the routines for nestable locks (omp_set_nest_lock and so on) for this lock"
               : "initialise the lock as a nestable one (omp_init_nest_lock), or use the routines for simple locks",
           {});
}

void LockMisuse::ended(access::ThreadState& thread, constructs::Task& task) {
  const bool with_the_program = task.kind == TaskKind::initial; // then nothing comes to harm any more
  for (std::size_t i = task.now().held.size(); i-- > 0;) {
    const constructs::HeldMutex held = task.now().held.begin()[i];
    if (!is_omp_lock(held.mutex)) continue;
    task.now().held.erase(task.now().held.begin() + i); // reported once
    if (execution_.holder_of(held.key).task != task.id) continue;
    reporter_.report({Rule::lock_misuse, execution_.calls().pc(held.acquired), 0}, [&] {
      Finding f;
      f.rule = Rule::lock_misuse;
      f.severity = with_the_program ? Severity::warning : Severity::error;
      f.message = "{task} sets {lock} here and ends without unsetting it";
      f.fix = "unset the lock on every way out of the code that sets it";
      if (!with_the_program) f.message += ": no other task may unset it";
      if (held.depth > 1) f.message += " (it is set " + std::to_string(held.depth) + " times)";
      f.steps.push_back(
          {"", execution_.calls().stack(held.acquired), held.mutex, lineage(execution_, record_of(thread, task))});
      return f;
    });
  }
}

void LockMisuse::report(access::ThreadState& thread, const MutexEvent& e, const char* message, const char* fix,
                        Earlier earlier) {
  const ContextId place = execution_.place(thread, e.pc);
  const access::CallTree& calls = execution_.calls();
  reporter_.report({Rule::lock_misuse, calls.pc(place), calls.pc(earlier.place)}, [&] {
    Finding f;
    f.rule = Rule::lock_misuse;
    f.message = message;
    f.fix = fix;
    f.steps.push_back({"", calls.stack(place), e.mutex, lineage(execution_, record_of(thread, *thread.task))});
    if (earlier.place != ContextId::none) f.steps.push_back({earlier.message, calls.stack(earlier.place)});
    return f;
  });
}

} // namespace fletcher::rules
