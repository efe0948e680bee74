// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frame that one thread writes often and others read seldom: a sequence lock (Boehm, Can seqlocks get along with
// programming language memory models?, MSPC 2012).
#pragma once

#include "checker/call_frame.hpp"
#include "checker/memory/spin_lock.hpp"

#include <atomic>

namespace fletcher::constructs {

/// A write is five plain stores, with another walk a lock. A read that meets a write finds nothing.
class LatestFrame {
public:
  /// `walk`: from the frame outward, where known.
  void write(const CallFrame& frame, const std::shared_ptr<const StackWalk>& walk) noexcept {
    if (walk != walk_) { // nobody else writes
      const memory::SpinGuard guard(lock_);
      walk_ = walk;
    }
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    pc_.store(frame.pc, std::memory_order_relaxed);
    stack_pointer_.store(frame.stack_pointer, std::memory_order_relaxed);
    frame_pointer_.store(frame.frame_pointer, std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }
  CallFrame read() const noexcept {
    const std::uint32_t version = version_.load(std::memory_order_acquire);
    const CallFrame frame{pc_.load(std::memory_order_relaxed), stack_pointer_.load(std::memory_order_relaxed),
                          frame_pointer_.load(std::memory_order_relaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    return version % 2 == 0 && version == version_.load(std::memory_order_relaxed) ? frame : CallFrame{};
  }

  std::shared_ptr<const StackWalk> walk() const noexcept {
    const memory::SpinGuard guard(lock_);
    return walk_;
  }

private:
  std::atomic<std::uint32_t> version_{0};
  std::atomic<Address> pc_{0}, stack_pointer_{0}, frame_pointer_{0};
  mutable memory::SpinLock lock_; ///< guards walk_
  std::shared_ptr<const StackWalk> walk_;
};

} // namespace fletcher::constructs
