// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of worksharing and of what else happens inside a team: loops, sections, masked, reductions, cancellation.
#pragma once

#include "checker/ids.hpp"

namespace fletcher {

enum class WorkKind : std::uint8_t {
  loop_static,
  loop_dynamic,
  loop_guided,
  loop_other,
  sections,
  single_executor,
  single_other,
  workshare,
  distribute,
  taskloop,
  scope,
};

struct Work {
  ThreadId thread;
  TaskId task;
  TeamId team;
  WorkKind kind;
  bool begin = false;
  std::uint64_t count = 0;
  Address pc = 0;
  bool end_untold = false; ///< at a begin: the end will be reported late, when the thread has gone on already
};

enum class DispatchKind : std::uint8_t { iteration, section, loop_chunk, taskloop_chunk, distribute_chunk, piece };
/// A piece is a part of a loop with a static schedule that another thread of a larger team would execute, or a section.
struct Dispatch {
  ThreadId thread;
  TaskId task;
  TeamId team;
  DispatchKind kind;
  std::uint64_t start = 0;
  std::uint64_t iterations = 0;
};

struct Masked {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool begin = false;
  Address pc = 0;
};

/// The runtime combines reduction copies between begin and end; nothing in between is the program's access.
/// (Combination is what comes after it.)
struct Reduction {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool begin = false;
  Address pc = 0;
};

/// After a gathering, the thread adds to the original list items, in the program's code, what all of the team have come
/// to: any of them could have.
struct Combination {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool begin = false;
};

enum class CancelKind : std::uint8_t { parallel, sections, loop, taskgroup };
struct Cancel {
  ThreadId thread;
  TaskId task;
  CancelKind kind;
  bool activated = false;
  bool discarded = false;
  Address pc = 0;
};

struct ErrorDirective {
  ThreadId thread;
  bool fatal = false;
  const char* message = nullptr;
  std::size_t length = 0;
  Address pc = 0;
};

} // namespace fletcher
