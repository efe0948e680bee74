// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The depend clauses of one task's children, in creation order, and which earlier sibling each new one waits for.
// Only the lists count, not what the runtime reports: it is silent about predecessors that have finished.
#pragma once

#include "checker/events.hpp"
#include "checker/graph/task_graph.hpp"

#include <map>
#include <span>
#include <vector>

namespace fletcher::graph {

class SiblingDependences {
public:
  struct Predecessor {
    Vertex end;      ///< of the earlier sibling
    Address address; ///< that both name; 0 where one of them names omp_all_memory
  };

  /// The next sibling in creation order: `end` is its completion. Returns the siblings that it waits for directly
  /// (those before them follow by transitivity), each once.
  std::vector<Predecessor> add(Vertex end, std::span<const Dependence> list);

private:
  /// A set of siblings that are unordered among themselves as far as one address is concerned; a new set waits for
  /// the whole set before it.
  enum class SetType : std::uint8_t { exclusive, readers, mutexinoutset, inoutset };
  struct History {
    std::vector<Vertex> previous, latest;
    SetType type = SetType::exclusive;
  };
  static SetType set_type(DependenceType type) noexcept;
  static void wait_for(std::vector<Predecessor>& out, const std::vector<Vertex>& set, Vertex self, Address address);

  std::map<Address, History> histories_;
  History untouched_; ///< of every address that was not named since the last omp_all_memory
};

/// The same by the letter of the specification: must a sibling with `later` wait for an earlier one with `earlier`?
bool dependent(std::span<const Dependence> earlier, std::span<const Dependence> later) noexcept;

} // namespace fletcher::graph
