// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watcher's thread: when it looks, and what it does when a deadlock is certain. Not known to the checker, it tells
// no events.

#include "lib/tool/watcher.hpp"

#include "checker/checker.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/reports/file.hpp"
#include "lib/interpose/mpi/ranks/hang.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/gate.hpp"
#include "lib/tool/gate_cost.hpp"
#include "lib/tool/memory_limit.hpp"
#include "lib/tool/process/children.hpp"
#include "lib/tool/process/futex.hpp"
#include "lib/tool/process/kernel_threads.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/sweeper.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace fletcher::tool {

namespace {

using Milliseconds = std::int64_t;
constexpr Milliseconds tick = 100;          ///< between two glances at the slots
constexpr Milliseconds quiet_time = 200;    ///< without an event: the thread may wait
constexpr Milliseconds confirmation = 400;  ///< between the two times that a deadlock must be seen
constexpr Milliseconds longest_pause = 600; ///< between two looks while some threads are quiet and others are not
constexpr Milliseconds least_patience = 10, most_patience = 160;
constexpr Milliseconds share = 20; ///< threads are kept waiting for one part of their time at most

/// Held while the checker is asked: a fork meanwhile would leave its locks locked in the child.
constinit memory::SpinLock looking; // a mutex ThreadSanitizer would see, unlocked by whom it did not see lock it

Milliseconds now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return Milliseconds{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

/// Not 0 where somebody wants the watcher to look at once.
constinit std::atomic<std::uint32_t> wanted{0};
/// The watcher shall end.
constinit std::atomic<bool> over{false};

/// Sleeps for so long, or until somebody wants the watcher.
void doze(Milliseconds time) noexcept {
  const timespec span{time / 1000, time % 1000 * 1'000'000};
  wait_on(&wanted, 0, &span);
  wanted.store(0, std::memory_order_relaxed);
}

/// What was buffered on the standard streams, except for one that a thread has locked.
void flush_output() noexcept {
  for (std::FILE* stream : {stdout, stderr}) {
    if (ftrylockfile(stream) != 0) continue;
    fflush_unlocked(stream);
    funlockfile(stream);
  }
}

/// Without its exit handlers LLVM's runtime leaves a name in shared memory by which a process knows that it has two
/// copies of the runtime. A later process with this one's number would find it, and end.
void forget_runtime() noexcept {
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "/dev/shm/__KMP_REGISTERED_LIB_%d_%u", getpid(), getuid());
  unlink(name.data());
}

/// No exit handlers: they may wait for what hangs.
[[noreturn]] void end_process(Session& the) {
  flush_output();
  forget_runtime();
  const std::uint32_t status = the.options().exitcode;
  for (;;) syscall(SYS_exit_group, status != 0 ? status : EXIT_FAILURE);
}

bool looks_for_deadlocks(const Session& the) { return the.options().on_deadlock != "ignore"; }

/// `before_the_end` comes before the process is ended.
void act(Session& the, void (*before_the_end)() noexcept) {
  const bool errors = deliver(Occasion::deadlock);
  before_the_end();
  if (!errors || the.options().on_deadlock == "report") return; // suppressed, or not to be ended
  if (the.options().on_deadlock == "abort") abort();
  end_process(the);
}

class Watcher {
public:
  explicit Watcher(Session& the) : the_(the) {}

  void watch() {
    for (sweep_for_a_tick(); !over.load(std::memory_order_acquire); sweep_for_a_tick()) {
      memory_.look();
      glance();
      if (for_deadlocks_) {
        look_at_processes();
        if (worth_a_look()) look();
        tell_early();
      }
      if (quiet_ == seen_.size() && kernel::alone()) exit(0); // the last thread of the program has ended
    }
  }

private:
  /// Sleeps, except for the sweeps that are due meanwhile.
  void sweep_for_a_tick() {
    const Milliseconds end = now() + tick;
    for (Milliseconds left = tick; left > 0 && !over.load(std::memory_order_acquire); left = end - now()) {
      doze(std::min(left, next_sweep_));
      const std::lock_guard guard(looking);
      next_sweep_ = sweeper_.look();
    }
  }

  /// A program that a time limit ends by SIGKILL has reported what was found before. Ever more rarely, so that one that
  /// runs for long is reported in few pieces. Not beside children of the program's: it might wait for any, and get
  /// ours.
  void tell_early() {
    if (telling_pause_ == 0 || now() < next_telling_) return;
    if ((the_.collector().size() <= told_ && !annotate::has_new_reports()) || has_children()) return;
    told_ = the_.collector().size();
    deliver(Occasion::flush);
    telling_pause_ *= 2;
    next_telling_ = now() + telling_pause_;
  }

  struct Seen {
    std::uint64_t count = 0;
    Milliseconds since = 0;
  };
  /// A deadlock that was seen once.
  struct Suspicion {
    Milliseconds since = 0;
    std::vector<std::uint64_t> counts;
    std::vector<kernel::Progress> progress;
    bool told = false;
  };

  /// Which threads are quiet, and whether these are others than before.
  void glance() {
    const Milliseconds time = now();
    const auto slots = gate::slots();
    seen_.resize(slots.size());
    quiet_ = 0;
    quiet_state_ = all_state_ = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::uint64_t count = slots[i].count.load(std::memory_order_relaxed);
      if (count != seen_[i].count) seen_[i] = {count, time};
      const std::uint64_t mixed = memory::spread((count + 1) * (2 * i + 1));
      all_state_ += mixed;
      if (time - seen_[i].since < quiet_time) continue;
      ++quiet_;
      quiet_state_ += mixed;
    }
  }

  /// A deadlock between processes.
  void look_at_processes() {
    if (quiet_ != seen_.size()) return hang_.goes_on();
    {
      const std::lock_guard guard(looking);
      if (!hang_.look(all_state_)) return;
    }
    act(the_, interpose::mpi::Hang::wait_for_others);
  }

