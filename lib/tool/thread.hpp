// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library keeps for each thread, in initial-exec thread-local storage: one load reaches it from every entry
// point. Zero-initialised without a constructor, so that it may be read on any thread at any time, also before start.
#pragma once

#include "checker/access/thread_state.hpp"
#include "checker/events.hpp"
#include "checker/ids.hpp"
#include "lib/tool/gate.hpp"

#include <atomic>

/// What checks that stand in the program's own code look at: the thread's state, or one to which all accesses are. It
/// stays while the tool's own code runs, as looking does no harm. The number is that of the layout of Glance and Cell.
extern "C" [[gnu::visibility("default"),
             gnu::tls_model("initial-exec")]] constinit thread_local fletcher::access::Glance* __fletcher_glance_5;

namespace fletcher::tool {

/// Where a thread is. The OMPT layer keeps task and team up to date; code that raises an event on this thread names it.
struct Where {
  ThreadId thread = ThreadId::none; ///< none: the thread is not attached
  TaskId task = TaskId::none;
  TeamId team = TeamId::none;
};

/// The thread's own stack; zero where unknown or not attached.
struct StackBounds {
  Address low = 0, high = 0;
};

/// One object, so that code that needs several of these looks up one address.
struct ThisThread {
  /// What `attached` is for the program's code on this thread; null while the tool's own code runs (InsideTool). So a
  /// signal handler of the program that interrupts the tool goes unchecked, and meets no lock that the tool holds.
  access::ThreadState* current = nullptr;
  /// The access path's state; null until the thread is attached, and always where no accesses are checked.
  access::ThreadState* attached = nullptr;
  gate::Slot* slot = nullptr;
  unsigned inside = 0; ///< depth of InsideTool
  /// A fatal signal that reached this thread while it was in the tool's own code, with its locks: it is obeyed on the
  /// way out (signals.cpp).
  volatile int deferred_signal = 0;
  Where place;         ///< in the program
  bool left = false;   ///< it was attached, and is not any more
  bool paused = false; ///< it has taken over that checking is paused (control.hpp)
  StackBounds stack;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local ThisThread this_thread{};

/// Makes it the thread's state; null: it has none. The caller sees to this_thread.current.
void attach_to(access::ThreadState* state) noexcept;

/// The state of the thread whose code runs.
[[gnu::always_inline]] inline access::ThreadState* thread_state() noexcept { return this_thread.current; }
[[gnu::always_inline]] inline const Where& where() noexcept { return this_thread.place; }

/// Makes the current thread known: numbers it, tells its stack bounds, raises ThreadBegin, and InitialTaskBegin for the
/// task that it runs (`kind`; none for an OpenMP worker, whose tasks the runtime names). Does nothing (but return the
/// state) for a thread that is attached, and nothing at all while there is no session. Not from a signal handler.
access::ThreadState* attach_thread(TaskKind kind = TaskKind::foreign);
/// As above for a thread that a ThreadCreate has reported.
access::ThreadState* attach_announced_thread();
/// As above for a thread that the OpenMP runtime started.
access::ThreadState* attach_worker();

/// An attached worker runs code that belongs to no region of the program: gives it a task of its own.
void begin_foreign_task();

/// The thread ends: InitialTaskEnd where it had one, ThreadEnd. Harmless for a thread that is not attached.
void detach_thread();

/// Obeys this_thread.deferred_signal.
void die_of_deferred_signal() noexcept;

/// While it lives, nothing that this thread does is reported or checked: the tool's own code runs. A signal handler
/// sees the thread either in the tool from its beginning to its end or outside.
class InsideTool {
public:
  InsideTool() noexcept { enter(); }
  ~InsideTool() { leave(); }
  InsideTool(const InsideTool&) = delete;
  InsideTool& operator=(const InsideTool&) = delete;
  static bool here() noexcept { return this_thread.inside != 0; }

  /// Where it begins in one function and ends in another one.
  static void enter() noexcept {
    this_thread.current = nullptr;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (this_thread.inside++ == 0) gate::enter(this_thread.slot);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  static void leave() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (this_thread.inside == 1) gate::leave(this_thread.slot);
    if (--this_thread.inside != 0) return;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    this_thread.current = this_thread.attached;
    if (this_thread.deferred_signal != 0) [[unlikely]]
      die_of_deferred_signal();
  }
};

} // namespace fletcher::tool
