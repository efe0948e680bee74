// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns table entries (strands, task records, contexts) into the descriptions that findings carry.
#pragma once

#include "checker/access/bytes.hpp"
#include "checker/access/cell.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/finding.hpp"

namespace fletcher::rules {

/// One side of a finding: who, where, holding what. `strand` must not be older than the horizon.
AccessDescription describe(constructs::Execution& execution, StrandId strand, ContextId site, access::Kind kind,
                           access::Bytes bytes);
/// The task of a record and its ancestors, innermost first.
std::vector<TaskDescription> lineage(constructs::Execution& execution, order::RecordId record);

/// The stack variable at `address`, if that is what it is: whose stack, and the frame that owns it. O(threads +
/// frames).
ObjectDescription describe_stack(constructs::Execution& execution, Address address);

} // namespace fletcher::rules
