// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// Data that is set where it is first needed: all threads pass a critical construct, or C++ sets it once.
std::optional<Repair> repair_first_use(const Group& group, Codes& codes);

} // namespace fletcher::reports
