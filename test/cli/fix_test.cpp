// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher fix`: what it changes, what it takes back, and what it leaves alone.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

/// Two bugs that one line repairs, and one that no line does.
const std::string source = R"(#include <stdio.h>
int main(void) {
  int hits = 0, most = 0, a[100] = {1};
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    if (i % 3 == 0) hits++;
    if (i > most) most = i;
  }
#pragma omp parallel
  { int mine = a[1]; a[1] = mine * 2 + 1; }
  printf("%d %d %d\n", hits, most, a[9]);
}
)";
const std::string build = "fletcher-cc -g -O1 -fopenmp a.c -o a";

class Fix : public testing::Test {
protected:
  void SetUp() override { workshop_.write("a.c", source); }
  Outcome fix(const std::string& options, const std::string& command = "./a") const {
    return workshop_.run("OMP_NUM_THREADS=2 fletcher fix " + options + " -- " + command);
  }
  Workshop workshop_;
};

TEST_F(Fix, KeepsWhatHelpsAndSaysWhatIsLeft) {
  const Outcome outcome = fix("--build '" + build + "'");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_TRUE(in_order(outcome.output,
                       {"a.c:4: changed: add 'reduction(+: hits)'", "a.c:4: changed: add 'reduction(max: most)'",
                        "a.c:10: left: data race", "fletcher: 3 findings, 2 changes kept, 1 finding left\n"}))
      << outcome.output;
  EXPECT_NE(workshop_.read("a.c").find("#pragma omp parallel for reduction(+: hits) reduction(max: most)\n"),
            std::string::npos);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Fix, TakesBackWhatCannotBeBuilt) {
  const Outcome outcome = fix("--build '! grep -q reduction a.c && " + build + "'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(in_order(outcome.output, {"a.c:4: taken back: add 'reduction(+: hits)'", "failed)\n", "0 changes kept"}))
      << outcome.output;
  EXPECT_EQ(workshop_.read("a.c"), source);
}

TEST_F(Fix, OnlyShowsADifferenceOnADryRun) {
  ASSERT_EQ(workshop_.run(build).status, 0);
  const Outcome outcome = fix("--dry-run");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(in_order(outcome.output, {"--- a.c\n+++ a.c\n@@ -1,7 +1,7 @@\n", "-#pragma omp parallel for\n",
                                        "+#pragma omp parallel for reduction(+: hits)\n"}))
      << outcome.output;
  EXPECT_EQ(workshop_.read("a.c"), source);
}

TEST_F(Fix, ChangesNothingOutsideOfTheSourceRoot) {
  workshop_.write("inside/b.c", "int b;\n");
  const Outcome outcome = fix("--source-root inside --build '" + build + "'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(in_order(outcome.output, {"3 findings, 0 changes kept, 3 findings left"})) << outcome.output;
  EXPECT_EQ(workshop_.read("a.c"), source);
}

TEST_F(Fix, WantsChangesCommittedAndACommandThatCanBeRun) {
  const auto expect = [&](const Outcome& outcome, const std::string& complaint) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find("fletcher: fix: " + complaint), std::string::npos) << outcome.errors;
  };
  expect(fix("--dry-run", ""), "no program given");
  expect(fix(""), "no build command given");
  expect(fix("--build false"), "'false' failed");
  expect(fix("--build true", "./nowhere"), "nothing was checked: the program ended with status 127");
  if (workshop_.run("command -v git").status != 0) return;
  ASSERT_EQ(workshop_.run("git init -q . && git add a.c && git -c user.name=a -c user.email=a@b commit -qm a").status,
            0);
  workshop_.write("a.c", source + "\n");
  expect(fix("--build true"), "git has changes below");
}

} // namespace
} // namespace fletcher::test
