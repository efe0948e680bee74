// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guards of C++'s function-local statics: whoever finds one initialised comes after its initialisation. The
// compilers read the guard's first byte by an atomic load, so the edge is that of an atomic store there.

#include "checker/checker.hpp"
#include "checker/constructs/atomic_order.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <sched.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(long long*)> real_acquire{"__cxa_guard_acquire"};
constinit Real<void(long long*)> real_release{"__cxa_guard_release"};
constinit Real<void(long long*)> real_abort{"__cxa_guard_abort"};

// In a process without a C++ runtime, for this library's own statics; and where the program has ThreadSanitizer's
// functions in place of its C++ runtime's, for the program's. First byte: done. Second byte: somebody initialises.
namespace own {
unsigned char* bytes(long long* guard) noexcept { return reinterpret_cast<unsigned char*>(guard); }

int acquire(long long* guard) noexcept {
  for (;;) {
    if (__atomic_load_n(bytes(guard), __ATOMIC_ACQUIRE) != 0) return 0;
    if (__atomic_exchange_n(bytes(guard) + 1, 1, __ATOMIC_ACQUIRE) == 0) {
      if (__atomic_load_n(bytes(guard), __ATOMIC_ACQUIRE) == 0) return 1;
      __atomic_store_n(bytes(guard) + 1, 0, __ATOMIC_RELEASE);
      return 0;
    }
    sched_yield();
  }
}
void abort(long long* guard) noexcept { __atomic_store_n(bytes(guard) + 1, 0, __ATOMIC_RELEASE); }
void release(long long* guard) noexcept {
  __atomic_store_n(bytes(guard), 1, __ATOMIC_RELEASE);
  abort(guard);
}
} // namespace own

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int __cxa_guard_acquire(long long* guard) {
  const auto real = real_acquire.get() != nullptr ? real_acquire.known() : own::acquire;
  access::ThreadState* const thread = observed(caller());
  if (thread == nullptr || thread->checker == nullptr) [[likely]]
    return real(guard);
  const int first = real(guard);
  const tool::InsideTool inside;
  thread->atomics->after_load(*thread, reinterpret_cast<Address>(guard), constructs::MemoryOrder::acquire);
  return first;
}

void __cxa_guard_release(long long* guard) noexcept {
  const auto real = real_release.get() != nullptr ? real_release.known() : own::release;
  access::ThreadState* const thread = observed(caller());
  if (thread == nullptr || thread->checker == nullptr) [[likely]]
    return real(guard);
  const tool::InsideTool inside;
  thread->atomics->store(*thread, reinterpret_cast<Address>(guard), constructs::MemoryOrder::release,
                         [=] { real(guard); });
}

void __cxa_guard_abort(long long* guard) noexcept {
  real_abort.get() != nullptr ? real_abort(guard) : own::abort(guard);
}

} // extern "C"
#pragma GCC visibility pop
