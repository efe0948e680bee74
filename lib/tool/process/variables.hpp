// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The static variables of loaded modules, by the symbol tables of their files.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <optional>

namespace fletcher::tool {

struct StaticVariable {
  Address begin = 0;
  std::size_t size = 0;
  bool exported = false; ///< other modules may have it by its name
};

/// The static variable that `address` is in; nothing where no symbol tells, as in a stripped file. Thread-safe. Reads
/// the module's file the first time; then O(log(its variables)).
std::optional<StaticVariable> variable_at(Address address);

} // namespace fletcher::tool
