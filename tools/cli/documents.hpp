// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The documents that a command is given: files, and folders of what `fletcher run --collect` left.
#pragma once

#include <string>
#include <vector>

namespace fletcher::cli {

/// Folders are replaced by the documents in them, in the order of their names. Throws where a folder has none.
std::vector<std::string> documents_in(const std::vector<std::string>& paths);

} // namespace fletcher::cli
