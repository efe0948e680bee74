// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By which argument a function was given the memory that it accesses: `a[k][j]` of `gemm(a[i][k], a[k][j], c)`; and
// which element of it that is.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/repair/source/code.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// As it stands in the call, without blanks; Fortran's `a(:,k)` by its first element, `a(1,k)`. Empty where the access
/// is by no parameter of a function in this file.
std::string accessed_argument(const std::vector<Frame>& stack, const Site& site, const Code& code);

/// Which element of what it was given the function accesses, in the caller's words: `a[i - 1]`, where `f(a, i)` reads
/// `v[k - 1]`. Empty where other things than parameters choose it.
std::string accessed_element(const std::vector<Frame>& stack, const Site& site, const Code& code);

} // namespace fletcher::reports
