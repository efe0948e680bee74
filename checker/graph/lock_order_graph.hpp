// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock-order graph: an edge leads from a lock to each lock that somebody waited for while holding it (Havelund,
// GoodLock, SPIN 2000). Tells which edges can be part of a cycle, so that most acquisitions need not be looked at.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fletcher::graph {

/// Not thread-safe. Locks are named by any number.
class LockOrderGraph {
public:
  /// O(1) where the edge is known or goes with the order that is known so far; else O(graph).
  void add(std::uint64_t held, std::uint64_t wanted);
  /// False only where no cycle goes through the edge. O(1).
  bool may_be_on_cycle(std::uint64_t held, std::uint64_t wanted) const;
  bool contains(std::uint64_t lock) const { return vertices_.contains(lock); }
  /// The lock's life is over: its edges go, and its name may come to mean another lock.
  void remove(std::uint64_t lock);
  void clear();

private:
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS>;
  Graph::vertex_descriptor vertex(std::uint64_t lock);

  Graph graph_;
  std::unordered_map<std::uint64_t, Graph::vertex_descriptor> vertices_;
  std::vector<Graph::vertex_descriptor> free_; ///< of removed locks
  std::vector<std::int64_t> component_;        ///< of each vertex; may be too large after a removal, never too small
  std::int64_t lowest_ = 0, highest_ = 0;      ///< of all numbers of components
};

} // namespace fletcher::graph
