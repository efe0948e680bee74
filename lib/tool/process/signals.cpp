// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fatal signals: what was found is reported once, then the signal does what it would have done, so that a process that
// waits for the process sees the same status. From the session's start on, the default of these signals is this
// (lib/interpose/process/signal_actions).

#include "lib/interpose/memory/bootstrap.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/death.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/thread.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace fletcher::tool {

namespace {

constexpr std::array fatal{SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,  SIGTERM, SIGINT,
                           SIGHUP,  SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM};

/// Those, until one of them ends the process.
constinit std::atomic<std::uint64_t> watched{0};
constexpr std::uint64_t bit_of(int signal) noexcept { return std::uint64_t{1} << signal; }

/// The handler may have interrupted a function that holds a lock which telling needs: it gets this long. (malloc is no
/// such function where this library stands before it.)
constexpr unsigned patience_in_seconds = 20;
constinit std::atomic<time_t> end_of_patience{0};
constinit std::atomic<int> dying_of{0};
[[gnu::tls_model("initial-exec")]] constinit thread_local bool dying_here = false;

/// The signal stack of this thread, where it is ours.
constexpr std::size_t aside_size = 256 * 1024;
[[gnu::tls_model("initial-exec")]] constinit thread_local void* aside = nullptr;

void unblock(int signal) noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

/// Ends the process by `signal`'s default action.
void die(int signal) noexcept {
  watched = 0;
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  unblock(signal);
  raise(signal);
}

void tell_and_die(int signal, std::optional<Step> death) noexcept {
  deliver(Occasion::signal, std::move(death));
  alarm(0);
  die(signal);
}

time_t seconds_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

[[noreturn]] void give_up() noexcept {
  write_all(log_descriptor(), "fletcher: the report could not be finished after a fatal signal\n");
  die(dying_of);
  _exit(128 + dying_of);
}

void out_of_patience(int) noexcept {
  if (seconds_now() >= end_of_patience) give_up(); // else of a timer of the program's
}

void start_watchdog() noexcept {
  end_of_patience = seconds_now() + patience_in_seconds;
  struct sigaction watchdog{};
  watchdog.sa_handler = out_of_patience;
  sigaction(SIGALRM, &watchdog, nullptr);
  unblock(SIGALRM);
  alarm(patience_in_seconds + 1); // an interval timer of the program's is over
}

/// Sent by somebody, or raised by the code that was interrupted?
bool is_sent(const siginfo_t* info) noexcept { return info != nullptr && info->si_code <= 0; }

} // namespace

bool tells_before(int signal) noexcept {
  return signal > 0 && signal < 64 && (watched.load(std::memory_order_relaxed) & bit_of(signal)) != 0;
}

struct sigaction told_default() noexcept {
  struct sigaction ours{};
  ours.sa_sigaction = end_by_signal;
  ours.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  return ours;
}

void end_by_signal(int signal, siginfo_t* info, void* context) noexcept {
  int none = 0;
  if (!dying_of.compare_exchange_strong(none, signal)) {
    if (dying_here && (!is_sent(info) || signal == SIGABRT)) { // telling went wrong
      unblock(signal);
      if (std::optional<Step> death = unfinished_death()) tell_and_die(dying_of, std::move(death));
      give_up();
    }
    // This thread cannot go on (abort() would take the process away at once); another one is ending the process.
    while (!is_sent(info) || signal == SIGABRT) pause();
    return;
  }
  dying_here = true;
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) unblock(fault); // that telling may go wrong
  start_watchdog();
  if (InsideTool::here() && is_sent(info) && signal != SIGABRT) {
    this_thread.deferred_signal = signal;
    return;
  }
  interpose::bootstrap::serve_this_thread();
  tell_and_die(signal, describe_death(signal, info, context));
}

void die_of_deferred_signal() noexcept {
  const int signal = this_thread.deferred_signal;
  this_thread.deferred_signal = 0;
  tell_and_die(signal, std::nullopt);
}

void set_stack_aside() noexcept {
  stack_t present{};
  if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
  void* const memory =
      mmap(nullptr, aside_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t ours{};
  ours.ss_sp = aside = memory;
  ours.ss_size = aside_size;
  sigaltstack(&ours, nullptr);
}

void free_stack_aside() noexcept {
  if (aside == nullptr) return;
  stack_t present{};
  if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == aside) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  munmap(aside, aside_size);
  aside = nullptr;
}

void watch_signals() {
  for (const int signal : fatal) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) != 0) continue;
    const bool is_default = before.sa_handler == SIG_DFL && (before.sa_flags & SA_SIGINFO) == 0;
    watched |= bit_of(signal);
    const struct sigaction ours = is_default ? told_default() : before;
    if (is_default || (before.sa_flags & SA_RESETHAND) != 0) sigaction(signal, &ours, nullptr);
  }
}

} // namespace fletcher::tool
