// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of ThreadSanitizer's reports may be no race at all: it knows no fences, takes a compiler's reads for the
// program's, what libstdc++ does for any thread for what that thread does, and knows no order that libraries have.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::annotate {

/// Better not reported. `finding` is what one became.
bool may_be_unfounded(const Finding& finding);

} // namespace fletcher::annotate
