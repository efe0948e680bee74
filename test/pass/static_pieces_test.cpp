// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops with a static schedule are divided, and which constructs tell a thread who it is.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

constexpr const char* levels[]{" -O0", " -O1"};

/// A region of a function.
Compiled of(const std::string& body, const std::string& level) {
  return compile("#include <stdio.h>\nint use(int*, int); int value(void);\n"
                 "void f(int n, int* a, int* b) {\n#pragma omp parallel\n{ " +
                     body + " } }",
                 "-fopenmp" + level);
}

std::string loop(const std::string& body, const std::string& clauses = "") {
  return "\n#pragma omp for schedule(static) " + clauses + "\nfor (int i = 0; i < n; i++) { " + body + " }\n";
}

TEST(StaticPieces, IterationsChunksAndSectionsAreDivided) {
  for (const char* level : levels) {
    EXPECT_THAT(of(loop("a[i] = b[i];"), level).checks, IsSupersetOf({"first_piece 0", "next_piece"})) << level;
    EXPECT_THAT(of("\n#pragma omp for schedule(static, 5)\nfor (int i = 0; i < n; i++) a[i] = b[i];", level).checks,
                IsSupersetOf({"begin_chunks 5", "next_chunk"}))
        << level;
    EXPECT_THAT(of("\n#pragma omp sections\n{ a[0] = 1;\n#pragma omp section\nb[0] = 1; }", level).checks,
                IsSupersetOf({"first_piece 1", "next_piece"}))
        << level;
    EXPECT_THAT(of("\n#pragma omp for schedule(dynamic)\nfor (int i = 0; i < n; i++) a[i] = b[i];", level).checks,
                Not(Contains("next_piece")))
        << level;
  }
}

TEST(StaticPieces, IterationsThatNeedEarlierOnesOfTheThreadStayTogether) {
  for (const char* level : levels)
    for (const char* body : {"a[k++] = i;", "if (k < 0) k = i; a[k]++;", "if (k) a[i] = a[k]; k = i;", "b[i] = k++;",
                             "if (k++ < 4) a[0] = i;", "own[i % 4] = i; a[own[0]] = i;"})
      EXPECT_THAT(of("int k = 0, own[4] = {0}; " + loop(body), level).checks, Not(Contains("next_piece")))
          << body << level;
  EXPECT_THAT(of("int own[4];" + loop("a[i] = use(own, i);"), " -O1").checks, Not(Contains("next_piece")));
}

TEST(StaticPieces, VariablesThatEachIterationFillsOrThatAreOnlyBroughtUpToDateDoNotKeepThemTogether) {
  for (const char* level : levels)
    for (const char* body : {"k += a[i]; b[i] = i;", "k = a[i]; b[k] = i;", "for (k = 0; k < 3; k++) a[i + k] = i;",
                             "const int v = a[i]; if (v > k) k = v;", "int own[4]; a[i] = use(own, i);"})
      EXPECT_THAT(of("int k = 0; " + loop(body), level).checks, Contains("next_piece")) << body << level;
  for (const char* level : levels)
    EXPECT_THAT(
        of("static int k, last;" + loop("k += a[i]; last = a[i];", "reduction(+ : k) lastprivate(last)"), level).checks,
        Contains("next_piece"))
        << level;
}

TEST(StaticPieces, AnObjectThatEachIterationCopiesDoesNotKeepThemTogether) {
  const auto with = [](const std::string& body, const char* level) {
    return of("struct S { int v[4]; } own = {{1, 2}}; int k = 0; struct P { int* p; } at = {&k};" + loop(body), level);
  };
  for (const char* level : levels)
    EXPECT_THAT(with("struct S copy = own; a[copy.v[0]] = use(copy.v, i);", level).checks, Contains("next_piece"));
  EXPECT_THAT(with("struct S copy = own; a[copy.v[0]] = i; own.v[0] = i;", " -O1").checks, Not(Contains("next_piece")));
  EXPECT_THAT(with("struct P copy = at; a[(*copy.p)++] = i;", " -O1").checks, Not(Contains("next_piece")));
}

TEST(StaticPieces, AnObjectThatEachIterationFillsMemberByMemberDoesNotKeepThemTogether) {
  const std::string object = "struct S { int k, m; double d; } own = {0}; ";
  for (const char* level : levels) {
    EXPECT_THAT(of(object + loop("own.k = i; own.m = 1; a[own.k] = own.m;"), level).checks, Contains("next_piece"));
    for (const char* body : {"if (!own.m) own.k = i; own.m = 1; a[own.k]++;", "own.m = own.k; own.k = i; a[own.m]++;"})
      EXPECT_THAT(of(object + loop(body), level).checks, Not(Contains("next_piece"))) << body << level;
  }
}

TEST(StaticPieces, WhatTheCompilerPassesOnDoesNotTellAThreadWhichOneItIs) {
  const auto chunks = [](const std::string& body, const std::string& clauses = "") {
    return "int k = 0;\n#pragma omp for schedule(dynamic) " + clauses + "\nfor (int i = 0; i < n; i++) {" + body +
           "\na[0] = i; }\n";
  };
  for (const char* level : levels) {
    EXPECT_THAT(of(chunks("if (!k) k = i; a[k]++;"), level).checks, Contains("knows_thread"));
    for (const std::string& code :
         {chunks("\n#pragma omp task shared(a, b)\na[i] = b[i];"),
          chunks("\n#pragma omp task depend(out : a[i])\na[i] = 1;"),
          chunks("\n#pragma omp parallel shared(a, b)\na[i] = b[i];"),
          chunks("\n#pragma omp ordered depend(sink : i - 1)\na[i] = 1;\n#pragma omp ordered depend(source)",
                 "ordered(1)")})
      EXPECT_THAT(of(code, level).checks, Not(Contains("knows_thread"))) << code << level;
  }
}

TEST(StaticPieces, WhoKeepsWhatAConstructLeftKnowsItself) {
  const std::string later = loop("if (k) b[0]++;");
  for (const char* level : levels) {
    for (const std::string& before :
         {std::string("\n#pragma omp single nowait\nk = 1;\n"), std::string("\n#pragma omp master\nk = 1;\n"),
          loop("k = i;"), std::string("\n#pragma omp for schedule(dynamic)\nfor (int i = 0; i < n; i++) k = i;\n")}) {
      EXPECT_THAT(of("int k = 0;" + before + later, level).checks, Contains("knows_thread")) << before << level;
      EXPECT_THAT(of("int k = 0;" + before + loop("k = a[i]; b[k] = i;"), level).checks, Not(Contains("knows_thread")))
          << before << level;
    }
    EXPECT_THAT(of("int k;\n#pragma omp single copyprivate(k)\nk = value();\n" + later, level).checks,
                Not(Contains("knows_thread")))
        << level;
  }
}

TEST(StaticPieces, ATeamThatAnIfClauseMakesOneIsToldOf) {
  const auto code = compile("void f(int n, int* a) {\n#pragma omp parallel for if (n > 9)\n"
                            "for (int i = 0; i < n; i++) a[i] = i; }",
                            "-fopenmp");
  EXPECT_THAT(code.checks, Contains("team_is_sized"));
}

} // namespace
} // namespace fletcher::test
