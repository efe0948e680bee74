// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots and the gate.

#include "lib/tool/gate.hpp"

#include "lib/tool/gate_cost.hpp"
#include "lib/tool/process/futex.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>

namespace fletcher::tool::gate {

namespace {

constexpr std::size_t most_threads = 4096; ///< further ones have no slot: then nothing is watched
constinit std::array<Slot, most_threads> all{};
constinit std::atomic<std::size_t> used{0};
constinit std::atomic<bool> too_many{false};
constinit std::atomic<bool> some_waited{false};

void sleep_microseconds(long time) noexcept {
  const timespec span{0, time * 1000};
  nanosleep(&span, nullptr);
}

bool registered() noexcept {
  static const bool done = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return done;
}

/// After it, every thread's next load sees what this one stored before, and this one sees what they stored.
void order_all_threads() noexcept {
  if (registered() && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sleep_microseconds(20'000); // no store stays in a processor's buffer for so long
}

} // namespace

void wait_outside(Slot& mine) noexcept {
  while (closed.load(std::memory_order_acquire) != 0) {
    some_waited.store(true, std::memory_order_relaxed);
    mine.count.fetch_add(1, std::memory_order_release); // outside
    while (closed.load(std::memory_order_relaxed) != 0) wait_on(&closed, 1);
    mine.count.fetch_add(1, std::memory_order_seq_cst);
  }
}

Slot* take_slot(ThreadId id) noexcept {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  for (std::size_t i = 0; i < most_threads; ++i) {
    pid_t free = 0;
    if (!all[i].thread.compare_exchange_strong(free, self)) continue;
    all[i].id.store(number(id), std::memory_order_relaxed);
    std::size_t known = used.load();
    while (known <= i && !used.compare_exchange_weak(known, i + 1)) {
    }
    enter(&all[i]);
    return &all[i];
  }
  too_many = true;
  return nullptr;
}

void give_back(Slot* mine) noexcept {
  if (mine == nullptr) return;
  mine->id.store(0, std::memory_order_relaxed);
  mine->count.store((mine->count.load(std::memory_order_relaxed) | 1) + 1, std::memory_order_release);
  mine->thread.store(0, std::memory_order_release);
}

void prepare() noexcept { registered(); }

std::span<Slot> slots() noexcept { return {all.data(), used.load(std::memory_order_acquire)}; }

bool close(std::chrono::milliseconds patience) noexcept {
  if (too_many) return false;
  prepare();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  some_waited.store(false, std::memory_order_relaxed);
  closed.store(1, std::memory_order_seq_cst);
  order_all_threads();
  for (Slot& s : slots())
    while ((s.count.load(std::memory_order_acquire) & 1) != 0) {
      if (std::chrono::steady_clock::now() > deadline) {
        open();
        return false;
      }
      sleep_microseconds(50);
    }
  return true;
}

void open() noexcept {
  closed.store(0, std::memory_order_release);
  wake_all(&closed);
}

bool kept_out() noexcept { return some_waited.load(std::memory_order_relaxed); }

void after_fork_in_child(const Slot* mine) noexcept {
  open();
  for (Slot& s : slots()) {
    if (&s == mine) {
      s.thread.store(static_cast<pid_t>(syscall(SYS_gettid)));
      continue;
    }
    s.count.store(0);
    s.id.store(0);
    s.thread.store(0);
  }
}

} // namespace fletcher::tool::gate
