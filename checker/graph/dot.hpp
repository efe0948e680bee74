// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task graph as text for Graphviz: a box a task, a line a kind of edge. Relies on task_graph.hpp; the caller gives
// the stream and, where it can, the names of places.
#pragma once

#include "checker/graph/task_graph.hpp"

#include <functional>
#include <iosfwd>
#include <string>

namespace fletcher::graph {

struct DotOptions {
  bool reduce = true;                        ///< leave out the edges that follow from others
  TeamId region = TeamId::none;              ///< draw this region only
  std::function<std::string(Address)> place; ///< a text for a pc; without it none is shown
  std::function<std::string(Vertex)> note;   ///< more text for a node
  std::function<bool(Vertex)> highlight;     ///< draw these strands in red
};

void write_dot(std::ostream& out, const TaskGraph& graph, const DotOptions& options = {});

} // namespace fletcher::graph
