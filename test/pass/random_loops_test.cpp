// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random loops are judged as what they access says, with the plugin and without.

#include "test/pass/compiled.hpp"
#include "test/pass/random_loops.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

namespace fletcher::test {
namespace {

/// For each line of a single access the lines that it was reported with.
std::map<int, std::set<int>> reported(const std::string& text, int first_single) {
  std::map<int, std::set<int>> races;
  std::istringstream lines(text);
  const std::regex place(R"(source\.c:([0-9]+):(?:[0-9]+:)? (error|note))");
  int error = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, place)) continue;
    const int number = std::stoi(found[1]);
    if (found[2] == "error") {
      error = number;
    } else if (error != 0) { // the first note is the other access
      races[std::max(error, number)].insert(std::min(error, number));
      EXPECT_GE(std::max(error, number), first_single) << text;
      error = 0;
    }
  }
  return races;
}

class RandomLoopsTest : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomLoopsTest, AreJudgedByWhatTheyAccess) {
  const RandomLoops loops = random_loops(GetParam());
  const int first_single = static_cast<int>(std::count(
      loops.source.begin(), loops.source.begin() + static_cast<long>(loops.source.find("static void single")), '\n'));
  const Workshop shop;
  shop.write("source.c", loops.source);
  std::vector<std::string> flags{"-O1", "-O2", "-O3", "-Os"};
  if (__builtin_cpu_supports("avx2")) flags.emplace_back("-O2 -march=x86-64-v3");
  const std::string chosen = flags[GetParam() % flags.size()];
  for (const char* plugin : {"", " --fletcher-no-plugin"}) {
    // Without the plugin some accesses go unseen, and the vectoriser gives two lines' accesses the place of one.
    const bool complete = *plugin == '\0';
    const auto built = shop.run(driver() + " -w -g -fopenmp " + chosen + plugin + " source.c -o program -lm");
    ASSERT_EQ(built.status, 0) << built.errors;
    const auto outcome =
        shop.run("FLETCHER_OPTIONS=group=0 OMP_NUM_THREADS=" + std::to_string(GetParam() % 2 + 1) + " ./program");
    const auto found = reported(outcome.errors, first_single);
    const std::string context = chosen + plugin + '\n' + outcome.errors + "\nsource.c:\n" + loops.source;
    for (const auto& [line, others] : found) {
      const auto expected = loops.races.find(line);
      ASSERT_NE(expected, loops.races.end()) << "line " << line << " does not race\n" << context;
      for (const int other : others)
        ASSERT_TRUE(!complete || expected->second.contains(other))
            << "line " << line << " does not race with " << other << '\n'
            << context;
    }
    for (const auto& [line, others] : loops.races)
      ASSERT_TRUE(!complete || found.contains(line)) << "line " << line << " was missed\n" << context;
  }
}

unsigned programs() { return std::getenv("FLETCHER_TEST_LONG") != nullptr ? 400 : 25; }

INSTANTIATE_TEST_SUITE_P(All, RandomLoopsTest, testing::Range(0U, programs()));

} // namespace
} // namespace fletcher::test
