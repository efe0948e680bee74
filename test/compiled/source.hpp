// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints programs as one C source file, each a function, and notes in them which line is which access.
#pragma once

#include "program.hpp"

#include <span>
#include <string>

namespace fletcher::compiled {

std::string print(std::span<Program> programs);

/// Its lines of the source, with their numbers.
std::string excerpt(const std::string& source, const Program& program);

} // namespace fletcher::compiled
