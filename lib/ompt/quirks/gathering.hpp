// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does in the runtime's entry points that end a reduction: the barrier that it may meet there is none of
// OpenMP's, and who combines, and how, no event tells.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::ompt {

struct Frame;

struct Gathering {
  const Frame* member = nullptr; ///< the implicit task that called the entry point; null: none has
  Address pc = 0;                ///< from where
  bool met = false;              ///< the barrier
  bool combines = false;         ///< the thread was chosen to
  /// Whose copies the thread then combines by itself, atomically or, where the machine cannot, in what clang makes a
  /// critical construct. That excludes other teams of a league, too, which the program's own do not.
  const Frame* updates = nullptr;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Gathering gathering{};

/// The running task calls the entry point from `pc`. What it did in an outer one, whose tasks it executes.
Gathering begin_gathering(Address pc) noexcept;

/// Of a reduction with the task modifier: behind the wait of its taskgroup the runtime goes on with the program's code
/// that combines, in the thread that comes last.
struct TaskModifier {
  const Frame* member = nullptr; ///< as above
  bool combines = false;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local TaskModifier task_modifier{};
TaskModifier begin_task_modifier() noexcept;

} // namespace fletcher::ompt
