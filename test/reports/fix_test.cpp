// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a fix can be made by inserting a line, and how that line has to stand, in C and in both forms of Fortran.
#include "reports/directives.hpp"
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

/// The line of the construct behind the statement on the first line; 0: it is not sure.
std::uint32_t construct_after(const std::string& name, const std::string& content) {
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  return line_of_construct({workspace.write(name, content), 1, 1}, sources).value_or(0);
}

TEST(ConstructLine, IsItsOwnOrBehindNothingButTheEndsOfBlocks) {
  EXPECT_EQ(construct_after("a.c", "#pragma omp single\n  x = 1;\n"), 1U);
  EXPECT_EQ(construct_after("a.c", "    a[i] = i;\n  }\n\n  // next\n  #pragma omp single\n"), 5U);
  EXPECT_EQ(construct_after("a.f90", "  a(i) = i\n end do\n !$omp end do nowait\n !$OMP single\n"), 4U);
  EXPECT_EQ(construct_after("a.c", "  a[i] =\n    i;\n#pragma omp single\n"), 0U);
  EXPECT_EQ(construct_after("a.f90", "  a(i) = i\n end do\n"), 0U);
}

/// The same of the construct whose body the last line begins.
std::uint32_t construct_around(const std::string& name, const std::string& content) {
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  const auto lines = static_cast<std::uint32_t>(std::count(content.begin(), content.end(), '\n'));
  return line_of_construct_around({workspace.write(name, content), lines, 1}, sources).value_or(0);
}

TEST(ConstructLine, IsItsBodysOrAboveNothingButTheBeginningsOfBlocks) {
  EXPECT_EQ(construct_around("a.c", "\n#pragma omp task shared(a)\n"), 2U);
  EXPECT_EQ(construct_around("a.c", "#pragma omp task \\\n  shared(a) \\\n  shared(b)\n"), 1U);
  EXPECT_EQ(construct_around("a.c", "#pragma omp task\n  {\n\n    // first\n    a = 1;\n"), 1U);
  EXPECT_EQ(construct_around("a.f90", "  !$omp task\n  ! first\n  a = 1\n"), 1U);
  EXPECT_EQ(construct_around("a.c", "#pragma omp task\n  a = 1;\n  b = 1;\n"), 0U);
}

} // namespace
} // namespace fletcher::reports
