// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line next to another one, for what stands at the edge of a construct.
#pragma once

#include "reports/repair/source/code.hpp"

#include <cstdint>

namespace fletcher::reports {

/// The nearest line with code or a directive above, or below; 0, or one behind the last, where there is none.
std::uint32_t neighbour(const Code& code, std::uint32_t line, bool below);

} // namespace fletcher::reports
