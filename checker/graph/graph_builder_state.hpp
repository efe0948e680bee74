// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the graph builder remembers of a task and of a team while events arrive. Included by its own sources only.
#pragma once

#include "checker/graph/graph_builder.hpp"

namespace fletcher::graph {

struct GraphBuilder::Team {
  TeamId id = TeamId::none; ///< none: the team of one that an initial task is in
  TeamId region = TeamId::none;
  Task* encountering = nullptr;
  std::uint32_t size = 0;
  Vertex fork = 0, join = 0;    ///< unused where id is none
  std::vector<Vertex> barriers; ///< by ordinal; made by the first strand or task that arrives
  std::map<LoopKey, Channel> ordered;
  std::map<const Task*, Vertex> copies; ///< where each member came to the last gathering
  std::map<std::pair<std::uint32_t, std::vector<std::uint64_t>>, Vertex> sources; ///< doacross, by loop and iteration
};

struct GraphBuilder::Task {
  TaskId id = TaskId::none;
  Task* parent = nullptr;
  Team* team = nullptr;
  Vertex strand = 0;
  Vertex end = 0;            ///< of an explicit task: its completion
  std::uint32_t ordinal = 0; ///< of `strand`
  bool explicit_task = false;
  bool undeferred = false;
  bool started = false;
  bool body_ended = false;
  bool closed = false; ///< an implicit task that has reached its team's join
  /// Barriers of the team before this point. An explicit task is in the phase in which it was created: the barrier that
  /// ends the phase waits for it, whichever others have left that barrier by the time an event arrives.
  std::uint32_t phase = 0;
  std::uint32_t loops = 0;        ///< worksharing loops begun
  std::vector<Vertex> unwaited;   ///< ends of children that no taskwait has waited for
  std::vector<Vertex> taskgroups; ///< open ones, innermost last; the first may be the creator's
  SiblingDependences children;
  std::vector<std::pair<Task*, Address>> exclusions; ///< the mutexinoutset items: parent and address
  std::map<Address, Channel> child_exclusion;        ///< by address, for children with mutexinoutset
  std::optional<Vertex> depend_wait;
  Task* interrupted = nullptr; ///< an implicit task: what its thread ran before

  // Of an implicit task, for units of work.
  bool chunks_move = false; ///< it is in a loop whose chunks are units
  bool pieces_move = false; ///< it is in a static loop, whose pieces are
  bool in_unit = false;
  bool knows_thread = false; ///< it held a lock
  Vertex base = 0;           ///< the last barrier, or the region's begin
  Vertex learned = 0;        ///< `base`, and what others told it since; only where the assignment counts
  Vertex outside = 0;        ///< in a unit: where it left its own work
  std::vector<Vertex> units; ///< ends of units since the last barrier
  std::size_t units_before_loop = 0;
  Vertex before_loop = 0; ///< where it left its own work for the loop
  std::vector<Vertex> unwaited_outside;
};

} // namespace fletcher::graph
