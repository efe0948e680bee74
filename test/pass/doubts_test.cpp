// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does that could tell it who it is, but goes nowhere that matters.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* levels[]{" -O0", " -O1", " -O2"};
constexpr const char* unused = "1073741824"; // in the order of the operation

Compiled of(const std::string& body, const std::string& level) {
  return compile("#include <omp.h>\n#include <stdio.h>\n"
                 "int n, m, known; double sum, a[9]; omp_lock_t lock;\n"
                 "static _Thread_local int own, place;\n" +
                     body,
                 "-fopenmp" + level);
}

TEST(Doubts, AnAtomicUpdateWhoseResultIsNotUsedSaysSo) {
  for (const char* level : levels) {
    for (const char* update : {"n++", "n |= 4", "n *= 3", "sum += 0.5", "sum *= 2"}) {
      const auto code = of("void f(void) {\n#pragma omp atomic\n" + std::string(update) + "; }", level);
      EXPECT_THAT(code.code, HasSubstr(unused)) << update << level;
    }
    const auto by_builtin = of("void f(void) { __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED); }", level);
    EXPECT_THAT(by_builtin.code, HasSubstr(unused)) << level;
  }
}

// A larger value is exchanged only where it is larger: then the load may be all that happens.
TEST(Doubts, ALoadSaysWhetherAnExchangeIsSureToFollow) {
  constexpr const char* exchange_follows = "1610612736";
  for (const char* level : levels) {
    EXPECT_THAT(of("void f(void) {\n#pragma omp atomic\nsum *= 2; }", level).code, HasSubstr(exchange_follows))
        << level;
    const auto of_larger = of("void f(int x) { int v = __atomic_load_n(&n, __ATOMIC_RELAXED);\n"
                              "while (v < x && !__atomic_compare_exchange_n(&n, &v, x, 0, 0, 0)) {} }",
                              level);
    EXPECT_THAT(of_larger.code, Not(HasSubstr(exchange_follows))) << level;
  }
}

TEST(Doubts, OneWhoseResultIsUsedDoesNot) {
  for (const char* level : levels)
    for (const char* body :
         {"int f(void) { int v;\n#pragma omp atomic capture\nv = n++;\nreturn v; }",
          "void f(int* p) { p[__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED)] = 1; }",
          "void f(void) { if (__atomic_exchange_n(&n, 1, __ATOMIC_RELAXED) == 0) m = 1; }",
          "void f(void) { int v = 0; if (__atomic_compare_exchange_n(&n, &v, 1, 0, 0, 0)) m = 1; }",
          "void f(int* p) { int v = n; while (!__atomic_compare_exchange_n(&n, &v, v + 1, 0, 0, 0)) {} p[v] = 1; }",
          "void f(void) { int v = n, k = 0; while (!__atomic_compare_exchange_n(&n, &v, v + 1, 0, 0, 0)) k++; m = k; "
          "}"})
      EXPECT_THAT(of(body, level).code, Not(HasSubstr(unused))) << body << level;
}

TEST(Doubts, ANumberThatIsOnlyPrintedIsNotHeardOf) {
  for (const char* level : levels)
    for (const char* body : {"void f(void) { printf(\"%d\", omp_get_thread_num()); }",
                             "void f(void) { if (omp_get_thread_num() == 0) printf(\"start\"); }",
                             "void f(void) { int t = omp_get_thread_num(); if (t == 0) puts(\"start\"); }"}) {
      const auto code = of(body, level);
      EXPECT_THAT(code.checks, Contains(HasSubstr("get_thread_num"))) << body << level << code.code;
      EXPECT_THAT(code.checks, Not(Contains(HasSubstr("asked")))) << body << level << code.code;
    }
}

// In C++ code of a region a routine is invoked, with a way for exceptions.
TEST(Doubts, SoItIsWithOneThatIsInvoked) {
  for (const char* level : levels)
    for (const char* body :
         {"printf(\"%d\", omp_get_thread_num());", "if (omp_get_thread_num() == 0) puts(\"start\");"}) {
      const auto code =
          of("void f() {\n#pragma omp parallel\n{ " + std::string(body) + " } }", level + std::string(" -x c++"));
      EXPECT_THAT(code.checks, Contains(HasSubstr("get_thread_num"))) << body << level << code.code;
      EXPECT_THAT(code.checks, Not(Contains(HasSubstr("asked")))) << body << level << code.code;
    }
}

TEST(Doubts, OneThatIsStoredIsHeardOfThen) {
  for (const char* level : levels) {
    const auto code = of("void f(void) { known = omp_get_thread_num(); m = 1; }", level);
    EXPECT_THAT(code.checks, testing::ElementsAre("get_thread_num", "write4", HasSubstr("asked"), "write4"))
        << level << code.code;
  }
}

