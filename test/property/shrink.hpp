// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a failing program smaller, step by step, as long as it still fails.
#pragma once

#include "program.hpp"

#include <functional>

namespace fletcher::property {

/// The smallest program found for which `fails` still holds. `fails(program)` must hold to begin with.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

} // namespace fletcher::property
