// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, critical, atomic and ordered regions: lock_init, lock_destroy, mutex_acquire, mutex_acquired, mutex_released,
// nest_lock. `released` arrives after the lock is really free: the next owner may have reported `acquired` before. So
// what is seen of the call itself is reported before it (lib/interpose/openmp/omp_locks.cpp).

#include "lib/ompt/local.hpp"
#include "lib/ompt/quirks/gathering.hpp"
#include "lib/ompt/quirks/lock_call.hpp"
#include "lib/ompt/unwind.hpp"
#include "lib/tool/watcher.hpp"

#include <array>

namespace fletcher::ompt {

namespace {

MutexKind mutex_kind(ompt_mutex_t kind) noexcept {
  switch (kind) {
  case ompt_mutex_lock:
  case ompt_mutex_test_lock:
    return MutexKind::lock;
  case ompt_mutex_nest_lock:
  case ompt_mutex_test_nest_lock:
    return MutexKind::nest_lock;
  case ompt_mutex_critical:
    return MutexKind::critical;
  case ompt_mutex_atomic:
    return MutexKind::atomic;
  case ompt_mutex_ordered:
    return MutexKind::ordered;
  }
  return MutexKind::lock;
}

bool is_test(ompt_mutex_t kind) noexcept { return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock; }

/// Of a call that no interposer has seen, the runtime's word; but what it left behind of the region's begin is none.
Address place(const Entered& at, MutexKind kind, Address lock, const void* codeptr_ra) noexcept {
  const bool of_construct = kind == MutexKind::critical || kind == MutexKind::atomic || kind == MutexKind::ordered;
  if (lock_call.lock == (of_construct ? LockCall::of_construct : lock)) return lock_call.pc;
  const Address pc = code(codeptr_ra);
  return at.here().frame != nullptr && pc == at.here().frame->pc ? 0 : pc;
}

void tell(MutexKind kind, MutexStep step, unsigned hint, ompt_wait_id_t wait_id, const void* codeptr_ra,
          const StackFrame* frame = nullptr) {
  const Entered at;
  const auto address = static_cast<Address>(wait_id);
  listener->on(MutexEvent{at.thread(),
                          at.task(),
                          {kind, address},
                          step,
                          hint,
                          place(at, kind, address, codeptr_ra),
                          lock_call.lock == address && lock_call.told,
                          frame});
  if (step != MutexStep::acquiring && step != MutexStep::testing) lock_call = {}; // the last event of a call
}

void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  const MutexKind lock = mutex_kind(kind);
  initialised(reinterpret_cast<const void*>(wait_id));
  const StackFrame frame = frame_around(static_cast<Address>(wait_id));
  tell(lock, lock == MutexKind::nest_lock ? MutexStep::init_nest : MutexStep::init, hint, wait_id, codeptr_ra,
       frame.call.known() ? &frame : nullptr);
}

void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  const MutexKind lock = mutex_kind(kind);
  tell(lock, lock == MutexKind::nest_lock ? MutexStep::destroy_nest : MutexStep::destroy, 0, wait_id, codeptr_ra);
}

void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  tool::watch();
  tell(mutex_kind(kind), is_test(kind) ? MutexStep::testing : MutexStep::acquiring, hint, wait_id, codeptr_ra);
}

/// Of a critical construct by which copies of a reduction are combined: it is an atomic construct, too.
void tell_update(ompt_mutex_t kind, MutexStep step, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  if (kind == ompt_mutex_critical && gathering.updates != nullptr && gathering.updates == local.frame)
    tell(MutexKind::atomic, step, 0, wait_id, codeptr_ra);
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  if (kind == ompt_mutex_critical) last_critical = gathering.updates == nullptr ? static_cast<Address>(wait_id) : 0;
  tell(mutex_kind(kind), MutexStep::acquired, 0, wait_id, codeptr_ra);
  tell_update(kind, MutexStep::acquired, wait_id, codeptr_ra);
}

void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  tell_update(kind, MutexStep::released, wait_id, codeptr_ra);
  tell(mutex_kind(kind), MutexStep::released, 0, wait_id, codeptr_ra);
}

void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void* codeptr_ra) {
  tell(MutexKind::nest_lock, endpoint == ompt_scope_begin ? MutexStep::nested : MutexStep::unnested, 0, wait_id,
       codeptr_ra);
}

} // namespace

std::span<const Callback> mutex_callbacks() {
  static const std::array list{
      Callback{ompt_callback_lock_init, as_callback<ompt_callback_mutex_acquire_t>(on_lock_init), "lock_init"},
      Callback{ompt_callback_lock_destroy, as_callback<ompt_callback_mutex_t>(on_lock_destroy), "lock_destroy"},
      Callback{ompt_callback_mutex_acquire, as_callback<ompt_callback_mutex_acquire_t>(on_mutex_acquire),
               "mutex_acquire"},
      Callback{ompt_callback_mutex_acquired, as_callback<ompt_callback_mutex_t>(on_mutex_acquired), "mutex_acquired"},
      Callback{ompt_callback_mutex_released, as_callback<ompt_callback_mutex_t>(on_mutex_released), "mutex_released"},
      Callback{ompt_callback_nest_lock, as_callback<ompt_callback_nest_lock_t>(on_nest_lock), "nest_lock"},
  };
  return list;
}

} // namespace fletcher::ompt
