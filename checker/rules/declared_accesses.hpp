// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depend clauses alone tell, without a recorded access: conflicting declarations by tasks that are not siblings
// and not ordered (non-sibling-dependence), and tasks that outlive the frame whose variable they name
// (missing-taskwait).
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Each depend item costs one look-up.
class DeclaredAccesses {
public:
  DeclaredAccesses(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}

  /// `task` starts on its thread, after its predecessors.
  void started(access::ThreadState& thread, constructs::Task& task);
  /// `task` was given its depend clauses by a creator whose stack is at `stack_pointer`.
  void declared(access::ThreadState& thread, constructs::Task& task, Address stack_pointer);
  /// `creator` reached a construct, or its end, with its stack at `stack_pointer`: frames below are gone.
  void frames_gone(access::ThreadState& thread, constructs::Task& creator, Address stack_pointer, ContextId place);

private:
  struct Declaration {
    StrandId strand;
    TaskId parent;
    DependenceType type;
    ContextId creation;
  };
  struct Shard {
    memory::SpinLock lock;
    std::unordered_map<Address, std::vector<Declaration>> declarations;
    std::uint32_t generation = 0;
  };
  void conflict(const Declaration& earlier, const Declaration& later, Address address);

  constructs::Execution& execution_;
  Reporter& reporter_;
  std::array<Shard, 64> shards_;
};

} // namespace fletcher::rules
