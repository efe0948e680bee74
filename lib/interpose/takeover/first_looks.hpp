// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code that does what the entry points of the instrumentation begin with (access::told_first, and for a read
// access::told_of_read), to be written over ThreadSanitizer's: the program reaches it by a direct call, as it reached
// those, and enters this library only where the look does not record the access. Relies on the layouts of
// access::Glance and access::Cell, and on where the thread's state has the horizon. For x86-64.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace fletcher::interpose {

/// Runs at any address.
using FirstLook = std::array<std::byte, 256>;

/// The function of this library that is entered where the first look of that entry point does not record the access.
/// Empty: it does not begin with one.
std::string after_first_look(std::string_view entry_point);
/// For such an entry point. `after`: where that function is.
FirstLook first_look(std::string_view entry_point, const void* after) noexcept;

} // namespace fletcher::interpose
