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

/// The same as the instruction says it: the function or its linkage stub, or the slot that has its address.
struct Called {
  Address at = 0;
  bool is_slot = false;
};
std::optional<Called> called_by(Address return_address) noexcept;

/// The slot with a function's address that the linkage stub at `stub` goes through. Nothing where there is no stub.
std::optional<Address> slot_of_stub(Address stub) noexcept;

} // namespace fletcher::tool
