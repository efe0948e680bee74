// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that each iteration, or task, sets before it reads it, and that nobody reads afterwards: it can be
// private.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <optional>

namespace fletcher::reports {

std::optional<Repair> private_copy(const Diagnostic& race, const Code& code, const DirectiveText& construct);

} // namespace fletcher::reports
