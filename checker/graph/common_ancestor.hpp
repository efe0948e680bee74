// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where two strands of a task graph last had a common past: the place from which a diagnostic explains that they are
// concurrent. Relies on reachability.hpp.
#pragma once

#include "checker/graph/reachability.hpp"

#include <vector>

namespace fletcher::graph {

/// The vertices that are before (or are) both, and before no other such vertex. Several in a graph that is not
/// series-parallel, none for strands without a common past. Complexity: O(vertices²) in the worst case.
std::vector<Vertex> nearest_common_ancestors(const TaskGraph& graph, const Reachability& order, Vertex a, Vertex b);

} // namespace fletcher::graph
