// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is loaded into the process, so that addresses can be reported as places in files.
#pragma once

#include "reports/document/document.hpp"

#include <vector>

namespace fletcher::tool {

/// The module that `pc` is in is known from now on, also after it was closed. `program`: the path of the executable,
/// which the loader does not tell. Cheap for a module that is known.
void remember_module(Address pc, const std::string& program);

/// What is loaded now, and of what was remembered what no later module lies upon.
std::vector<reports::Module> known_modules(const std::string& program);

/// Path of the file that this library's code is in: libfletcher.so, or the executable that it is linked into.
std::string own_path();

} // namespace fletcher::tool
