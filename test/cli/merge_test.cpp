// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run --collect`, `fletcher merge` and `fletcher diff`: processes end as they would, and one command says
// what they found.
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

/// A race that every process has, and another one for each argument from 0 on.
const std::string program = R"(
#include <stdio.h>
#include <stdlib.h>
int common, own0, own1, own2, own3;
int main(int argc, char** argv) {
  int which = argc > 1 ? atoi(argv[1]) : 0;
#pragma omp parallel num_threads(2)
  {
    common = 1;
    switch (which) {
    case 0: own0 = 1; break;
    case 1: own1 = 1; break;
    case 2: own2 = 1; break;
    case 3: own3 = 1; break;
    }
  }
  printf("%d\n", which);
  return which == 3 ? 7 : 0;
}
)";

class Collected : public testing::Test {
protected:
  void SetUp() override {
    workshop.write("app.c", program);
    const Outcome built = workshop.run("fletcher-cc -O1 -fopenmp app.c -o app");
    ASSERT_EQ(built.status, 0) << built.errors;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  Workshop workshop;
};

TEST_F(Collected, ProcessesEndAsTheyWouldAndTheMergeHasTheStatus) {
  for (int i = 0; i < 4; ++i) {
    const Outcome ran = workshop.run("fletcher run --collect found -- ./app " + std::to_string(i));
    EXPECT_EQ(ran.status, i == 3 ? 7 : 0);
    EXPECT_EQ(ran.errors, "");
  }
  const Outcome merged = workshop.run("fletcher merge --sarif all.sarif --junit all.xml --html all.html found");
  EXPECT_EQ(merged.status, 1) << merged.errors;
  EXPECT_EQ(count(merged.errors, ": error: "), 5U) << merged.errors;
  EXPECT_NE(merged.errors.find("note: seen by 4 of 4 processes: app 0, app 1, app 2 and 1 more, with 2 threads"),
            std::string::npos)
      << merged.errors;
  EXPECT_NE(merged.errors.find("note: seen by 1 of 4 processes: app 2, with 2 threads"), std::string::npos)
      << merged.errors;
  EXPECT_TRUE(workshop.has("all.sarif") && workshop.has("all.xml") && workshop.has("all.html"));

  workshop.run("mkdir less && cp \"$(ls found/*.json | head -1)\" less");
  const Outcome gone = workshop.run("fletcher diff all.sarif less");
  EXPECT_EQ(gone.status, 0) << gone.errors;
  EXPECT_NE(gone.output.find("fletcher: 0 new, 3 gone, 2 unchanged\n"), std::string::npos) << gone.output;
  const Outcome fresh = workshop.run("fletcher diff less found");
  EXPECT_EQ(fresh.status, 1);
  EXPECT_NE(fresh.output.find("fletcher: 3 new, 0 gone, 2 unchanged\n"), std::string::npos) << fresh.output;
  EXPECT_EQ(workshop.run("fletcher merge --quiet --baseline all.sarif found").status, 0);
}

/// Four ranks with a race each and one in common.
TEST_F(Collected, RanksOfAJobAreOneReport) {
  if (workshop.run("command -v mpicc.openmpi && command -v mpirun.openmpi").status != 0)
    GTEST_SKIP() << "Open MPI is not installed";
  std::string source = program;
  source.insert(source.find("int common"), "#include <mpi.h>\n");
  const std::string which = "argc > 1 ? atoi(argv[1]) : 0;";
  source.replace(source.find(which), which.size(),
                 "0;\n  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &which);");
  source.replace(source.find("return which"), std::string("return which == 3 ? 7 : 0").size(), "return MPI_Finalize()");
  workshop.write("ranks.c", source);
  const Outcome built = workshop.run("OMPI_CC=fletcher-cc mpicc.openmpi -g -O1 -fopenmp ranks.c -o ranks");
  ASSERT_EQ(built.status, 0) << built.errors;
  const Outcome ran =
      workshop.run("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive timeout 60 "
                   "mpirun.openmpi --oversubscribe -n 4 fletcher run --collect found -- ./ranks");
  EXPECT_EQ(ran.status, 0) << ran.errors;
  const Outcome merged = workshop.run("fletcher merge found");
  EXPECT_EQ(merged.status, 1);
  EXPECT_EQ(count(merged.errors, ": error: "), 5U) << merged.errors;
  EXPECT_NE(merged.errors.find("note: seen by ranks 0-3 of 4 processes"), std::string::npos) << merged.errors;
  EXPECT_NE(merged.errors.find("note: seen by rank 2 of 4 processes"), std::string::npos) << merged.errors;
  EXPECT_NE(merged.errors.find(", ranks 0-3 of MPI_COMM_WORLD, 4 processes: "), std::string::npos) << merged.errors;
}

TEST_F(Collected, ADeadlockIsLeftThereToo) {
  workshop.write("hang.c", "#include <omp.h>\nint main(void) {\n  omp_lock_t a;\n  omp_init_lock(&a);\n"
                           "  omp_set_lock(&a);\n  omp_set_lock(&a);\n}\n");
  ASSERT_EQ(workshop.run("fletcher-cc -O1 -fopenmp hang.c -o hang").status, 0);
  EXPECT_EQ(workshop.run("timeout 60 fletcher run --collect found -- ./hang").status, 1);
  const Outcome merged = workshop.run("fletcher merge found");
  EXPECT_EQ(merged.status, 1);
  EXPECT_NE(merged.errors.find("[lock-misuse]"), std::string::npos) << merged.errors;
}

TEST_F(Collected, WhatCannotBeReadIsSaid) {
  EXPECT_EQ(workshop.run("mkdir empty; fletcher merge empty").status, 2);
  EXPECT_EQ(workshop.run("fletcher merge nowhere").status, 2);
  EXPECT_EQ(workshop.run("fletcher diff nowhere empty").status, 2);
  EXPECT_EQ(workshop.run("FLETCHER_OPTIONS=collect=/dev/null/x ./app").status, 0);
}

} // namespace
} // namespace fletcher::test
