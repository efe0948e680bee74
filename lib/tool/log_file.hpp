// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a log or another file takes no more: nothing is lost, and the program is not ended.
#pragma once

#include <string_view>

namespace fletcher::tool {

/// Writes all of `text`, whatever interrupts. False, and errno, where that cannot be.
bool write_whole(int descriptor, std::string_view text) noexcept;

/// The file of log_to takes no more: lines go to stderr from now on, as one there says. False where they went there.
bool leave_log_file(int error) noexcept;

/// To where lines go, and to stderr where a file takes no more.
void write_log(std::string_view text) noexcept;

} // namespace fletcher::tool
