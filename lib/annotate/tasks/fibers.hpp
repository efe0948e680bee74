// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers of ThreadSanitizer's for explicit tasks, each with a stack: what tasks that one thread executes have on one
// stack would look as if they shared it. A task gets the fiber that has been unused for longest, once there are enough:
// what two tasks with one fiber did is in order for ThreadSanitizer, so the two should be far from each other.
#pragma once

#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/thread_sanitizer.hpp"

#include <cstddef>

namespace fletcher::annotate {

struct Fiber {
  void* handle = nullptr;
  Address stack = 0; ///< its high end
  std::size_t size = 0;
  Fiber* next = nullptr;
};

class Fibers {
public:
  explicit Fibers(const ThreadSanitizer& sanitizer) noexcept
      : sanitizer_(sanitizer), origin_(sanitizer.create_fiber("OpenMP")) {}

  /// Null: there are as many as may be, or no memory for one.
  Fiber* take() noexcept;
  void give_back(Fiber& fiber) noexcept;
  /// At the end of the process.
  void destroy_unused() noexcept;

private:
  void put(Fiber& fiber) noexcept;
  Fiber* find(std::size_t stack_size) noexcept;
  Fiber* make(std::size_t stack_size) noexcept;

  const ThreadSanitizer& sanitizer_;
  void* origin_; ///< has done nothing; a fiber comes after all that its creator did. Null at the end
  memory::SpinLock lock_;
  Fiber *first_ = nullptr, *last_ = nullptr; ///< unused, in the order in which they became so
  unsigned unused_ = 0, made_ = 0;
};

} // namespace fletcher::annotate
