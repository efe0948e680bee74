// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, or the Fortran runtime, whose own handler catches a fatal signal gives the signal its default action back
// in the end, and raises it again. Where the session stands in for the default, what was found is reported then, too;
// and a program that asks hears of the default. (The kernel gives it back, too, of handlers that are called once.) The
// Fortran runtime's handler has no stack of its own, so that where a thread's stack is used up the kernel ends the
// process without a word.

#include "lib/interpose/process/signal_actions.hpp"

#include "lib/interpose/real.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/thread.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace {

using fletcher::interpose::Real;
using fletcher::tool::end_by_signal;

constinit Real<int(int, const struct sigaction*, struct sigaction*) noexcept> real_sigaction{"sigaction"};
constinit Real<sighandler_t(int, sighandler_t) noexcept> real_signal{"signal"};
constinit Real<void() noexcept> real_abort{"abort"};

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

/// Handlers whose signal gets its default back as they are called (SA_RESETHAND).
constexpr int signals = 64;
constinit std::array<struct sigaction, signals> called_once{};

void call_once(int signal, siginfo_t* info, void* context) {
  const struct sigaction standard = fletcher::tool::told_default();
  real_sigaction(signal, &standard, nullptr);
  const struct sigaction& its = called_once[static_cast<std::size_t>(signal)];
  if ((its.sa_flags & SA_SIGINFO) != 0)
    its.sa_sigaction(signal, info, context);
  else
    its.sa_handler(signal);
}

bool is_called_once(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == call_once;
}

struct sigaction with_default_afterwards(int signal, const struct sigaction& action) noexcept {
  called_once[static_cast<std::size_t>(signal)] = action;
  struct sigaction ours = action;
  ours.sa_sigaction = call_once;
  ours.sa_flags = (action.sa_flags | SA_SIGINFO) & ~static_cast<int>(SA_RESETHAND);
  return ours;
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
  const bool tells = fletcher::tool::tells_before(signal);
  struct sigaction once{};
  if (tells) once = called_once[static_cast<std::size_t>(signal)];
  if (action != nullptr && !stands_in(*action)) note_handler(signal, action->sa_handler);
  if (action != nullptr && tells && is_default(*action)) {
    replaced = fletcher::tool::told_default();
    action = &replaced;
  } else if (action != nullptr && tells && action->sa_handler != SIG_IGN && (action->sa_flags & SA_RESETHAND) != 0) {
    replaced = with_default_afterwards(signal, *action);
    action = &replaced;
  }
  const int result = real_sigaction(signal, action, before);
  if (result == 0 && before != nullptr && stands_in(*before)) {
    *before = {};
    before->sa_handler = SIG_DFL;
  }
  if (result == 0 && before != nullptr && is_called_once(*before)) *before = once;
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

/// As libc's does: raises the signal, and again with its default action where a handler came back.
void abort() noexcept {
  struct sigaction now{};
  if (sigaction(SIGABRT, nullptr, &now) == 0 && !is_default(now) && fletcher::tool::tells_before(SIGABRT)) {
    sigset_t itself;
    sigemptyset(&itself);
    sigaddset(&itself, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &itself, nullptr);
    raise(SIGABRT);
    now = {};
    now.sa_handler = SIG_DFL;
    sigaction(SIGABRT, &now, nullptr);
  }
  real_abort();
  __builtin_unreachable();
}

} // extern "C"
#pragma GCC visibility pop
