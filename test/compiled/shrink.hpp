// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a program with a difference smaller, as long as the difference stays.
#pragma once

#include "program.hpp"

#include <functional>

namespace fletcher::compiled {

/// At most `attempts` programs are tried.
Program shrink(Program program, const std::function<bool(Program&)>& differs, unsigned attempts);

} // namespace fletcher::compiled