TEST(Doubts, OneThatLeadsSomewhereIsHeardOf) {
  for (const char* level : levels)
    for (const char* body :
         {"void f(void) { a[omp_get_thread_num()] = 1; }", "void f(void) { if (omp_get_thread_num() == 0) m = 1; }",
          "void f(void) { if (omp_get_thread_num() != 0) return; m = 1; }",
          "int f(void) { return omp_get_thread_num(); }", "void g(int); void f(void) { g(omp_get_thread_num()); }",
          "void f(void) { int k = 0; if (omp_get_thread_num() == 0) k = 1; a[k] = 1; }",
          "void f(void) { int t = omp_get_thread_num(); double* p = a; while (t--) p++; *p = 1; }"})
      EXPECT_THAT(of(body, level).checks, Not(Contains(HasSubstr("get_thread_num")))) << body << level;
}

TEST(Doubts, ALockAroundUpdatesTellsNothing) {
  for (const char* level : levels)
    for (const char* body :
         {"void f(void) {\n#pragma omp critical\nsum += 0.5; }",
          "void f(double x) {\n#pragma omp critical\nif (sum < x) sum = x; }",
          "void f(double x) { omp_set_lock(&lock); sum += x; n++; omp_unset_lock(&lock); }",
          "void f(double* s, double x) { x *= 2;\n#pragma omp critical\n*s += x; }",
          "void f(int i) {\n#pragma omp critical\nsum += a[i]; }",
          "void f(int m) { for (int i = 0; i < m; i++)\nif (a[i])\n#pragma omp critical\nn++;\n}",
          "void f(int i) {\n#pragma omp critical\n{ sum += i; __asm__ volatile(\"\" ::\"r\"(n) : \"memory\"); } }",
          "void f(void) {\n#pragma omp critical\nn = 3; }"})
      EXPECT_THAT(of(body, level).code, HasSubstr("only_updates(i32 1)")) << body << level;
}

TEST(Doubts, OneUnderWhichANumberCanBeDrawnMay) {
  for (const char* level : levels)
    for (const char* body :
         {"int f(void) { int v;\n#pragma omp critical\nv = n++;\nreturn v; }",
          "void f(void) { int v;\n#pragma omp critical\nv = n++;\na[v] = 1; }",
          "void f(void) {\n#pragma omp critical\nknown = n++; }",
          "void f(int* p) {\n#pragma omp critical\n{ *p = n; n++; } }",
          "void f(void) { int v = 0;\n#pragma omp critical\nif (n == 0) { n = 1; v = 1; }\nif (v) m = 1; }",
          "void f(void) {\n#pragma omp critical\nif (n == 0) { n = 1; known = 1; } }",
          "void f(void) {\n#pragma omp critical\n{ a[n] = 1; n++; } }",
          "void f(void) {\n#pragma omp critical\n{ n++; __asm__ volatile(\"nop\"); } }",
          "void g(void); void f(void) {\n#pragma omp critical\ng(); }"})
      EXPECT_THAT(of(body, level).code, Not(HasSubstr("only_updates(i32 1)"))) << body << level;
}

// In regions nobody else knows what is counted in.
TEST(Doubts, ALockAroundACounterSaysSo) {
  for (const char* level : levels)
    for (const char* body :
         {"int f(void) { int c = 0;\n#pragma omp parallel\n{\n#pragma omp critical\nc++;\n}\nreturn c; }",
          "int f(void) { int c[4] = {0};\n#pragma omp parallel for\nfor (int i = 0; i < 4; i++) {\n#pragma omp "
          "critical\n"
          "c[i] += i;\n}\nreturn c[1]; }",
          "static int c; int main(void) {\n#pragma omp parallel\n{\n#pragma omp critical\nc++;\n}\nprintf(\"%d\", c); "
          "}",
          "static void g(int* c) { omp_set_lock(&lock); *c += 2; omp_unset_lock(&lock); }\n"
          "int f(void) { int c = 0;\n#pragma omp parallel\ng(&c);\nreturn c; }"})
      EXPECT_THAT(of(body, level).code, HasSubstr("only_counts(i32 1)")) << body << level;
}

