// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of a program or a region: strands as vertices, guaranteed orders as edges, each with its reason.
// Relies on Boost.Graph for the container, so that its algorithms apply; what builds it is graph_builder.hpp.
#pragma once

#include "checker/events.hpp"
#include "checker/ids.hpp"

#include <boost/graph/adjacency_list.hpp>

#include <cstdint>
#include <string_view>

namespace fletcher::graph {

enum class NodeKind : std::uint8_t {
  strand,      ///< a maximal stretch of one task without a synchronisation point
  task_end,    ///< the completion of an explicit task: its body has ended and its event, if any, is fulfilled
  fork,        ///< the start of a team
  join,        ///< the end of a team
  barrier,     ///< one execution of a barrier by a team
  taskgroup,   ///< the end of a taskgroup
  depend_wait, ///< a taskwait with depend, as a sibling in the dependence order
  object,      ///< what was released on an object up to some point in time
};

/// The event after which a strand runs.
enum class Began : std::uint8_t {
  task_begin,
  task_creation,
  parallel_end,
  barrier,
  taskwait,
  taskgroup,
  undeferred_end,
  depend_wait,
  fulfill,
  ordered_begin,
  ordered_end,
  doacross_source,
  doacross_sink,
  release,
  acquire,
  lock_acquired,
  lock_released,
};

enum class EdgeReason : std::uint8_t {
  program_order,
  fork,
  join,
  creation, ///< creating strand -> the task's first
  body_end, ///< the last strand of a body -> the task's completion
  fulfill,  ///< the strand that called omp_fulfill_event -> the task's completion
  taskwait,
  taskgroup,
  barrier,
  dependence, ///< sibling's completion -> the task's first strand; the edge carries the address (0: omp_all_memory)
  undeferred, ///< body of an undeferred task -> its creator's next strand
  ordered,
  doacross,
  release,
  acquire,
  lock_order, ///< only where asked for: this run's order of critical sections
};

struct Node {
  NodeKind kind = NodeKind::strand;
  TaskId task = TaskId::none; ///< of a strand, a task_end, a taskgroup, a depend_wait
  TeamId team = TeamId::none;
  TeamId region = TeamId::none; ///< the outermost team around it; none in the serial part
  std::uint32_t ordinal = 0;    ///< of a strand within its task, of a barrier within its team; from 0
  Began began = Began::task_begin;
  Address pc = 0; ///< of the construct that began it, 0 where unknown
};

struct Edge {
  EdgeReason reason = EdgeReason::program_order;
  Address address = 0;
};

using TaskGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node, Edge>;
using Vertex = boost::graph_traits<TaskGraph>::vertex_descriptor;
using EdgeId = boost::graph_traits<TaskGraph>::edge_descriptor;

std::string_view name(NodeKind kind) noexcept;
std::string_view name(Began began) noexcept;
std::string_view name(EdgeReason reason) noexcept;

} // namespace fletcher::graph
