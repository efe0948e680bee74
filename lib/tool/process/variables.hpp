// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the static variables of loaded modules are, by the symbol tables of their files.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <optional>

namespace fletcher::tool {

/// The size in bytes of the static variable that `address` is in; nothing where no symbol tells, as in a stripped file.
/// Thread-safe. Reads the module's file the first time; then O(log(its variables)).
std::optional<std::size_t> size_of_variable(Address address);

} // namespace fletcher::tool
