// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edit a race of tasks gets in which source, and where it gets none: clauses, waits, copies, flags.
#include "test/reports/marked_races.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::reports {
namespace {

TEST(Repair, TasksThatSayNothingGetDependClauses) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task shared(x) @c
  x = 1; @w
#pragma omp task depend(out: y) \
    shared(x) @c
  y = x; @r
})",
                     {Cause::missing_dependence, "x", TaskKind::explicit_}),
            "");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task shared(x) @c
  x = 1; @w
#pragma omp task depend(out: y) @c
  y = x; @r
})",
                     {Cause::missing_dependence, "x", TaskKind::explicit_}),
            "#pragma omp task shared(x) depend(inout: x)\n#pragma omp task depend(out: y) depend(in: x)");
}

TEST(Repair, OneItemIsForAllTasksOfABlock) {
  const About array{.cause = Cause::missing_dependence,
                    .variable = "a",
                    .task = TaskKind::explicit_,
                    .whole = false,
                    .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task depend(out: a[2]) @c
    a[2] = 5; @w
#pragma omp task depend(in: a[1]) depend(out: b) @c
    b = a[2]; @r
  }
})",
                     array),
            "#pragma omp task depend(in: a[2]) depend(out: b)");
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task @c
    fill(a); @w
#pragma omp task shared(b) @c
    b = a[2]; @r
  }
})",
                     array),
            "#pragma omp task depend(inout: a)\n#pragma omp task shared(b) depend(in: a)");
  // Another task is ordered by the item that does not match here.
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task depend(out: a[2]) @c
    a[2] = 5; @w
#pragma omp task depend(out: a[1])
    a[1] = 5;
#pragma omp task depend(in: a[1]) @c
    b = a[2] + a[1]; @r
  }
})",
                     array),
            "#pragma omp task depend(in: a[1]) depend(in: a[2])");
  for (const char* const reader : {"    if (n)\n#pragma omp task @c\n    b = a[2]; @r\n", // under a condition
                                   "    for (int j = 0; j < n; j++) {\n#pragma omp task @c\n    b = a[2]; @r\n    }\n"})
    EXPECT_EQ(
        repaired("a.c",
                 std::string("int a[8];\nvoid f(void) {\n  {\n#pragma omp task depend(out: a[2]) @c\n    a[2] = 5; "
                             "@w\n") +
                     reader + "  }\n}",
                 array),
        "");
  // Which element it is depends on the loop, and the reader reads another one.
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  for (int i = 1; i < 8; i++) {
#pragma omp task depend(out: a[i]) @c
    a[i] = 5; @w
#pragma omp task @c
    use(a[i - 1]); @r
  }
})",
                     array),
            "");
}

TEST(Repair, ATaskThatSetsOneElementAndReadsAnotherNamesBoth) {
  const auto chain = [](const std::string& clauses) {
    return repaired(
        "a.c",
        "int a[4];\nvoid f(void) {\n#pragma omp single\n  {\n#pragma omp task depend(out: a[2]) @c\n    a[2] = "
        "5; @w\n#pragma omp task " +
            clauses + " @c\n    a[3] = a[2] + 1; @r\n  }\n}\n",
        {Cause::missing_dependence, "a", TaskKind::explicit_, false, false});
  };
  EXPECT_EQ(chain("depend(out: a[3])"), "#pragma omp task depend(out: a[3]) depend(in: a[2])");
  EXPECT_EQ(chain("depend(in: a[1]) depend(out: a[3])"), "#pragma omp task depend(in: a[2]) depend(out: a[3])");
}

TEST(Repair, TasksOfAWavefrontNameWhatTheyRead) {
  EXPECT_EQ(
      repaired("a.c", R"(int a[8][8];
void f(void) {
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 8; j++)
#pragma omp task depend(in: a[i][j - 1]) depend(out: a[i][j]) @c
      a[i][j] = a[i - 1][j] + a[i][j - 1]; @u
})",
               {.cause = Cause::missing_dependence, .variable = "a", .task = TaskKind::explicit_, .whole = false}),
      "#pragma omp task depend(in: a[i][j - 1]) depend(out: a[i][j]) depend(in: a[i - 1][j])");
}

TEST(Repair, AFlagReleasesAndAcquires) {
  const About data{.variable = "data", .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int data, flag;
void f(void) {
#pragma omp parallel @c
  {
    if (me() == 0) {
      data = 42; @w
#pragma omp atomic write
      flag = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
      use(data); @r
    }
  }
})",
                     data),
            "#pragma omp atomic write release\n#pragma omp atomic read acquire");
  EXPECT_EQ(repaired("a.c", R"(int data, flag, other;
void f(void) {
#pragma omp parallel @c
  {
    if (me() == 0) {
      data = 42; @w
#pragma omp atomic write
      other = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
      use(data); @r
    }
  }
})",
                     data),
            "");
}

