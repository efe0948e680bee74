// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random C programs of two tasks: one runs loops over arrays, the other one accesses single elements at the edges and
// in the gaps of what the loops access. What races is known, because the loops are run here as well.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace fletcher::test {

struct RandomLoops {
  std::string source;
  /// The line of each single access that races, and the lines of the loops that it races with.
  std::map<int, std::set<int>> races;
};

RandomLoops random_loops(std::uint32_t seed);

} // namespace fletcher::test
