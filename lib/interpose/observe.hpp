// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an interposer asks first: is this call something the checker wants to know? Costs one thread-local load and a
// test where no check runs on this thread. And how it tells the checker.
#pragma once

#include "checker/access/check.hpp"
#include "checker/events.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <cerrno>

namespace fletcher::interpose {

/// Inlined into the interposer: where its caller will go on.
[[gnu::always_inline]] inline Address caller() noexcept {
  return reinterpret_cast<Address>(__builtin_return_address(0));
}

namespace detail {
/// Not inlined: threads that are checked are the exception, and the loop would cost the others a frame.
bool is_runtime(Address pc) noexcept;
} // namespace detail

/// The thread's state if the call comes from the checked program (or a library that is neither the tool nor an OpenMP
/// runtime, nor one of those whose functions' effects are known); otherwise null: pass through.
[[gnu::always_inline]] inline access::ThreadState* observed(Address pc) noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) [[likely]]
    return earlier_threads::exist() && !detail::is_runtime(pc) ? earlier_threads::meet() : nullptr;
  if (thread->in_checker) return nullptr;
  return detail::is_runtime(pc) ? nullptr : thread;
}

/// The thread's state, for any caller but the tool's own code; null: pass through.
[[gnu::always_inline]] inline access::ThreadState* outside_tool() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  return thread == nullptr || thread->in_checker ? nullptr : thread;
}

namespace detail {
/// Not inlined, as above.
bool tells_order(Address pc, bool sanitizer_sees) noexcept;
} // namespace detail

/// Whether what the call means for order and locks is reported: the thread is known, and the call comes from the
/// checked program. Other than accesses it counts at level graph, too; at level tsan where ThreadSanitizer does not see
/// the call itself.
[[gnu::always_inline]] inline bool is_told(Address pc, bool sanitizer_sees = true) noexcept {
  return (tool::where().thread != ThreadId::none || earlier_threads::exist()) &&
         detail::tells_order(pc, sanitizer_sees);
}

/// An access that a library function makes for its caller, who goes on at `pc`.
inline void access_range(access::ThreadState& thread, const volatile void* address, std::size_t size, access::Kind kind,
                         Address pc) {
  if (size == 0) return;
  access::tell_watcher(thread, reinterpret_cast<Address>(address), size, kind, pc - 1, true);
  access::check_whole(thread, reinterpret_cast<Address>(address), size, kind, pc - 1);
}
inline void reads(access::ThreadState& thread, const volatile void* address, std::size_t size, Address pc) {
  access_range(thread, address, size, access::Kind::read, pc);
}
inline void writes(access::ThreadState& thread, const volatile void* address, std::size_t size, Address pc) {
  access_range(thread, address, size, access::Kind::write, pc);
}

namespace detail {
/// Not inlined, as above.
bool is_instrumented(Address pc) noexcept;
} // namespace detail

/// The thread's state while its accesses are checked, for any caller; null: pass through.
[[gnu::always_inline]] inline access::ThreadState* checking() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread != nullptr && thread->off <= 0 && !thread->in_checker) [[unlikely]]
    return thread;
  return nullptr;
}

/// The same where instrumented code made the call.
[[gnu::always_inline]] inline access::ThreadState* checked(Address pc) noexcept {
  access::ThreadState* const thread = checking();
  return thread == nullptr || !detail::is_instrumented(pc) ? nullptr : thread;
}

/// While it lives, errno may be changed: it becomes again what the program's call left there.
class KeptErrno {
public:
  KeptErrno() = default;
  ~KeptErrno() { errno = before_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

private:
  int before_ = errno;
};

namespace detail {
template <auto accesses, auto& function, class... Arguments>
[[gnu::noinline]] auto checked_call(access::ThreadState& thread, Address pc, Arguments... arguments) {
  if (modules::is_instrumented(pc)) accesses(thread, pc, arguments...);
  return function(arguments...);
}
} // namespace detail

/// `function(arguments...)`, and before it `accesses(thread, pc, arguments...)` where instrumented code made the call
/// while its accesses are checked. Elsewhere a test and a tail call.
template <auto accesses, auto& function, class... Arguments>
[[gnu::always_inline]] inline auto with_accesses(Address pc, Arguments... arguments) {
  if (access::ThreadState* const thread = checking(); thread != nullptr) [[unlikely]]
    return detail::checked_call<accesses, function>(*thread, pc, arguments...);
  return function(arguments...);
}

namespace detail {
template <auto accesses, auto& function, class... Arguments>
[[gnu::noinline]] auto checked_result(access::ThreadState& thread, Address pc, Arguments... arguments) {
  if (!modules::is_instrumented(pc)) return function(arguments...);
  const auto result = function(arguments...);
  const KeptErrno kept;
  accesses(thread, pc, result, arguments...);
  return result;
}
} // namespace detail

/// `function(arguments...)`, and after it `accesses(thread, pc, result, arguments...)` where instrumented code made the
/// call while its accesses are checked: for what only the result tells. Elsewhere a test and a tail call.
template <auto accesses, auto& function, class... Arguments>
[[gnu::always_inline]] inline auto with_results(Address pc, Arguments... arguments) {
  if (access::ThreadState* const thread = checking(); thread != nullptr) [[unlikely]]
    return detail::checked_result<accesses, function>(*thread, pc, arguments...);
  return function(arguments...);
}

/// Tells the listeners. The thread is attached; what the tool calls meanwhile is not the program's.
template <class Event> void raise(const Event& event) {
  tool::Session* const session = tool::session();
  if (session == nullptr) return;
  const tool::InsideTool inside;
  session->listener().on(event);
}
inline void release(const volatile void* object) {
  raise(Release{tool::where().thread, reinterpret_cast<Address>(object)});
}
inline void acquire(const volatile void* object) {
  raise(Acquire{tool::where().thread, reinterpret_cast<Address>(object)});
}
inline void mutex(const volatile void* object, MutexStep step, Address pc, MutexKind kind = MutexKind::posix) {
  raise(MutexEvent{tool::where().thread, tool::where().task, {kind, reinterpret_cast<Address>(object)}, step, 0, pc});
}

} // namespace fletcher::interpose
