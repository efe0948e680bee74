// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not known of a function that the program calls: for advice about a run, which needs to know that it does not.
#pragma once

#include "checker/ids.hpp"

#include <cstdint>
#include <string_view>

namespace fletcher::interpose {

enum class Unseen : std::uint8_t {
  nothing, ///< all that it does is reported, or it accesses no memory of the program's
  output,  ///< it writes to a stream, or reads from one: the order of such calls matters
  memory,  ///< it may access anything
};

/// `function`: what stands behind the symbol. Not of functions that a table knows.
Unseen unseen_of(std::string_view symbol, Address function) noexcept;

} // namespace fletcher::interpose
