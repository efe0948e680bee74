// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer printed of a race as a finding like the checker's own: addresses, tasks, and why.
#pragma once

#include "checker/finding.hpp"
#include "lib/annotate/reports/text.hpp"
#include "reports/document/document.hpp"

#include <optional>
#include <span>

namespace fletcher::annotate {

/// Nothing where one of the two places is not in exactly one of the modules.
std::optional<Finding> finding_of(const PrintedRace& race, std::span<const reports::Module> modules);

} // namespace fletcher::annotate
