// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are still needed when they begin with a jump elsewhere (code_jumps.hpp): the instructions that the
// jump takes the place of are copied, and the copy goes on to the rest. For x86-64.
#pragma once

#include "checker/ids.hpp"

#include <span>
#include <vector>

namespace fletcher::interpose {

/// Where each of the functions can be called once its first `jump_size` bytes are others. Empty: one begins with
/// something that cannot be moved, or the system gives no memory for code. Nothing is changed in the functions.
std::vector<Address> move_beginnings(std::span<const Address> functions);

} // namespace fletcher::interpose
