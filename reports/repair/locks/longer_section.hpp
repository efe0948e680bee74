// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is unset too early, or set too late: one side of the race stands in the same block behind the call that
// unsets it, or in front of the call that sets it. The call moves to the other side of the access; so does the end of a
// critical construct's block.
#pragma once

#include "reports/repair/repair.hpp"

#include <optional>

namespace fletcher::reports {

std::optional<Repair> longer_section(const Group& group, Codes& codes);

} // namespace fletcher::reports
