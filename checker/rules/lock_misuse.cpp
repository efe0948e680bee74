// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/lock_misuse.hpp"

#include "checker/rules/describe.hpp"

#include <cstddef>

namespace fletcher::rules {

namespace {
constexpr std::size_t most_remembered = 1u << 14;
bool is_omp_lock(const Mutex& mutex) { return mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock; }
} // namespace

void LockMisuse::before(access::ThreadState& thread, const MutexEvent& e) {
  constructs::Task* const task = thread.task;
  if (task == nullptr || !is_omp_lock(e.mutex)) return;
  const std::uint64_t key = constructs::Execution::mutex_key(e.mutex, *task);
  switch (e.step) {
  case MutexStep::init:
  case MutexStep::init_nest:
    return begin_life(e);
  case MutexStep::acquiring:
    if (e.mutex.kind == MutexKind::lock && find_held(task->now().held, key) != nullptr)
      if (const constructs::Holder owner = execution_.holder_of(key); owner.task == task->id)
        return report(thread, e, "{task} sets {lock}, which it holds already: it waits for itself for ever",
                      {"it set the lock here", owner.acquired});
    return check_life(thread, e);
  case MutexStep::testing:
    return check_life(thread, e);
  case MutexStep::releasing:
  case MutexStep::released:
  case MutexStep::unnested:
    if (!e.announced && find_held(task->now().held, key) == nullptr) check_unset(thread, e, key);
    return;
  case MutexStep::destroy:
  case MutexStep::destroy_nest:
    if (const constructs::Holder owner = execution_.holder_of(key); owner.task != TaskId::none)
      report(thread, e, "{lock} is destroyed while it is set", {"it was set here", owner.acquired});
    else
      check_life(thread, e);
    return end_life(e, execution_.place(thread, e.pc));
  case MutexStep::acquired:
  case MutexStep::nested:
    return;
  }
}

void LockMisuse::check_unset(access::ThreadState& thread, const MutexEvent& e, std::uint64_t key) {
  const constructs::Holder owner = execution_.holder_of(key);
  if (owner.task != TaskId::none)
    return report(thread, e, "{task} unsets {lock}, which another task has set: only the task that set a lock owns it",
                  {"the other task set it here", owner.acquired});
  report(thread, e, "{task} unsets {lock}, which is not set", {});
}

void LockMisuse::begin_life(const MutexEvent& e) {
  const bool nestable = e.step == MutexStep::init_nest;
  if (!nestable && remembered_.load(std::memory_order_relaxed) == 0) return;
  const memory::SpinGuard guard(lock_);
  destroyed_.erase(e.mutex.address);
  nestable_.erase(e.mutex.address);
  if (nestable && nestable_.size() < most_remembered) nestable_.insert(e.mutex.address);
  remembered_ = destroyed_.size() + nestable_.size();
}

void LockMisuse::end_life(const MutexEvent& e, ContextId place) {
  const memory::SpinGuard guard(lock_);
  nestable_.erase(e.mutex.address);
  if (destroyed_.size() == most_remembered) destroyed_.clear();
  destroyed_[e.mutex.address] = place;
  remembered_ = destroyed_.size() + nestable_.size();
}

void LockMisuse::check_life(access::ThreadState& thread, const MutexEvent& e) {
  if (remembered_.load(std::memory_order_relaxed) == 0) return;
  bool nestable = false, destroyed = false;
  ContextId end = ContextId::none;
  {
    const memory::SpinGuard guard(lock_);
    nestable = nestable_.contains(e.mutex.address);
    if (const auto at = destroyed_.find(e.mutex.address); at != destroyed_.end()) destroyed = true, end = at->second;
  }
  if (destroyed)
    report(thread, e, "{lock} is used after it was destroyed, and was not initialised again",
           {"it was destroyed here", end});
  else if (nestable && e.mutex.kind == MutexKind::lock)
    report(thread, e, "{lock} is a nestable lock, but the routine is for simple locks", {});
}

void LockMisuse::ended(access::ThreadState& thread, constructs::Task& task) {
  for (std::size_t i = task.now().held.size(); i-- > 0;) {
    const constructs::HeldMutex held = task.now().held.begin()[i];
    if (!is_omp_lock(held.mutex)) continue;
    task.now().held.erase(task.now().held.begin() + i); // told once
    if (execution_.holder_of(held.key).task != task.id) continue;
    reporter_.report({Rule::lock_misuse, execution_.calls().pc(held.acquired), 0}, [&] {
      Finding f;
      f.rule = Rule::lock_misuse;
      f.message = "{task} sets {lock} here and ends without unsetting it: no other task may unset it";
      if (held.depth > 1) f.message += " (it is set " + std::to_string(held.depth) + " times)";
      f.steps.push_back(
          {"", execution_.calls().stack(held.acquired), held.mutex, lineage(execution_, record_of(thread, task))});
      return f;
    });
  }
}

void LockMisuse::report(access::ThreadState& thread, const MutexEvent& e, const char* message, Earlier earlier) {
  const ContextId place = execution_.place(thread, e.pc);
  const access::CallTree& calls = execution_.calls();
  reporter_.report({Rule::lock_misuse, calls.pc(place), calls.pc(earlier.place)}, [&] {
    Finding f;
    f.rule = Rule::lock_misuse;
    f.message = message;
    f.steps.push_back({"", calls.stack(place), e.mutex, lineage(execution_, record_of(thread, *thread.task))});
    if (earlier.place != ContextId::none) f.steps.push_back({earlier.message, calls.stack(earlier.place)});
    return f;
  });
}

} // namespace fletcher::rules
