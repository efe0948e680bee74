// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that the program had when it was taken over from ThreadSanitizer. Nobody saw how they were made, and some
// wait in a function of ThreadSanitizer's for a mutex, a signal, an end: what they come after when they go on is not
// seen, either, nor what they hold then. So each becomes known at the first thing that it does which orders threads,
// and comes after all that any thread has let others know by then; and who unlocks what nobody saw it lock comes before
// who locks it next.
#pragma once

#include "checker/events.hpp"
#include "lib/tool/thread.hpp"

#include <atomic>
#include <span>
#include <sys/types.h>

namespace fletcher::interpose::earlier_threads {

namespace detail {
inline constinit std::atomic<bool> exist{false};
access::ThreadState* meet() noexcept;
} // namespace detail

/// The program had these; `others` among them are not its own. Before the session starts.
void note(std::span<const pid_t> threads);

inline bool exist() noexcept { return detail::exist.load(std::memory_order_relaxed); }

/// To be asked where a thread that is not known does something: it becomes known where it may be one of these. Its
/// state then, null otherwise.
[[gnu::always_inline]] inline access::ThreadState* meet() noexcept { return exist() ? detail::meet() : nullptr; }

/// Behind the checker, which hears of the further edges.
Listener* make_listener(Listener& checker);

} // namespace fletcher::interpose::earlier_threads
