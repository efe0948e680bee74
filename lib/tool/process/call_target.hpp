// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function a call goes to, read from the instruction before its return address: directly, through a stub of the
// linker, or through the table of addresses that the dynamic linker fills.
#pragma once

#include "checker/ids.hpp"

#include <optional>

namespace fletcher::tool {

/// The function that the call before `return_address` goes to. Nothing where that is no such call, as before the
/// address that a jump in place of a call leaves, where the memory cannot be read, and on other processors than x86-64.
/// Thread-safe; a few system calls.
std::optional<Address> call_target(Address return_address) noexcept;

} // namespace fletcher::tool
