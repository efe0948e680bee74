// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guards of C++'s function-local statics: a thread that finds one initialised comes after its initialisation. The
// compilers read the guard's first byte by an atomic load, so the edge is that of an atomic store there.

#include "checker/checker.hpp"
#include "checker/constructs/locks/atomic_order.hpp"
#include "checker/constructs/strand.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/takeover/guard_words.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

// A process without a C++ runtime has none: they are this library's own then.
constinit Real<int(long long*)> real_acquire{"__cxa_guard_acquire"};
constinit Real<void(long long*)> real_release{"__cxa_guard_release"};
constinit Real<void(long long*)> real_abort{"__cxa_guard_abort"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int __cxa_guard_acquire(long long* guard) {
  const auto real = real_acquire.get() != nullptr ? real_acquire.known() : guard_words::acquire;
  access::ThreadState* const thread = observed(caller());
  if (thread == nullptr || thread->checker == nullptr) [[likely]]
    return real(guard);
  const int first = real(guard);
  const tool::InsideTool inside;
  if (first != 0) constructs::goes_alone(*thread);
  thread->atomics->after_load(*thread, reinterpret_cast<Address>(guard), constructs::MemoryOrder::acquire);
  return first;
}

void __cxa_guard_release(long long* guard) noexcept {
  const auto real = real_release.get() != nullptr ? real_release.known() : guard_words::release;
  access::ThreadState* const thread = observed(caller());
  if (thread == nullptr || thread->checker == nullptr) [[likely]]
    return real(guard);
  const tool::InsideTool inside;
  thread->atomics->store(*thread, reinterpret_cast<Address>(guard), constructs::MemoryOrder::release,
                         [=] { real(guard); });
}

void __cxa_guard_abort(long long* guard) noexcept {
  real_abort.get() != nullptr ? real_abort(guard) : guard_words::abort(guard);
}

} // extern "C"
#pragma GCC visibility pop
