// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits for data that is set where it is first needed, for locks that are set in the order of addresses or by a
// condition, and for values of which any one may stay.
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::reports {
namespace {

Diagnostic set_and_read(const Marks& marks) {
  return race(Cause::missing_mutual_exclusion, "value", in_thread(marks['1']), in_thread(marks['2'], AccessType::read));
}

TEST(RepairOfFirstUse, TheTestIsMadeInTheCriticalConstructOnly) {
  const auto tested = [](const std::string& set, const std::string& outer = "if (!ready) {") {
    return edits_of("a.c",
                    "static int ready, value;\nint f(void) {\n  " + outer +
                        "\n#pragma omp critical (first)\n    if (!ready) {\n      value = 7; @1\n      " + set +
                        "\n    }\n  }\n  return value; @2\n}\n",
                    set_and_read);
  };
  EXPECT_EQ(tested("ready = 1;"), "=3 {");
  EXPECT_EQ(tested("ready = g();"), "");
  EXPECT_EQ(tested("ready = 0;"), "");
  EXPECT_EQ(tested("ready = 1;", "if (other) {"), "");
}

TEST(RepairOfFirstUse, TheTestIsMadeUnderTheMutexOnly) {
  const auto tested = [](const std::string& guard) {
    return edits_of(
        "a.cpp",
        "static bool ready;\nstatic int value;\nint f() {\n  if (!ready) {\n    " + guard +
            "\n    if (!ready) {\n      value = 7; @1\n      ready = true;\n    }\n  }\n  return value; @2\n}\n",
        set_and_read);
  };
  EXPECT_EQ(tested("std::lock_guard<std::mutex> guard(mutex);"), "=4 {");
  EXPECT_EQ(tested("std::scoped_lock guard{mutex};"), "=4 {");
  EXPECT_EQ(tested("std::unique_lock<std::mutex> guard(mutex, std::defer_lock);"), "");
  EXPECT_EQ(tested("compute(); std::lock_guard<std::mutex> guard(mutex);"), "");
}

/// The pointer to it is set before the data is.
TEST(RepairOfFirstUse, MemoryIsAllocatedInTheCriticalConstruct) {
  EXPECT_EQ(
      edits_of(
          "a.c",
          "static double *value;\ndouble f(int n) {\n  if (!value) {\n#pragma omp critical (first)\n    if (!value) {"
          "\n      value = (double*)malloc(n * 8);\n      value[0] = 7; @1\n    }\n  }\n  return value[0]; @2\n}\n",
          set_and_read),
      "=3 {");
}

TEST(RepairOfFirstUse, ATestWithoutAConstructGetsOne) {
  const auto tested = [](const std::string& statement, const std::string& elsewhere = "") {
    return edits_of(
        "a.c", "static int value;\n" + elsewhere + "int f(void) {\n  " + statement + " @1\n  return value; @2\n}\n",
        set_and_read);
  };
  EXPECT_EQ(tested("if (!value) value = 7;"), "+3 #pragma omp critical (value_initialisation)");
  EXPECT_EQ(tested("if (value == 0) value = 7;"), "+3 #pragma omp critical (value_initialisation)");
  EXPECT_EQ(tested("if (value == 0) value = compute();"), "") << "it may be 0 again";
  EXPECT_EQ(tested("if (value == 0) value = 7;", "void again(void) { value = 0; }\n"), "");
}

TEST(RepairOfFirstUse, CppInitialisesAStaticVariableOnce) {
  const auto tested = [](const std::string& value, const std::string& file = "a.cpp") {
    return edits_of(file,
                    "int f(int n) {\n  static int value = 0;\n  if (value == 0) value = " + value +
                        "; @1\n  return value; @2\n}\n",
                    set_and_read);
  };
  EXPECT_EQ(tested("compute()"), "=2 static int value = compute();\n-3");
  EXPECT_EQ(tested("compute(n)"), "") << "another call would have another value";
  EXPECT_EQ(tested("compute()", "a.c"), "");
}

Diagnostic two_orders(const Marks& marks) {
  return of_rule(Rule::lock_order_cycle, marks['2'], {marks['1'], marks['2'], marks['1']}, "lock order cycle");
}

TEST(RepairOfLockOrder, ByTheAddressesOfTheElements) {
  const auto set = [](const std::string& first, const std::string& second) {
    return edits_of(
        "a.c", "void f(void) {\n  g();\n  omp_set_lock(" + first + "); @1\n  omp_set_lock(" + second + "); @2\n}\n",
        two_orders);
  };
  EXPECT_EQ(set("&a->lock", "&b->lock"),
            "=3 omp_set_lock(a < b ? &a->lock : &b->lock);\n=4 omp_set_lock(a < b ? &b->lock : &a->lock);");
  EXPECT_EQ(set("&a->lock", "&b->other"), "");
  EXPECT_EQ(set("c ? &x : y", "c ? y : &x"), "=3 omp_set_lock(&x);\n=4 omp_set_lock(y);");
  EXPECT_EQ(set("c ? &x : y", "d ? y : &x"), "");
  EXPECT_EQ(set("c() ? &x : y", "c() ? y : &x"), "");
}

TEST(RepairOfExclusion, OfValuesThatAllThreadsWriteAnyOneMayStay) {
  const auto written = [](const std::string& region, const std::string& then) {
    return edits_of("a.c", "static int last;\nvoid f(void) {\n" + region + "\n  {\n    last = g(); @1\n" + then + "}\n",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_private_or_reduction, "last", in_thread(marks['1']),
                                            in_thread(marks['1']));
                      out.declared = {marks['1'].file, 1, 1};
                      return out;
                    });
  };
  EXPECT_EQ(written("#pragma omp parallel", "  }\n  h(last);\n"), "+5 #pragma omp atomic write");
  EXPECT_EQ(written("#pragma omp parallel", "    h(last);\n  }\n  h(last);\n").find("atomic"), std::string::npos)
      << "each thread may mean its own";
  EXPECT_EQ(written("#pragma omp parallel", "  }\n").find("atomic"), std::string::npos);
}

} // namespace
} // namespace fletcher::reports
