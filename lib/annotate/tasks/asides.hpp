// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers whose call stack is empty. ThreadSanitizer keeps the call stack by which memory became new. Of tasks that run
// in one another without fibers it is long, and another one each time.
#pragma once

#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/records.hpp"

#include <vector>

namespace fletcher::annotate {

class Asides {
public:
  explicit Asides(const ThreadSanitizer& sanitizer) noexcept : sanitizer_(sanitizer) {}

  /// What `task`, which this thread executes, has ThreadSanitizer do about memory.
  void by_short_stack(const Task& task, auto&& act) {
    if (task.fiber != nullptr || !sanitizer_.has_fibers()) return act();
    void* const here = sanitizer_.current_fiber();
    void* const aside = of_this_thread();
    if (aside == nullptr) return act();
    sanitizer_.switch_to(aside);
    act();
    sanitizer_.switch_to(here);
  }
  /// This thread's is left to another one.
  void end_thread();
  /// Those of this thread and of threads that have ended are no more.
  void destroy_unused();

private:
  void* of_this_thread();

  const ThreadSanitizer& sanitizer_;
  memory::SpinLock lock_;
  std::vector<void*> unused_; ///< of threads that have ended
};

} // namespace fletcher::annotate
