// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_control_tool: start 1, pause 2, flush 3, end 4; success 0, ignored 1.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

std::string results(std::initializer_list<const char*> commands) {
  const Workshop workshop;
  Launch launch("control.clang");
  for (const char* command : commands) launch.argument(command);
  const Outcome outcome = launch.run(workshop);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  return outcome.output;
}

TEST(Control, StartAndPauseMayBeRepeated) { EXPECT_EQ(results({"1", "1", "2", "2", "1", "1"}), "0 0 0 0 0 0 \n"); }
TEST(Control, IsObeyedBeforeAnythingElseOfOpenMP) { EXPECT_EQ(results({"early", "2", "1"}), "0 0 \n"); }
TEST(Control, FlushIsDone) { EXPECT_EQ(results({"3", "2", "3"}), "0 0 0 \n"); }
TEST(Control, NothingFollowsTheEnd) { EXPECT_EQ(results({"4", "4", "1", "2", "3", "100"}), "0 1 1 1 1 1 \n"); }
TEST(Control, UnknownCommandsAreIgnored) { EXPECT_EQ(results({"5", "64", "100", "0", "-1", "1"}), "1 1 1 1 1 0 \n"); }

} // namespace
} // namespace fletcher::test
