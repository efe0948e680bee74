// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is loaded into the process, so that addresses can be told as places in files.
#pragma once

#include "reports/document.hpp"

#include <vector>

namespace fletcher::tool {

/// `program`: the path of the executable, which the loader does not tell.
std::vector<reports::Module> loaded_modules(const std::string& program);

/// Path of the file that this library's code is in: libfletcher.so, or the executable that it is linked into.
std::string own_path();

} // namespace fletcher::tool