  bool worth_a_look() {
    const Milliseconds time = now();
    if (quiet_ == 0 || time < not_before_) return false;
    if (std::any_of(suspicions_.begin(), suspicions_.end(), [](const auto& s) { return !s.second.told; }))
      return time - last_look_ >= confirmation;
    if (quiet_state_ != looked_at_quiet_) {
      pause_ = tick;
      return true;
    }
    return all_state_ != looked_at_all_ && time - last_look_ >= pause_; // others went on, and may wait now
  }

  void look() {
    looked_at_quiet_ = quiet_state_;
    looked_at_all_ = all_state_;
    std::vector<Deadlock> certain;
    {
      const std::lock_guard guard(looking);
      const bool strangers = kernel::has_strangers();
      const Milliseconds begin = now();
      const bool closed = gate::close(std::chrono::milliseconds(patience_));
      const std::vector<Deadlock> found = closed ? the_.checker().deadlocks(strangers) : std::vector<Deadlock>();
      if (closed) gate::open();
      last_look_ = now();
      // The time that this thread itself waits for a processor costs the program nothing where no other one waits.
      not_before_ = gate::kept_out() ? last_look_ + share * (last_look_ - begin) : 0;
      pause_ = std::min(2 * pause_, longest_pause);
      patience_ = closed ? least_patience : std::min(2 * patience_, most_patience);
      if (!closed) return;
      certain = compare(found);
      for (const Deadlock& d : certain) the_.checker().report(d);
    }
    if (!certain.empty()) act(the_, []() noexcept {});
  }

  /// Those that were there last time, whose threads reported nothing since although the kernel let them run.
  std::vector<Deadlock> compare(const std::vector<Deadlock>& found) {
    std::map<std::uint64_t, Suspicion> still;
    std::vector<Deadlock> certain;
    for (const Deadlock& d : found) {
      Suspicion fresh{last_look_, {}, {}, false};
      for (const ThreadId thread : d.threads) {
        const gate::Slot* const slot = slot_of(thread);
        fresh.counts.push_back(slot == nullptr ? 0 : slot->count.load(std::memory_order_relaxed));
        fresh.progress.push_back(slot == nullptr ? kernel::Progress{} : kernel::progress(slot->thread));
      }
      const auto known = suspicions_.find(d.identity);
      if (known == suspicions_.end() || known->second.counts != fresh.counts) {
        still[d.identity] = std::move(fresh);
        continue;
      }
      Suspicion& before = still[d.identity] = known->second;
      if (before.told || !std::equal(fresh.progress.begin(), fresh.progress.end(), before.progress.begin(),
                                     before.progress.end(), kernel::had_its_chance))
        continue;
      before.told = true;
      certain.push_back(d);
    }
    suspicions_ = std::move(still);
    return certain;
  }

  static const gate::Slot* slot_of(ThreadId thread) noexcept {
    for (const gate::Slot& slot : gate::slots())
      if (slot.id.load(std::memory_order_relaxed) == number(thread)) return &slot;
    return nullptr;
  }

  Session& the_;
  MemoryLimit memory_{the_};
  interpose::mpi::Hang hang_{the_};
  Sweeper sweeper_{the_};
  Milliseconds next_sweep_ = tick; ///< from now
  bool for_deadlocks_ = looks_for_deadlocks(the_);
  Milliseconds telling_pause_ = Milliseconds{the_.options().tell_after} * 1000;
  Milliseconds next_telling_ = now() + telling_pause_;
  std::size_t told_ = 0;   ///< findings
  std::vector<Seen> seen_; ///< by slot
  std::size_t quiet_ = 0;  ///< so many slots are
  std::uint64_t quiet_state_ = 0, all_state_ = 0, looked_at_quiet_ = 0, looked_at_all_ = 0;
  Milliseconds last_look_ = 0, pause_ = tick, not_before_ = 0;
  Milliseconds patience_ =
      least_patience; ///< with the threads that are in the tool's code while the others stand still
  std::map<std::uint64_t, Suspicion> suspicions_;
};

void* run(void* the) {
  kernel::note_watcher();
  Watcher(*static_cast<Session*>(the)).watch();
  return nullptr;
}

/// The watcher that nobody has waited for: one thread at a time starts or ends it.
constinit std::optional<pthread_t> thread_to_join;
constinit memory::SpinLock starting_or_ending;

void before_fork() { looking.lock(); }
void after_fork_in_parent() { looking.unlock(); }
void after_fork_in_child() {
  looking.unlock();
  gate::after_fork_in_child(this_thread.slot);
  starting_or_ending.unlock(); // whoever held it is not here
  thread_to_join.reset();
  detail::watching = false;
}

} // namespace

void wake_watcher() noexcept {
  if (wanted.exchange(1, std::memory_order_relaxed) == 0) wake_all(&wanted);
}

void detail::start_watcher() noexcept {
  Session* const the = session();
  if (watching.exchange(true) || the == nullptr) return;
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); });
  const InsideTool inside;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 20);
  pthread_t thread{};
  const memory::SpinGuard guard(starting_or_ending);
  if (pthread_create(&thread, &attributes, run, the) == 0) {
    pthread_setname_np(thread, "fletcher");
    thread_to_join = thread;
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_watcher() noexcept {
  const InsideTool inside;
  const memory::SpinGuard guard(starting_or_ending);
  if (!thread_to_join || pthread_equal(*thread_to_join, pthread_self()) != 0) return;
  over.store(true, std::memory_order_release);
  wake_watcher();
  pthread_join(*thread_to_join, nullptr);
  thread_to_join.reset();
}

} // namespace fletcher::tool
