// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's own lines: one write each, on stderr or in the file that log_path names. Usable before the options are
// read, in signal handlers and at exit.
#pragma once

#include <string>
#include <string_view>

namespace fletcher::tool {

/// Where lines go from now on: a file descriptor, stderr at first.
int log_descriptor() noexcept;

/// Appends to `path` from now on. One complaint on stderr if that cannot be opened; then stderr stays.
void log_to(const std::string& path);

/// Writes all of `text`, whatever interrupts.
void write_all(int descriptor, std::string_view text) noexcept;

/// "fletcher: line\n".
void say(std::string_view line);

} // namespace fletcher::tool
