// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lambda that captures a variable by reference and uses it as its own: it sets it before it reads it, and nothing
// else names it. Declared inside, each call has its own.
#pragma once

#include "reports/repair/repair.hpp"

#include <optional>

namespace fletcher::reports {

std::optional<Repair> own_local(const Group& group, Codes& codes);

} // namespace fletcher::reports
