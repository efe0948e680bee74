// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files, read and written with one clear line of error. Relies on POSIX.
#pragma once

#include "reports/document/result.hpp"

#include <string>
#include <string_view>

namespace fletcher::reports {

Result<std::string> read_file(const std::string& path);

/// Readers see the old file or the new one, never a part. What is not a regular file (/dev/stdout, a pipe) is written
/// directly.
Result<Done> write_file_atomically(const std::string& path, std::string_view content);

} // namespace fletcher::reports
