// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a fix can be made by inserting a line, and how that line has to stand, in C and in both forms of Fortran.
#include "reports/explain.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fletcher::reports {
namespace {

/// The line to insert before the last one of such a file; empty where a person has to look.
std::string inserted(const std::string& name, const std::string& content) {
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  const auto lines = static_cast<std::uint32_t>(std::count(content.begin(), content.end(), '\n'));
  const FixWords words = fix_words("taskwait", "", {workspace.write(name, content), lines, 1}, {}, sources);
  return words.edit ? words.edit->line : "";
}

TEST(Fix, StandsAsItsStatementDoes) {
  EXPECT_EQ(inserted("a.c", "  x = 1;\n  y = x;\n"), "  #pragma omp taskwait");
  EXPECT_EQ(inserted("a.f90", "  x = 1\n  y = x\n"), "  !$omp taskwait");
}

TEST(Fix, OfFixedFormBeginsInTheFirstColumn) {
  for (const char* name : {"a.f", "A.F", "a.for"})
    EXPECT_EQ(inserted(name, "      x = 1\n      y = x\n"), "!$omp taskwait");
  EXPECT_EQ(inserted("a.f", "\tx = 1\n\ty = x\n"), "!$omp taskwait");
  EXPECT_EQ(inserted("a.f", "   10 y = x\n"), "!$omp taskwait");
}

TEST(Fix, IsLeftToAPersonInTheMidstOfAStatement) {
  EXPECT_EQ(inserted("a.c", "  x = 1 +\n  y;\n"), "");
  EXPECT_EQ(inserted("a.f90", "  x = 1 + &\n  y\n"), "");
  EXPECT_EQ(inserted("a.f", "      x = 1 +\n     &y\n"), "");
  EXPECT_EQ(inserted("a.f", "\tx = 1 +\n\t1y\n"), "");
}

} // namespace
} // namespace fletcher::reports
