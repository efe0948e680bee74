// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a function of the process begins and ends, local functions, too, and where it goes on after an exception: from
// its unwind information, in the form that compilers write it.
#pragma once

#include "checker/ids.hpp"

#include <optional>
#include <vector>

namespace fletcher::tool {

struct FunctionExtent {
  Address begin = 0, end = 0;
};
/// The function around the address, or that part of it. Nothing where it has no unwind information.
std::optional<FunctionExtent> function_around(Address code) noexcept;

/// What goes on at `pad` after an exception that comes out of a call in [begin, end).
struct LandingPad {
  Address begin = 0, end = 0, pad = 0;
};
/// Of the function around the address. Nothing where the information has another form.
std::optional<std::vector<LandingPad>> landing_pads_around(Address code);

} // namespace fletcher::tool
