// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fatal signals: what was found is told once, then the signal does what it would have done, so that whoever waits for
// the process sees the same status. Only signals that the program left at their default when the session started.

#include "lib/tool/delivery.hpp"
#include "lib/tool/ending.hpp"
#include "lib/tool/log.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

namespace fletcher::tool {

namespace {

constexpr std::array fatal{SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,  SIGTERM, SIGINT,
                           SIGHUP,  SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM};

/// The handler may have interrupted malloc or another delivery, and wait for a lock of its own thread: it gets this
/// long.
constexpr unsigned patience_in_seconds = 20;
constinit std::atomic<int> dying_of{0};

void unblock(int signal) noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

/// Ends the process by `signal`'s default action.
void die(int signal) noexcept {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  unblock(signal);
  raise(signal);
}

void out_of_patience(int) noexcept {
  write_all(log_descriptor(), "fletcher: the report could not be finished after a fatal signal\n");
  die(dying_of);
}

void on_fatal(int signal) noexcept {
  int none = 0;
  if (!dying_of.compare_exchange_strong(none, signal)) {
    // Another thread is dying, or delivering crashed: the first one ends the process.
    if (signal == dying_of || signal == SIGSEGV || signal == SIGBUS) die(signal);
    return;
  }
  struct sigaction watchdog{};
  watchdog.sa_handler = out_of_patience;
  sigaction(SIGALRM, &watchdog, nullptr);
  unblock(SIGALRM);
  alarm(patience_in_seconds);
  deliver(Occasion::signal);
  alarm(0);
  die(signal);
}

} // namespace

void watch_signals() {
  // A stack overflow leaves no room for a handler: one is kept aside for the first thread, unless the program has its
  // own.
  stack_t present{};
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0) {
    constexpr std::size_t size = 256 * 1024;
    void* const memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stack_t aside{};
    aside.ss_sp = memory;
    aside.ss_size = size;
    if (memory != MAP_FAILED) sigaltstack(&aside, nullptr);
  }
  for (const int signal : fatal) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL || (before.sa_flags & SA_SIGINFO) != 0)
      continue;
    struct sigaction ours{};
    ours.sa_handler = on_fatal;
    ours.sa_flags = SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
}

} // namespace fletcher::tool
