// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short forms that services of continuous integration read: a line or an entry for each finding. What counts
// against the program only: neither what is suppressed nor what is in the baseline.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// A failed test case for each finding, a passed one for each program in which there is none. As Jenkins, GitLab and
/// most others read it.
std::string junit_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources);

/// GitLab's code quality report: JSON by Code Climate's specification.
std::string code_quality_report(const std::vector<Diagnostic>& diagnostics, const SourceText& sources);

/// GitHub's workflow commands, a line each, which become annotations of the changed files.
std::string github_annotations(const std::vector<Diagnostic>& diagnostics, const SourceText& sources);

} // namespace fletcher::reports
