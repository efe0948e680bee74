// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of a file or module in which one function keeps what it needs for the time of a call: each thread can have
// its own.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

std::optional<Repair> own_workspace(const Group& group, Codes& codes);

} // namespace fletcher::reports
