// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens when a program is executed, as a graph: a node for each access and each end of a construct, an edge
// where OpenMP guarantees an order. Read from the program and the specification; Fletcher's own code has no part in it.
#pragma once

#include "program.hpp"

#include <set>
#include <span>
#include <utility>
#include <vector>

namespace fletcher::compiled {

using Node = std::uint32_t;
/// A lock (of task 0), or a mutexinoutset address of a task's children.
using Exclusion = std::pair<std::uint32_t, std::uint64_t>;

struct Performed {
  const Construct* access;
  Node node;
  std::uint32_t task;
  std::set<Exclusion> held;
};

struct Section {
  Exclusion exclusion;
  Node first, last;
};

struct Execution {
  std::vector<std::vector<Node>> next;
  std::vector<Performed> accesses;
  std::vector<Section> sections; ///< in which a task excludes others
  std::uint32_t units = 0;       ///< bodies of single, sections, iterations of dynamic loops: any member can get them
};

/// With `threads` members; unit i is executed by member `executors[i]`, by member 0 where it says nothing.
Execution execute(const Program& program, std::uint32_t threads, std::span<const std::uint32_t> executors);

} // namespace fletcher::compiled
