// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ lambda expressions: code that runs when somebody calls it, though it stands in another function.
#pragma once

#include "reports/repair/source/code.hpp"

#include <optional>

namespace fletcher::reports {

/// The innermost lambda's body around a line that captures by reference.
std::optional<Extent> lambda_around(const Code& code, std::uint32_t line);

} // namespace fletcher::reports
