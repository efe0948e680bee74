// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program calls a lock routine, and whether what it passes looks like a lock. The runtime keeps one return
// address for each thread, and its GOMP_ entry points leave theirs behind, so that the next lock routine's events carry
// the place of the region; interposed routines know better.
#pragma once

#include "checker/ids.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace fletcher::ompt {

struct LockCall {
  static constexpr Address of_construct = ~Address{0}; ///< the lock of a critical, atomic or ordered construct

  Address lock = 0;
  Address pc = 0;    ///< where the call returns to
  bool told = false; ///< the listeners know of it (MutexStep::releasing)
};
/// This thread's last call through an interposer.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local LockCall lock_call{};

/// What the runtime calls the lock of the critical construct that this thread entered last; 0 where one has ended
/// since.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Address last_critical = 0;

/// The variable that a critical construct passes holds the lock itself, or a pointer to it or to what points to it; for
/// each construct but the one entered last it is left open (false).
inline bool is_last_critical(const void* variable) noexcept {
  if (last_critical == 0) return false;
  const auto at = reinterpret_cast<Address>(variable);
  if (at == last_critical) return true;
  Address inner = 0;
  std::memcpy(&inner, variable, sizeof inner);
  if (inner == last_critical) return true;
  if (inner == 0 || inner % sizeof inner != 0) return false;
  std::memcpy(&inner, reinterpret_cast<const void*>(inner), sizeof inner);
  return inner == last_critical;
}

/// LLVM's runtime keeps in a lock's variable twice the number of its own lock, the first of which is 0. Or the lock
/// itself, of a kind with an odd number (KMP_LOCK_KIND=tas, futex), in the lowest byte.
using LockNumber = std::uint32_t;
/// The highest that a lock had after its initialisation.
inline constinit std::atomic<LockNumber> last_lock{0};
/// Some lock was itself in its variable. All of the process's are then, except for those that nest.
inline constinit std::atomic<bool> in_variables{false};

inline bool is_its_own_lock(LockNumber number) noexcept {
  constexpr LockNumber kind = 0xff, tas = 3, rtm = 9;
  return (number & kind) >= tas && (number & kind) <= rtm && number % 2 != 0;
}

/// Without a look at tables. False also for one that is: the first one.
inline bool looks_initialised(const void* lock) noexcept {
  LockNumber number = 0;
  std::memcpy(&number, lock, sizeof number);
  if (is_its_own_lock(number)) return true;
  return number != 0 && number % 2 == 0 && number <= last_lock.load(std::memory_order_relaxed);
}
inline void initialised(const void* lock) noexcept {
  LockNumber number = 0;
  std::memcpy(&number, lock, sizeof number);
  if (is_its_own_lock(number)) {
    if (!in_variables.load(std::memory_order_relaxed)) in_variables.store(true, std::memory_order_relaxed);
    return;
  }
  LockNumber last = last_lock.load(std::memory_order_relaxed);
  while (number > last && !last_lock.compare_exchange_weak(last, number, std::memory_order_relaxed)) {
  }
}

} // namespace fletcher::ompt
