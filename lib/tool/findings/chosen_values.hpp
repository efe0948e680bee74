// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program reads one of two variables a compiler may read both, and choose then. ThreadSanitizer's
// instrumentation by gcc and by clang 14 and 16 reports both reads, though the program makes one of them only. What the
// instructions do with the value shows which reads may be such ones.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::tool {

/// After the call that reports a read, the code loads the value under a condition, or a condition decides whether the
/// value is used. False where that is not plain, and on other processors than x86-64.
bool is_chosen_afterwards(Address return_address) noexcept;

/// By gcc, or by a compiler whose code asks for gcc's library.
bool has_gccs_sanitizer() noexcept;

/// What is checked was instrumented for ThreadSanitizer alone.
bool is_code_of_sanitizer() noexcept;

/// A data race that may be none in such code, as one of its reads is chosen so.
bool may_be_unread(const Finding& finding) noexcept;

} // namespace fletcher::tool
