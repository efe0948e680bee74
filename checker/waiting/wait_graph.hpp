// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait-for graph in the AND-OR model (Knapp, Deadlock detection in distributed databases, 1987): who can never go on,
// and the shortest circle that shows why. Knows nothing of OpenMP. Built when somebody asks, then thrown away.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include <cstdint>
#include <vector>

namespace fletcher::waiting {

/// When a vertex can go on.
enum class Needs : std::uint8_t {
  nothing, ///< it runs, or nobody knows what it waits for
  one,     ///< when any of those that it waits for can
  all,     ///< when all of them can
  more,    ///< never: what it waits for will not come from those that it waits for
};

class WaitGraph {
public:
  using Vertex = std::size_t;
  struct Edge {
    Vertex from, to;
    std::uint32_t label;
  };

  Vertex add(Needs needs);
  /// `cost` ranks circles: those of cheaper edges are shown.
  void wait(Vertex from, Vertex to, std::uint32_t label, std::uint32_t cost = 1);
  void set(Vertex vertex, Needs needs) { graph_[vertex] = needs; }

  /// Whether each vertex can never go on, whatever those do that can. O(vertices + edges).
  std::vector<bool> stuck() const;

  /// Of every knot (a strong component of stuck vertices that waits for nobody outside of it), one cheapest circle
  /// through one of its first vertices; edges in order. A knot has a circle, or a vertex that waits for nobody at all.
  std::vector<std::vector<Edge>> circles() const;

private:
  struct Reason {
    std::uint32_t label, cost;
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Needs, Reason>;
  Graph graph_;
};

} // namespace fletcher::waiting
