// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a fix can be made by inserting a line, and how that line has to stand, in C and in both forms of Fortran.
#include "reports/explanation/explain.hpp"
#include "reports/source/directives.hpp"
#include "reports/source/statement_places.hpp"
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
  return words.edit ? words.edit->text : "";
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

TEST(Fix, IsLeftToAPersonWhereTheLineIsNotAStatementOfItsOwn) {
  for (const char* text : {
           "  if (c) {\n    a = 1;\n  } else if (x) y = 1;\n",  // another branch
           "  do {\n    a = 1;\n  }\n  while (x);\n",           // asked each time round
           "  a = 1;\n  while (x) y = 1;\n",                    //
           "  for (int i = 0;\n       i < x;\n",                // in a head of several lines
           "  int v[] = {\n    x, 1};\n",                       // in a list of values
           "  int v[] =\n  {\n    x, 1};\n",                    //
           "  std::vector<int> v{\n    x, 1};\n",               //
           "  if (c) // as a rule;\n    y = x;\n",              // the only statement under a condition
           "  if (c)\n#define z a = 1;\n    y = x;\n",          //
           "#pragma omp critical\n  y = x;\n",                  // the statement of a construct
           "  try {\n    a = 1;\n  } catch (...) { y = x; }\n", //
           "  switch (c) {\n    a = 1;\n  case 1: y = x;\n",    // who jumps there does not pass
           "  a = 1;\nout: y = x;\n",                           //
       })
    EXPECT_EQ(inserted("a.cpp", text), "") << text;
  for (const char* text : {
           "  if (c) then\n    a = 1\n  ELSE IF (x > 0) then\n", // another branch
           "  select case (c)\n  CASE default; y = x\n",         //
           "  a = 1\n  do while (x > 0)\n",                      // asked each time round
           "  y = a + & ! and more\n    x\n",                    // continued
       })
    EXPECT_EQ(inserted("a.f90", text), "") << text;
}

TEST(Fix, StandsBehindCommentsAndOtherDirectives) {
  for (const char* text : {
           "  x = 7; // the value\n  y = x;\n",
           "  x = 7; /* the value */\n  y = x;\n",
           "  x = 7;\n  /* of several\n     lines; */\n  y = x;\n",
           "  x = 7;\n#ifdef FAST\n  y = x;\n",
           "  f(\"(\", '(');\n  y = x;\n",
           "  while (c) {\n  y = x;\n",
           "#pragma omp taskwait\n  y = x;\n",
           "  x = 7;\n  std::use(x);\n",
       })
    EXPECT_EQ(inserted("a.cpp", text), "  #pragma omp taskwait") << text;
}

bool directly_in_region(const std::string& content) {
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  const auto lines = static_cast<std::uint32_t>(std::count(content.begin(), content.end(), '\n'));
  return is_directly_in_region({workspace.write("a.c", content), lines, 1}, sources);
}

/// Else not all threads may come there, and a barrier would be one that some wait at for ever.
TEST(Fix, ByABarrierStandsInTheBlockOfTheRegion) {
  EXPECT_TRUE(directly_in_region("#pragma omp parallel\n  {\n    f();\n    y = x;\n"));
  EXPECT_TRUE(directly_in_region("#pragma omp parallel \\\n  shared(x)\n  {\n    if (c) { a(); }\n    y = x;\n"));
  EXPECT_FALSE(directly_in_region("#pragma omp parallel\n  {\n    if (c) {\n      y = x;\n"));
  EXPECT_FALSE(directly_in_region("#pragma omp parallel\n  {\n#pragma omp critical\n    {\n      y = x;\n"));
  EXPECT_FALSE(directly_in_region("#pragma omp parallel for\n  for (;;)\n  {\n    y = x;\n"));
  EXPECT_FALSE(directly_in_region("#pragma omp parallel sections\n  {\n    y = x;\n"));
  EXPECT_FALSE(directly_in_region("void f(void) {\n  y = x;\n"));
}

/// The line of the construct behind the statement on the first line; 0: it is not sure.
std::uint32_t construct_after(const std::string& name, const std::string& content) {
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  return line_of_construct({workspace.write(name, content), 1, 1}, sources).value_or(0);
}

TEST(ConstructLine, IsItsOwnOrBehindNothingButTheEndsOfBlocks) {
  EXPECT_EQ(construct_after("a.c", "#pragma omp single\n  x = 1;\n"), 1U);
  EXPECT_EQ(construct_after("a.c", "  #  pragma\tomp  single\n  x = 1;\n"), 1U);
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
