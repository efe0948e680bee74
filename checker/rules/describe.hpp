// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns table entries (strands, task records, contexts) into the descriptions that findings carry.
#pragma once

#include "checker/access/cells/bytes.hpp"
#include "checker/access/cells/cell.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/finding.hpp"

namespace fletcher::rules {

/// One side of a finding: who, where, holding what. `strand`, of `task` or of the task that it is an undeferred part
/// of, must not be older than the horizon. `other`: the other side's task.
AccessDescription describe(constructs::Execution& execution, StrandId strand, order::RecordId task, ContextId site,
                           access::Kind kind, access::Bytes bytes, order::RecordId other = order::RecordId::none);
/// The same of what the thread does now.
AccessDescription describe(constructs::Execution& execution, access::ThreadState& thread, ContextId site,
                           access::Kind kind, access::Bytes bytes);
/// The task of a record and its ancestors, innermost first: of a long list both ends, and where the way of the task
/// parts from that of `other`.
std::vector<TaskDescription> lineage(constructs::Execution& execution, order::RecordId record,
                                     order::RecordId other = order::RecordId::none);

/// Whether of so many tasks of a list the one with the index is always shown: both ends are.
constexpr bool is_near_an_end(std::size_t index, std::size_t count) {
  constexpr std::size_t innermost = 24, outermost = 8;
  return index < innermost || index + outermost >= count;
}

/// The stack variable at `address`, if that is what it is: whose stack, and the frame that owns it. O(threads +
/// frames).
ObjectDescription describe_stack(constructs::Execution& execution, Address address);

} // namespace fletcher::rules
