// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of a run for advice about it: the events that order tasks, and which thread accessed what between which
// of them. Plain data; recorder.hpp fills it.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/graph/trace.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace fletcher::advise {

/// A stretch of a thread's work between two of its events: the index in Run::segments. What comes before a segment has
/// a smaller number.
using SegmentId = std::uint32_t;

struct Segment {
  std::size_t records = 0; ///< of the trace before it
  ThreadId thread = ThreadId::none;
  std::uint32_t locks = 0; ///< index of the set in Run::locksets
  bool by_chance = false;  ///< another thread of the team could have executed it: of its accesses some are not kept
  bool blind = false;      ///< code ran that nobody sees: a library's, of which nothing is known
};

struct HeldLock {
  Mutex mutex;
  Address pc = 0; ///< where it was taken
};

struct Access {
  Address address = 0;
  std::size_t size = 0;
  Address pc = 0;
  SegmentId segment = 0;
  access::Kind kind = access::Kind::read;
};

/// Memory begins a new life: what was accessed there before is something else.
struct Renewal {
  SegmentId before = 0; ///< the first segment of the new life
  Address low = 0, high = 0;
};

/// A place on a stack that a task was given by reference.
struct Capture {
  SegmentId segment = 0;
  TaskId task = TaskId::none;
  Address address = 0;
};

struct StackRange {
  Address low = 0, high = 0;
};

struct Run {
  std::vector<graph::Record> records;
  std::vector<Segment> segments;
  std::vector<std::vector<HeldLock>> locksets{{}};
  std::vector<Access> accesses; ///< by segment
  std::vector<Renewal> renewals;
  std::vector<Capture> captures;
  std::unordered_map<TaskId, std::vector<std::size_t>> item_sizes; ///< of depend items, in bytes; 0: not known
  std::unordered_map<TaskId, Address> stack_bases;                 ///< a task's frames are below this
  std::unordered_map<TeamId, Address> region_frames;               ///< the frames around a region are above this
  std::unordered_map<ThreadId, StackRange> stacks;
  std::vector<Address> combining; ///< barriers at which a reduction is combined
  /// Locks are used for more than sections of one task.
  bool locks_are_signals = false;
  std::string unknown; ///< why nothing can be said; empty: something can
};

/// An access of a library's function to an output stream, of which the order matters and nothing else is known.
inline constexpr Address output_stream = 1;

} // namespace fletcher::advise
