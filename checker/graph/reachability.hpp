// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who comes before whom in a task graph: by search, and by a table of all answers. Relies on task_graph.hpp only.
#pragma once

#include "checker/graph/task_graph.hpp"

#include <boost/dynamic_bitset.hpp>

#include <vector>

namespace fletcher::graph {

/// Is there a path from `from` to `to`? A vertex reaches itself. Complexity: O(vertices + edges).
bool reaches(const TaskGraph& graph, Vertex from, Vertex to);

/// All answers at once; vertices of a cycle reach each other. Complexity: O(vertices · edges / 64) time, vertices²
/// bits.
class Reachability {
public:
  explicit Reachability(const TaskGraph& graph);
  bool reaches(Vertex from, Vertex to) const { return rows_[component_[from]].test(to); }
  /// Neither is before the other, and they are not the same.
  bool concurrent(Vertex a, Vertex b) const { return !reaches(a, b) && !reaches(b, a); }
  /// Everything at or after `from`.
  const boost::dynamic_bitset<>& after(Vertex from) const { return rows_[component_[from]]; }

private:
  std::vector<std::size_t> component_;
  std::vector<boost::dynamic_bitset<>> rows_; ///< by strong component
};

} // namespace fletcher::graph
