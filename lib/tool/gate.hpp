// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is telling events, seen from another thread: each thread counts into a slot of its own when it enters and leaves
// the tool's code, and a gate that is closed for a moment keeps it from entering. So the watcher (watcher.hpp) reads
// the checker's tables in peace, and sees which threads have not reported anything for how long. Costs two plain stores
// and a load where the gate is open: what a store and the following load need of order, the one that closes the gate
// gets from the kernel (membarrier).
#pragma once

#include "checker/ids.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include <sys/types.h>

namespace fletcher::tool::gate {

/// Of one thread at a time; never freed, used again when its thread has ended.
struct alignas(64) Slot {
  std::atomic<std::uint64_t> count{0}; ///< odd: the thread is in the tool's code
  std::atomic<pid_t> thread{0};        ///< the kernel's number; 0: free
  std::atomic<std::uint32_t> id{0};    ///< ThreadId
};

inline constinit std::atomic<std::uint32_t> closed{0}; ///< 1: it is; the kernel waits on it

/// Waits until the gate is open.
void wait_outside(Slot& slot) noexcept;

/// The thread of `mine` (null: it has none) enters the tool's code, and leaves it.
[[gnu::always_inline]] inline void enter(Slot* mine) noexcept {
  if (mine == nullptr) return;
  mine->count.store(mine->count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (closed.load(std::memory_order_acquire) != 0) [[unlikely]]
    wait_outside(*mine);
}
[[gnu::always_inline]] inline void leave(Slot* mine) noexcept {
  if (mine != nullptr) mine->count.store(mine->count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// The current thread, which is in the tool's code, becomes visible, or ceases to be. Null where there is no slot left.
Slot* take_slot(ThreadId id) noexcept;
void give_back(Slot* mine) noexcept;

/// All slots ever taken. New ones may be added meanwhile.
std::span<Slot> slots() noexcept;

/// What the first closing would do before it closes: the kernel takes ten milliseconds for it where there are threads.
void prepare() noexcept;

/// Closes the gate and waits until no thread is inside. False, with the gate open again, where one stays inside longer
/// than `patience`: the others stand still meanwhile, and where there are more threads than processors the one may have
/// to wait for many of them. By one thread at a time, one that has no slot.
bool close(std::chrono::milliseconds patience) noexcept;
void open() noexcept;

/// Of a child of fork, which has the forking thread only: that of `mine`.
void after_fork_in_child(const Slot* mine) noexcept;

} // namespace fletcher::tool::gate
