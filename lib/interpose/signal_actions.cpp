// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, or the Fortran runtime, whose own handler catches a fatal signal gives the signal its default action back
// in the end, and raises it again. Where the session stands in for the default, what was found is told then, too; and a
// program that asks hears of the default.

#include "lib/interpose/real.hpp"
#include "lib/tool/ending.hpp"

#include <signal.h>

namespace {

using fletcher::interpose::Real;
using fletcher::tool::end_by_signal;

constinit Real<int(int, const struct sigaction*, struct sigaction*) noexcept> real_sigaction{"sigaction"};
constinit Real<sighandler_t(int, sighandler_t) noexcept> real_signal{"signal"};

bool is_default(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

bool stands_in(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == end_by_signal;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  struct sigaction replaced;
  if (action != nullptr && is_default(*action) && fletcher::tool::tells_before(signal)) {
    replaced = fletcher::tool::told_default();
    action = &replaced;
  }
  const int result = real_sigaction(signal, action, before);
  if (result == 0 && before != nullptr && stands_in(*before)) {
    *before = {};
    before->sa_handler = SIG_DFL;
  }
  return result;
}

sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (!fletcher::tool::tells_before(signal)) return real_signal(signal, handler);
  struct sigaction before{};
  if (handler == SIG_DFL) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    return sigaction(signal, &standard, &before) == 0 ? before.sa_handler : SIG_ERR;
  }
  if (sigaction(signal, nullptr, &before) != 0 || real_signal(signal, handler) == SIG_ERR) return SIG_ERR;
  return before.sa_handler;
}

} // extern "C"
#pragma GCC visibility pop
