// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition that looks at a number which others update meanwhile, a bound in a search: it looks at a copy, which is
// read in the same kind of construct as the update is then in.
#pragma once

#include "reports/repair/data/accesses.hpp"

#include <optional>

namespace fletcher::reports {

/// Where one statement updates the variable and one `if` reads it.
std::optional<Repair> copy_for_condition(const Accesses& accesses);

} // namespace fletcher::reports
