// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the process that are made to lead elsewhere: their first five bytes become a jump to a stub near by,
// which goes on to any address, or to other code there; or other code takes their place. For x86-64.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <span>

namespace fletcher::interpose {

/// Whole pages of code.
struct CodePart {
  Address begin;
  std::size_t size;
};

inline constexpr std::size_t jump_size = 5;

/// A function, of at least so many bytes, and where its calls are to go.
struct Jump {
  Address from;
  const void* to;
  std::span<const std::byte> code{}; ///< is put near by and runs instead; it goes on itself
};

/// A function, of at least so many bytes, and the code in its place.
struct Replacement {
  Address at;
  std::span<const std::byte> code;
};

/// All of them, in that part of the code. False: nothing was changed, because there is no memory near by or the system
/// does not let code be changed. No other thread may be in that code. Calls no function that might be among them.
bool rewrite(const CodePart& code, std::span<const Jump> jumps, std::span<const Replacement> replacements) noexcept;

} // namespace fletcher::interpose
