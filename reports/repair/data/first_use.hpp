// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// Data that whoever first needs it sets: all threads come by a critical construct, or C++ sets it once.
std::optional<Repair> repair_first_use(const Group& group, Codes& codes);

} // namespace fletcher::reports
