// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges of a task graph that are needed to see its order: what a drawing shows. Relies on reachability.hpp.
#pragma once

#include "checker/graph/reachability.hpp"

#include <vector>

namespace fletcher::graph {

/// The edges that no longer path makes superfluous; of parallel edges the first. Program order is always kept, and the
/// edges inside a cycle. Complexity: O(edges · out-degree).
std::vector<EdgeId> transitive_reduction(const TaskGraph& graph, const Reachability& order);

} // namespace fletcher::graph