TEST(Repair, ThreadsWaitForEachOtherBetweenTwoStatements) {
  const About all{.variable = "a", .whole = false, .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
#pragma omp parallel @c
  {
    int me = number();
    a[me] = me; @w
    use(a[(me + 1) % 8]); @r
  }
})",
                     all),
            "#pragma omp barrier");
  for (const std::string around : {"if (me < 4)", "for (int k = 0; k < 9; k++)"})
    EXPECT_EQ(repaired("a.c",
                       "int a[8];\nvoid f(void) {\n#pragma omp parallel @c\n  {\n    int me = number();\n    " +
                           around + " {\n      a[me] = me; @w\n      use(a[(me + 1) % 8]); @r\n    }\n  }\n}",
                       all),
              "")
        << around;
}

TEST(Repair, ATaskDeclaresWhatItDoes) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task depend(in: y, x) @c
  x++; @u
})",
                     {Cause::wrong_dependence_type, "x", TaskKind::explicit_}),
            "#pragma omp task depend(inout: x) depend(in: y)");
}

/// A read in the task at line 5 and a write at the line of the mark.
std::string copied(const std::string& body, std::uint32_t write, const std::string& declaration = "int i;") {
  const Workspace workspace;
  const std::string file = workspace.write("a.c", "void f(void) {\n  " + declaration +
                                                      "\n  while (i < n) {\n#pragma omp task shared(i)\n    " + body +
                                                      "\n    i++;\n  }\n}\n");
  Diagnostic race;
  race.cause = Cause::missing_taskwait;
  race.variable = "i";
  race.whole_variable = true;
  race.declared = {file, 2, 0};
  race.place = {file, 5, 1};
  race.sites = {{race.place, AccessType::read, {file, 4, 1}, TaskKind::explicit_, {}},
                {{file, write, 1}, AccessType::write, {}, TaskKind::implicit, {}}};
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  const auto found = repair({&race}, codes);
  return found ? found->edits.front().text : "";
}

TEST(Repair, ATaskThatOnlyReadsGetsACopy) {
  EXPECT_EQ(copied("use(i);", 6), "#pragma omp task firstprivate(i)");
  EXPECT_EQ(copied("use(i);", 6, "struct node *i = first;"), "#pragma omp task firstprivate(i)");
  EXPECT_EQ(copied("use(i);", 6, "char *i[9];"), "");
  EXPECT_EQ(copied("use(&i);", 6), "");
  EXPECT_EQ(copied("{ use(i); i = 0; }", 6), "");
  EXPECT_EQ(copied("use(i);", 5), "");
}

TEST(Repair, TasksThatAreNoSiblingsAreOrderedByTheirParents) {
  const About about{Cause::non_sibling_dependence, "x", TaskKind::explicit_};
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp single
  {
#pragma omp task shared(x)
  {
#pragma omp task depend(out: x) @c
    x = 1; @w
  }
#pragma omp task depend(in: x) @c
  y = x; @r
  }
})",
                     about),
            "#pragma omp task shared(x) depend(out: x)\n#pragma omp taskwait");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp single
  {
#pragma omp task depend(out: x)
  {
#pragma omp task depend(out: x) @c
    x = 1; @w
  }
#pragma omp task depend(in: x) @c
  y = x; @r
  }
})",
                     about),
            "#pragma omp taskwait");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
#pragma omp single
  {
#pragma omp task
  {
    int* x = g();
#pragma omp task depend(out: x[0]) @c
    x[0] = 1; @w
  }
#pragma omp task depend(in: x[0]) @c
  y = x[0]; @r
  }
})",
                     about),
            "");
}

TEST(Repair, ATaskgroupWaitsForDescendantsOfAChild) {
  const Workspace workspace;
  const auto edited = [&](std::uint32_t read) {
    const std::string file = workspace.write("a.c", R"(void f(void) {
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp task
      x = 1;
    }
  }
#pragma omp taskwait
  y = x;
}
void g(void) { y = x; }
)");
    Diagnostic race;
    race.cause = Cause::missing_taskwait;
    race.variable = "x";
    race.place = {file, 6, 7};
    const SourcePlace other{file, read, 7};
    const auto task = [&](std::uint32_t id, std::uint32_t line) {
      return LineageTask{TaskId{id}, "task", {file, line, 1}, 0};
    };
    race.participants = {{"write", race.place, {task(3, 5), task(2, 3), task(1, 1)}}, {"read", other, {task(1, 1)}}};
    race.sites = {{race.place, AccessType::write, {file, 5, 1}, TaskKind::explicit_, {}},
                  {other, AccessType::read, {}, TaskKind::implicit, {}}};
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    const auto found = repair({&race}, codes);
    return found ? std::to_string(found->edits.front().place.line) + ":" + found->edits.front().text : "";
  };
  EXPECT_EQ(edited(10), "2:  #pragma omp taskgroup");
  EXPECT_EQ(edited(12), "") << "the line of another function";
}

} // namespace
} // namespace fletcher::reports
