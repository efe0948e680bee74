// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code that does what the entry points of function entry and exit do as a rule (lib/instrument/function_entry),
// to be put near the program's own code: of two calls for each function of the program most of the cost is the way to
// this library. Relies on the layouts of access::CallStack and access::Frame. For x86-64.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace fletcher::interpose {

/// Runs at any address.
using FrameCode = std::array<std::byte, 128>;

/// For __tsan_func_entry and __tsan_func_exit. `otherwise`: this library's, which has the other cases.
std::optional<FrameCode> frame_code(std::string_view entry_point, const void* otherwise) noexcept;

} // namespace fletcher::interpose
