// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How GNU's C++ runtime counts the owners of an exception that std::exception_ptr shares: who gives it up releases, who
// destroys it comes after all others. A handler is an owner, too. This library has a C++ runtime of its own, of which
// the end of a handler is a part, so the program's calls of that are led here when the first exception is shared. The
// count is in front of the exception; its layout is part of the C++ ABI.

#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::interpose {
/// Returned in memory, as std::exception_ptr is.
struct Owner {
  Owner(const Owner&) = delete;
  ~Owner() {}
  void* exception;
};
} // namespace fletcher::interpose

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

/// __cxa_exception and __cxa_dependent_exception.
struct Header {
  void* shared; ///< of a dependent one: the exception
  std::byte before_next[24];
  Header* next;
  std::int32_t handlers;
  std::byte before_kind[36];
  std::uint64_t kind; ///< exception_class of _Unwind_Exception
  std::byte after_kind[24];
};
/// __cxa_refcounted_exception, after which the exception lies.
struct Counted {
  alignas(16) std::int32_t owners;
  alignas(16) Header header;
};
static_assert(offsetof(Header, next) == 32 && offsetof(Header, kind) == 80 && sizeof(Counted) == 128);
struct Globals {
  Header* caught;
};

constexpr std::uint64_t gnu = 0x474e5543432b2b00, gnu_dependent = gnu + 1; // "GNUCC++\0"

// Member functions of std::exception_ptr, whose only member is the exception.
constinit Real<void(void**)> real_share{"_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv"},
    real_give_up{"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"};
constinit Real<Owner()> real_current{"_ZSt17current_exceptionv"};
constinit Real<Globals*()> real_globals{"__cxa_get_globals"};
constinit Real<void()> real_end_catch{"__cxa_end_catch"};

Counted& count_of(void* exception) noexcept { return static_cast<Counted*>(exception)[-1]; }

void give_up(void** pointer) {
  void* const exception = *pointer;
  if (exception == nullptr || outside_tool() == nullptr || count_of(exception).header.kind != gnu)
    return real_give_up(pointer);
  release(exception);
  std::int32_t& count = count_of(exception).owners;
  std::int32_t owners = __atomic_load_n(&count, __ATOMIC_RELAXED);
  while (owners > 1)
    if (__atomic_compare_exchange_n(&count, &owners, owners - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  acquire(exception);
  real_give_up(pointer);
}

/// The exception that the innermost handler gives up at its end; null: it does not, or that is not known.
void* given_up() noexcept {
  Header* const caught = real_globals()->caught;
  if (caught == nullptr || (caught->kind != gnu && caught->kind != gnu_dependent) || caught->handlers != 1)
    return nullptr;
  return caught->kind == gnu ? static_cast<void*>(caught + 1) : caught->shared;
}

void end_catch() {
  void* exception = outside_tool() != nullptr ? given_up() : nullptr;
  if (exception == nullptr) return real_end_catch();
  // As one more owner, so that the exception outlives the handler.
  __atomic_fetch_add(&count_of(exception).owners, 1, __ATOMIC_RELAXED);
  real_end_catch();
  give_up(&exception);
}

void exceptions_are_shared() noexcept {
  static constinit std::atomic<bool> known{false};
  if (known.load(std::memory_order_relaxed) || outside_tool() == nullptr || known.exchange(true)) return;
  if (real_globals.get() != nullptr && real_give_up.get() != nullptr)
    lead_calls("__cxa_end_catch", reinterpret_cast<void*>(end_catch));
}

} // namespace

#pragma GCC visibility push(default)

void share_exception(void** pointer) asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void give_up_exception(void** pointer) asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
Owner current_exception() asm("_ZSt17current_exceptionv");

void share_exception(void** pointer) {
  exceptions_are_shared();
  real_share(pointer);
}
void give_up_exception(void** pointer) { give_up(pointer); }
Owner current_exception() {
  exceptions_are_shared();
  return real_current();
}

#pragma GCC visibility pop
