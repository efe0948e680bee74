// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's lock routines, and gcc's entry points of critical, atomic and ordered: where the program calls them, which
// the runtime's events do not always tell.

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/lock_call.hpp"
#include "lib/tool/session.hpp"

#include <cstring>
#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void(void*)> real_init{"omp_init_lock"}, real_set{"omp_set_lock"}, real_unset{"omp_unset_lock"},
    real_destroy{"omp_destroy_lock"}, real_set_nest{"omp_set_nest_lock"}, real_unset_nest{"omp_unset_nest_lock"},
    real_destroy_nest{"omp_destroy_nest_lock"};
constinit Real<void()> real_critical{"GOMP_critical_start"}, real_end_unnamed{"GOMP_critical_end"},
    real_atomic{"GOMP_atomic_start"}, real_ordered{"GOMP_ordered_start"};
constinit Real<void(void*, std::int32_t, void*)> real_end_critical{"__kmpc_end_critical"};
constinit Real<void(void**)> real_named_critical{"GOMP_critical_name_start"}, real_end_named{"GOMP_critical_name_end"};
constinit Real<int(void*)> real_test{"omp_test_lock"}, real_test_nest{"omp_test_nest_lock"};

/// Not in libgomp's threads, which have tasks, too, where accesses are checked: of its locks nothing was reported
/// before.
bool in_followed_task() noexcept {
  tool::Session* const the = tool::session();
  return the != nullptr && the->runtime_started.load(std::memory_order_relaxed) &&
         tool::where().task != TaskId::none; // level graph has no thread state, but tasks
}

constinit memory::SpinLock initialising{};

/// Zeros are a free lock to libgomp, and LLVM's runtime aborts. Where it runs in place of libgomp, with locks in their
/// variables as there, a program goes on as it would without this library.
void initialise_zeros(void* lock) noexcept {
  const memory::SpinGuard guard(initialising);
  ompt::LockNumber number = 0;
  std::memcpy(&number, lock, sizeof number);
  if (number == 0) real_init(lock);
}

/// The use of a lock that was not initialised makes the runtime abort, crash, or take another lock for it, and it tells
/// nothing before.
[[gnu::noinline]] void suspicious(void* lock, MutexKind kind, Address pc) {
  if (!in_followed_task()) return;
  mutex(lock, MutexStep::calling, pc, kind);
  if (kind == MutexKind::lock && ompt::in_variables.load(std::memory_order_relaxed)) initialise_zeros(lock);
}

/// Before a tail call of the runtime's function: its events follow on this thread.
[[gnu::always_inline]] inline void called(void* lock, MutexKind kind, Address pc) noexcept {
  ompt::lock_call = {reinterpret_cast<Address>(lock), pc, false};
  if (!ompt::looks_initialised(lock)) suspicious(lock, kind, pc);
}

[[gnu::always_inline]] inline void called_construct(Address pc) noexcept {
  ompt::lock_call = {ompt::LockCall::of_construct, pc, false};
}

/// The unset of a lock that is not set makes the runtime abort, and it tells nothing before.
[[gnu::noinline]] void unsets(void* lock, MutexKind kind, Address pc) {
  if (!in_followed_task()) return;
  mutex(lock, MutexStep::releasing, pc, kind);
  ompt::lock_call.told = true;
}

/// A critical construct ends: `last`, the one that was entered last, as far as the caller can tell. The runtime tells
/// of the end after the lock is free, and its next holder would wait for that. They are nested: which one ends next
/// is not known before the next one begins.
void ends_critical(bool last, Address pc) {
  const Address lock = std::exchange(ompt::last_critical, 0);
  if (!last || lock == 0 || tool::where().task == TaskId::none) return;
  raise(MutexEvent{tool::where().thread, tool::where().task, {MutexKind::critical, lock}, MutexStep::releasing, 0, pc});
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __kmpc_end_critical(void* place, std::int32_t thread, void* variable) {
  ends_critical(ompt::is_last_critical(variable), caller());
  real_end_critical(place, thread, variable);
}

// gcc's; clang's calls tell their own places.
void GOMP_critical_start() {
  called_construct(caller());
  real_critical();
}
void GOMP_critical_name_start(void** name) {
  called_construct(caller());
  real_named_critical(name);
}
void GOMP_critical_end() {
  ends_critical(true, caller());
  real_end_unnamed();
}
void GOMP_critical_name_end(void** name) {
  ends_critical(ompt::is_last_critical(name), caller());
  real_end_named(name);
}
void GOMP_atomic_start() {
  called_construct(caller());
  real_atomic();
}
void GOMP_ordered_start() {
  called_construct(caller());
  real_ordered();
}

void omp_set_lock(void* lock) {
  called(lock, MutexKind::lock, caller());
  real_set(lock);
}
int omp_test_lock(void* lock) {
  called(lock, MutexKind::lock, caller());
  return real_test(lock);
}
void omp_unset_lock(void* lock) {
  called(lock, MutexKind::lock, caller());
  unsets(lock, MutexKind::lock, caller());
  real_unset(lock);
}
void omp_destroy_lock(void* lock) {
  called(lock, MutexKind::lock, caller());
  real_destroy(lock);
}
void omp_set_nest_lock(void* lock) {
  called(lock, MutexKind::nest_lock, caller());
  real_set_nest(lock);
}
int omp_test_nest_lock(void* lock) {
  called(lock, MutexKind::nest_lock, caller());
  return real_test_nest(lock);
}
void omp_unset_nest_lock(void* lock) {
  called(lock, MutexKind::nest_lock, caller());
  unsets(lock, MutexKind::nest_lock, caller());
  real_unset_nest(lock);
}
void omp_destroy_nest_lock(void* lock) {
  called(lock, MutexKind::nest_lock, caller());
  real_destroy_nest(lock);
}

} // extern "C"
#pragma GCC visibility pop
