// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the checked program has thread-local variables: nobody tells which tasks use them.
#pragma once

#include <atomic>

namespace fletcher::annotate {

class ThreadLocals {
public:
  /// Of the modules that were loaded so far and are built for ThreadSanitizer, one has some of its own, or that cannot
  /// be known. Cheap while no further ones are loaded.
  bool exist();

private:
  std::atomic<unsigned long long> loads_seen_{0};
  std::atomic<bool> found_{false};
};

} // namespace fletcher::annotate
