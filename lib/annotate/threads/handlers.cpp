// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/threads/handlers.hpp"

#include "lib/interpose/real.hpp"

#include <csignal>

namespace fletcher::annotate {

namespace {

/// Of an instruction that fails.
constexpr bool is_synchronous(int signal) noexcept {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP ||
         signal == SIGABRT || signal == SIGSYS;
}

/// ThreadSanitizer, which has a handler of its own for all of them, tells which one was asked for.
const void* handler_of(int signal) noexcept {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0) return nullptr;
  return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<const void*>(action.sa_sigaction)
                                             : reinterpret_cast<const void*>(action.sa_handler);
}

} // namespace

bool handles_signals() noexcept {
  const auto* const ignored = reinterpret_cast<const void*>(SIG_IGN);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (is_synchronous(signal)) continue;
    const void* const handler = handler_of(signal);
    if (handler != nullptr && handler != ignored && !interpose::is_own(handler)) return true;
  }
  return false;
}

} // namespace fletcher::annotate
