// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc makes a load and a compare-exchange of what no single instruction does: an `atomic` update of a floating-point
// number, or how a reduction's copy comes to the variable. Its instrumentation knows the load only. The code behind the
// call shows the exchange, and whether the program does anything with the value. Read off the machine code, once for
// each place.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace fletcher::instrument {

enum class ExchangeBehind : std::uint8_t {
  none,   ///< or not known to be there
  alone,  ///< the values before and after it go nowhere else
  is_used ///< or not known not to be
};

/// `pc` is inside the call that loads `size` bytes at `object`. The thread is certain to come to the exchange.
ExchangeBehind exchange_behind(Address pc, Address object, std::size_t size) noexcept;

} // namespace fletcher::instrument
