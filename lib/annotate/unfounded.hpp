// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of ThreadSanitizer's reports may be no race at all: it knows no fences, takes a compiler's reads for the
// program's, and what libstdc++ does for any thread for what that thread does.
#pragma once

#include "checker/finding.hpp"
#include "lib/annotate/report_text.hpp"

namespace fletcher::annotate {

/// Better not told. `finding` is what `race` became.
bool may_be_unfounded(const PrintedRace& race, const Finding& finding);

} // namespace fletcher::annotate
