// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles of a task graph: strands that wait for each other. Relies on task_graph.hpp only.
#pragma once

#include "checker/graph/task_graph.hpp"

#include <vector>

namespace fletcher::graph {

/// One shortest cycle of every strong component that has one, as edges in order: each edge's target is the next one's
/// source. Empty for a graph that is in order. Complexity: O(vertices + edges) per component with a cycle.
std::vector<std::vector<EdgeId>> cycles(const TaskGraph& graph);

} // namespace fletcher::graph
