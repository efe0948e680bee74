// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work and span of a part of a task graph (Blumofe and Leiserson): the time that all of its strands took, and the time
// of its longest path, which no number of threads can get below.
#pragma once

#include "checker/graph/task_graph.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace fletcher::graph {

struct Span {
  std::uint64_t work = 0;
  std::uint64_t span = 0;
  std::vector<Vertex> path; ///< the critical path, in order
};

/// For each region of the graph (Node::region; none: the serial part) by itself. `times`: by vertex. Empty where the
/// graph has a cycle: such a run does not come to its end.
std::map<TeamId, Span> spans(const TaskGraph& graph, const std::vector<std::uint64_t>& times);

} // namespace fletcher::graph
