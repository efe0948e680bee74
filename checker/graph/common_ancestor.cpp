// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common ancestors without those from which another is reached.
#include "checker/graph/common_ancestor.hpp"

#include <algorithm>

namespace fletcher::graph {

std::vector<Vertex> nearest_common_ancestors(const TaskGraph& graph, const Reachability& order, Vertex a, Vertex b) {
  std::vector<Vertex> common;
  for (const Vertex vertex : boost::make_iterator_range(boost::vertices(graph)))
    if (order.reaches(vertex, a) && order.reaches(vertex, b)) common.push_back(vertex);
  std::vector<Vertex> nearest;
  std::copy_if(common.begin(), common.end(), std::back_inserter(nearest), [&](Vertex vertex) {
    return std::none_of(common.begin(), common.end(),
                        [&](Vertex other) { return other != vertex && order.reaches(vertex, other); });
  });
  return nearest;
}

} // namespace fletcher::graph
