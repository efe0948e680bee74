// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as SARIF 2.1.0, as code scanning services and editors read it. Carries what the text form does, with both
// call stacks as thread flows, fingerprints, and fixes that can be applied.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// The key of our fingerprints in partialFingerprints; raise the number when fingerprint.cpp changes its mind.
inline constexpr const char* fingerprint_name = "fletcherFinding/v2";

/// `runs`: what the diagnostics come from, at least one. Files below the sources' root are relative to %SRCROOT%.
/// `warnings`: one-line problems of the rendering itself.
std::string sarif_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                         const std::vector<std::string>& warnings);

} // namespace fletcher::reports