TEST(Doubts, OneThatSomebodyLooksAtDoesNot) {
  for (const char* level : levels)
    for (const char* body :
         {"void f(void) { int c = 0;\n#pragma omp parallel\n{\n#pragma omp critical\nc++;\nif (c == 2) m = 1;\n} }",
          "void f(void) { int c = 0, v;\n#pragma omp parallel private(v)\n{\n#pragma omp critical\nc++;\n"
          "#pragma omp critical\nv = c;\nif (v == 2) m = 1;\n} }",
          "void g(int*); void f(void) { int c = 0; g(&c);\n#pragma omp parallel\n{\n#pragma omp critical\nc++;\n} }",
          "void f(void) { int c = 0;\n#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(c)\n{\n"
          "#pragma omp critical\nc++;\n}\nif (c) m = 1; } }",
          "static int c; void f(void) {\n#pragma omp parallel\n{\n#pragma omp critical\nc++;\n} }\n"
          "int g(void) { return c; }",
          "__attribute__((noinline)) static void g(int* c) { omp_set_lock(&lock); *c += 2; omp_unset_lock(&lock); }\n"
          "void f(void) { int c = 0, d = 0;\n#pragma omp parallel\n{ g(&c); g(&d);\nif (d == 2) m = 1; } }",
          "void f(int v) { int c = 0, d = 0;\n#pragma omp parallel\n{ int* p = &c;\nif (v) p = &d;\n#pragma omp "
          "critical\n"
          "*p += 1;\nif (d == 2) m = 1; } }",
          "void f(void) {\n#pragma omp parallel\n{\n#pragma omp critical\nn++;\n} }",
          "void f(void) { int c = 0;\n#pragma omp parallel\n{\n#pragma omp critical\n{ c++; n = 1; }\n} }"})
      EXPECT_THAT(of(body, level).code, Not(HasSubstr("only_counts"))) << body << level;
}

TEST(Doubts, OneThatKeepsWhatItLearnsSaysSo) {
  for (const char* level : levels)
    for (const char* body : {"void f(void) {\n#pragma omp critical\n{ a[n] = 1; n++; } }",
                             "void f(void) {\n#pragma omp critical\nif (n == 0) { n = 1; known = 1; } }",
                             "__attribute__((noinline)) static void g(int i) { a[n++] = i; }\n"
                             "void f(int i) { omp_set_lock(&lock); g(i); omp_unset_lock(&lock); m = 1; }",
                             "void f(void) { omp_set_lock(&lock); int v = n++; a[v] = 1; omp_unset_lock(&lock); }",
                             "void f(void) {\n#pragma omp critical\nprintf(\"%d\", n); }"})
      EXPECT_THAT(of(body, level).code, HasSubstr("keeps_inside(i32 1)")) << body << level;
}

TEST(Doubts, OneOfWhichSomethingGoesOnDoesNot) {
  for (const char* level : levels)
    for (const char* body :
         {"int f(void) { int v;\n#pragma omp critical\nv = n++;\nreturn v; }",
          "void f(void) { int v = 0;\n#pragma omp critical\nif (n == 0) { n = 1; v = 1; }\nif (v) m = 1; }",
          "void f(void) { omp_set_lock(&lock); if (n++) { omp_unset_lock(&lock); return; } omp_unset_lock(&lock); m = "
          "1; }",
          "void g(void); void f(void) {\n#pragma omp critical\ng(); }",
          "void f(void (*g)(void)) {\n#pragma omp critical\ng(); }",
          "__attribute__((noinline)) static void g(int* p) { *p = n++; omp_unset_lock(&lock); a[*p] = 1; "
          "omp_set_lock(&lock); }\nvoid f(int* p) { omp_set_lock(&lock); g(p); omp_unset_lock(&lock); }",
          "void f(void) { omp_set_lock(&lock); n++; }"})
      EXPECT_THAT(of(body, level).code, Not(HasSubstr("keeps_inside(i32 1)"))) << body << level;
  // Without optimisation the library sees who reads such a variable.
  for (const char* level : {" -O1", " -O2"})
    for (const char* body : {"void f(int* p) { omp_set_lock(&lock); *p = n; n++; omp_unset_lock(&lock); }",
                             "__attribute__((noinline)) static void g(int* p) { *p = n++; }\n"
                             "void f(void) { int v; omp_set_lock(&lock); g(&v); omp_unset_lock(&lock); a[v] = 1; }"})
      EXPECT_THAT(of(body, level).code, Not(HasSubstr("keeps_inside(i32 1)"))) << body << level;
}

TEST(Doubts, AThreadsOwnCounterIsNotChecked) {
  for (const char* level : levels) {
    const auto counted = of("void f(void) { own++; printf(\"%d\", own); }", level);
    EXPECT_THAT(counted.checks, testing::IsEmpty()) << level << counted.code;
    for (const char* body : {"void f(void) { a[own++] = 1; }", "void f(void) { if (!own++) m = 1; }",
                             "int* f(void) { return &own; }", "void f(void) { m = own; }"})
      EXPECT_THAT(of(body, level).checks, Not(testing::IsEmpty())) << body << level;
  }
}

TEST(Doubts, TheAddressOfAThreadsOwnVariableIsANumber) {
  for (const char* level : levels) {
    const auto code = of("int f(int* p) { return p == &place; }", level);
    EXPECT_THAT(code.checks, Contains(HasSubstr("asked"))) << level << code.code;
  }
}

} // namespace
} // namespace fletcher::test
