// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first argument of the entry points that clang's programs call, as the compiler and the runtime have agreed on it
// (ident_t), for calls that this library makes in a program's place.
#pragma once

#include <cstdint>

namespace fletcher::interpose {

struct Place {
  std::int32_t reserved_1 = 0, flags = 2, reserved_2 = 0, reserved_3 = 0;
  const char* source = ";unknown;unknown;0;0;;";
};
static_assert(sizeof(Place) == 24);
inline constexpr Place place{};

} // namespace fletcher::interpose
