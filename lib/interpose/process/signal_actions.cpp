// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, or the Fortran runtime, whose own handler catches a fatal signal gives the signal its default action back
// in the end, and raises it again. Where the session stands in for the default, what was found is reported then, too;
// and a program that asks hears of the default. The Fortran runtime's handler has no stack of its own, so that where a
// thread's stack is used up the kernel ends the process without a word.

#include "lib/interpose/process/signal_actions.hpp"

#include "lib/interpose/real.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/thread.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <string_view>

namespace {

using fletcher::interpose::Real;
using fletcher::tool::end_by_signal;

constinit Real<int(int, const struct sigaction*, struct sigaction*) noexcept> real_sigaction{"sigaction"};
constinit Real<sighandler_t(int, sighandler_t) noexcept> real_signal{"signal"};

constinit std::atomic<bool> handles{false};

/// Not by what the thread itself does.
bool comes_at_any_moment(int signal) noexcept {
  return signal != SIGSEGV && signal != SIGBUS && signal != SIGFPE && signal != SIGILL && signal != SIGABRT &&
         signal != SIGTRAP && signal != SIGSYS;
}
void note_handler(int signal, sighandler_t handler) noexcept {
  if (handler != SIG_DFL && handler != SIG_IGN && comes_at_any_moment(signal)) handles.store(true);
}

bool is_default(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

bool stands_in(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == end_by_signal;
}

/// Of the interrupted code; 0 where that is not known.
fletcher::Address stack_pointer(const void* context) noexcept {
#if defined(__x86_64__)
  return static_cast<fletcher::Address>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#else
  static_cast<void>(context);
  return 0;
#endif
}

/// The Fortran runtime's handler of memory faults: prints where it is, and raises the signal again.
constinit std::atomic<sighandler_t> fortran_handler{nullptr};

bool is_fortran_runtime(sighandler_t handler) noexcept {
  Dl_info info{};
  return handler != SIG_DFL && handler != SIG_IGN && dladdr(reinterpret_cast<const void*>(handler), &info) != 0 &&
         info.dli_fname != nullptr && std::string_view(info.dli_fname).find("libgfortran.so") != std::string_view::npos;
}

/// Where the kernel could not have called a handler on the thread's stack, what it would have done is done, and
/// reported.
void fortran_fault(int signal, siginfo_t* info, void* context) noexcept {
  constexpr fletcher::Address room = 16 * 1024, far = fletcher::Address{1} << 30;
  const fletcher::Address low = fletcher::tool::this_thread.stack.low, there = stack_pointer(context);
  if (low != 0 && there < low + room && there + far > low) return end_by_signal(signal, info, context);
  fortran_handler.load()(signal);
}

bool is_fortran_fault(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == fortran_fault;
}

sighandler_t replace_fortran_handler(int signal, sighandler_t handler) noexcept {
  struct sigaction ours{}, before{};
  ours.sa_sigaction = fortran_fault;
  ours.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART;
  fortran_handler = handler;
  return sigaction(signal, &ours, &before) == 0 ? before.sa_handler : SIG_ERR;
}

} // namespace

bool fletcher::interpose::handles_signals() noexcept { return handles.load(std::memory_order_relaxed); }

#pragma GCC visibility push(default)
extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  struct sigaction replaced;
  if (action != nullptr && !stands_in(*action)) note_handler(signal, action->sa_handler);
  if (action != nullptr && is_default(*action) && fletcher::tool::tells_before(signal)) {
    replaced = fletcher::tool::told_default();
    action = &replaced;
  }
  const int result = real_sigaction(signal, action, before);
  if (result == 0 && before != nullptr && stands_in(*before)) {
    *before = {};
    before->sa_handler = SIG_DFL;
  }
  if (result == 0 && before != nullptr && is_fortran_fault(*before)) {
    *before = {};
    before->sa_handler = fortran_handler;
    before->sa_flags = SA_RESTART;
  }
  return result;
}

sighandler_t signal(int signal, sighandler_t handler) noexcept {
  note_handler(signal, handler);
  if (!fletcher::tool::tells_before(signal)) return real_signal(signal, handler);
  struct sigaction before{};
  if (handler == SIG_DFL) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    return sigaction(signal, &standard, &before) == 0 ? before.sa_handler : SIG_ERR;
  }
  if ((signal == SIGSEGV || signal == SIGBUS) && is_fortran_runtime(handler))
    return replace_fortran_handler(signal, handler);
  if (sigaction(signal, nullptr, &before) != 0 || real_signal(signal, handler) == SIG_ERR) return SIG_ERR;
  return before.sa_handler;
}

} // extern "C"
#pragma GCC visibility pop
