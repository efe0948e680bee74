// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the call that completes an operation of MPI is moved to, where it stays, and what a trial says of both.
#include "reports/repair/trial/trial.hpp"
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::reports {
namespace {

/// The operation begins at @1, its buffer is used at @2, and the call at @3 completes it.
Diagnostic pending(const Marks& marks) {
  Site operation{marks['1'], AccessType::write, {}, TaskKind::operation, {}};
  Diagnostic out = race(Cause::pending_operation, "in", operation, in_thread(marks['2'], AccessType::read));
  out.stack = {frame("f", marks['1'])};
  out.notes.push_back({Note::Kind::other_access, "the other access", {frame("f", marks['2'])}, marks['2']});
  out.notes.push_back({Note::Kind::step, "until MPI_Wait here", {frame("f", marks['3'])}, marks['3']});
  return out;
}

/// With these lines between the begin of the operation and the call that completes it.
std::string source(const std::string& lines) {
  return "double half(double x) {\n  return x / 2;\n}\nvoid send_all(void) {\n  MPI_Send(out);\n}\n"
         "void f(void) {\n  MPI_Irecv(in, n, &r); @1\n" +
         lines + "  MPI_Wait(&r, MPI_STATUS_IGNORE); @3\n}\n";
}

std::string moved(const std::string& lines) { return edits_of("a.c", source(lines), pending); }

TEST(RepairOfCompletion, TheOperationIsCompletedBeforeItsBufferIsUsed) {
  EXPECT_EQ(moved("  s = half(in[0]); @2\n"), "+9 MPI_Wait(&r, MPI_STATUS_IGNORE);\n-10");
  EXPECT_EQ(
      moved("  t = 1;\n#pragma omp parallel for\n  for (i = 0; i < n; i++) {\n    s += in[i]; @2\n  }\n  t = 2;\n"),
      "+10 MPI_Wait(&r, MPI_STATUS_IGNORE);\n-15");
}

TEST(RepairOfCompletion, WhatTheOperationMayWaitForStaysInFront) {
  EXPECT_EQ(moved("  s = in[0]; @2\n  MPI_Send(out);\n"), "");
  EXPECT_EQ(moved("  s = in[0]; @2\n  send_all();\n"), "");
  EXPECT_EQ(moved("  s = in[0]; @2\n  of_another_file();\n"), "");
  EXPECT_EQ(moved("  s = in[0]; @2\n  r = other;\n"), "");
}

TEST(RepairOfCompletion, TheCallIsPassedByTheThreadThatUsesTheBuffer) {
  EXPECT_EQ(moved("  s = in[0]; @2\n  if (last)\n"), "");
  EXPECT_EQ(moved("  s = in[0]; @2\n#pragma omp master\n"), "");
  EXPECT_EQ(moved("  s = in[0]; @2\n  if (last) {\n    t = 1;\n  } else {\n    t = 2;\n  }\n"),
            "+9 MPI_Wait(&r, MPI_STATUS_IGNORE);\n-15");
}

TEST(RepairOfCompletion, ItIsTheSameInFortran) {
  const auto moved = [](const std::string& lines, const std::string& behind = "") {
    return edits_of("a.f90",
                    "subroutine f(n)\n  integer :: n, i, r\n  real :: u(n), v(n), s\n  call MPI_Irecv(u, n, r) @1\n" +
                        lines + "  call MPI_Wait(r, MPI_STATUS_IGNORE, ierr) @3\n" + behind + "end subroutine\n",
                    pending);
  };
  const std::string wait = " call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)\n-";
  EXPECT_EQ(moved("  s = u(1) @2\n"), "+5" + wait + "6");
  EXPECT_EQ(moved("  !$omp parallel do\n  do i = 1, n\n    v(i) = u(i) @2\n  end do\n"), "+5" + wait + "9");
  EXPECT_EQ(
      moved(
          "  !$omp parallel\n  v = 0\n  !$omp do\n  do i = 1, n\n    v(i) = u(i) @2\n  end do\n  !$omp end parallel\n"),
      "+5" + wait + "12");
  EXPECT_EQ(moved("  s = u(1) @2\n  call MPI_Send(v, n)\n"), "");
  EXPECT_EQ(moved("  s = u(1) @2\n  v(1) = other(s)\n"), "");
  EXPECT_EQ(moved("  s = u(1) @2\n  if (n > 3) then\n  r = 7\n  end if\n"), "");
  EXPECT_EQ(moved("  s = u(1) @2\n  !$omp master\n", "  !$omp end master\n"), "");
}

Verdict tried(std::uint32_t before) {
  const Workspace workspace;
  const std::string file = workspace.file("a.c");
  Marks marks;
  const std::string text = source("  t = 1;\n  s = in[0]; @2\n");
  workspace.write("a.c", without_marks(text, [&](std::uint32_t number, std::string_view, char mark) {
                    if (mark != 0) marks.add(mark, {file, number, 1});
                  }));
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  const std::vector<Edit> edits{{{file, before, 1}, "  MPI_Wait(&r, MPI_STATUS_IGNORE);", false},
                                {marks['3'], "", true}};
  return Trial(edits, codes).of(pending(marks));
}

TEST(TrialOfCompletion, OnlyACallInFrontOfTheUseHelps) {
  EXPECT_EQ(tried(9), Verdict::removed);
  EXPECT_EQ(tried(10), Verdict::removed);
  EXPECT_NE(tried(11), Verdict::removed); // behind the use
  EXPECT_NE(tried(8), Verdict::removed);  // the operation has not begun
}

} // namespace
} // namespace fletcher::reports
