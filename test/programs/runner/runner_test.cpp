// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner's own rules: a comparison that accepts too much would make every program test worthless.
#include "verdict.hpp"

#include <gtest/gtest.h>

namespace fletcher::programs {
namespace {

Expectation program(std::string_view text, const char* name = "p-racy.c") { return read_expectation(name, text); }

constexpr std::string_view pair_text = "// A program.\n"
                                       "// threads: 2 8\n"
                                       "x = 1; // RACE(1)\n"
                                       "y = x; // RACE(1)\n"
                                       "z++; // ALSO(z)\n"
                                       "z--; // ALSO(z)\n";

TEST(Expectation, ReadsMarksAndDirectives) {
  const Expectation e = program(pair_text);
  EXPECT_TRUE(e.mistakes.empty());
  EXPECT_EQ(e.threads, (std::vector<unsigned>{2, 8}));
  ASSERT_EQ(e.races.size(), 1U);
  EXPECT_EQ(e.races[0].first, std::vector<unsigned>{3});
  EXPECT_EQ(e.races[0].second, std::vector<unsigned>{4});
  EXPECT_EQ(e.allowed_races.at("z"), (std::set<unsigned>{5, 6}));
}

TEST(Expectation, DirectivesCountInTheHeaderOnly) {
  EXPECT_EQ(program("// A.\nint x; // RACE(1,1)\n// threads: 2\n").threads.size(), 3U);
}

TEST(Expectation, ComplainsAboutItsOwnMistakes) {
  EXPECT_FALSE(program("// One end.\nx = 1; // RACE(1)\n").mistakes.empty());
  EXPECT_FALSE(program("// Three ends.\nx; // RACE(1)\nx; // RACE(1)\nx; // RACE(1)\n").mistakes.empty());
  EXPECT_FALSE(program("// Two forms.\nx = 1; // RACE(1)\nx = 2; // RACE(1*)\n").mistakes.empty());
  EXPECT_FALSE(program("// Nothing.\nx = 1;\n").mistakes.empty());
  EXPECT_FALSE(program("// A twin.\nx = 1; // RACE(1,1)\n", "p-fixed.c").mistakes.empty());
  EXPECT_FALSE(program("// Odd.\nx = 1; // RACE(x)\n").mistakes.empty());
  EXPECT_FALSE(program("// Joined by a formatter. threads: 2\nx = 1; // RACE(1,1)\n").mistakes.empty());
}

TEST(Expectation, FortranHasItsOwnCommentsAndCompiler) {
  const Expectation e = program("! A program.\n! threads: 2\nx = 1 ! RACE(1,1)\n", "p-racy.f90");
  EXPECT_TRUE(e.mistakes.empty());
  EXPECT_EQ(e.threads, std::vector<unsigned>{2});
  EXPECT_EQ(e.compilers, std::vector<std::string>{"gcc"});
}

TEST(Diagnostics, AreReadWithTheirNotes) {
  const auto all = read_diagnostics("/d/p-racy.c:4:7: error: data race: ... [data-race]\n"
                                    "     4 | y = x;\n"
                                    "/d/p-racy.c:3: note: earlier write\n"
                                    "/d/p-racy.c:9:1: note: task created here\n"
                                    "\nq.c:1:2: warning: odd [lock-misuse]\nfletcher: 1 error, 1 warning\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].error);
  EXPECT_EQ(all[0].rule, "data-race");
  EXPECT_EQ(all[0].place.line, 4U);
  ASSERT_EQ(all[0].notes.size(), 2U);
  EXPECT_EQ(all[0].notes[0].line, 3U);
  EXPECT_FALSE(all[1].error);
  EXPECT_EQ(all[1].rule, "lock-misuse");
}

Reported race(unsigned a, unsigned b, bool error = true, const char* file = "/d/p-racy.c") {
  return {error, "data-race", "a race on 'x'", "a race on 'x'", {file, a}, {{file, b}, {file, 99}}};
}

Reported finding(const char* rule, unsigned line, std::vector<Place> notes = {}) {
  return {true, rule, "a finding of 'x'", "a finding of 'x'", {"p-racy.c", line}, std::move(notes)};
}

std::size_t faults(std::string_view text, const std::vector<Reported>& reported, Level level = Level::native) {
  return differences(program(text), reported, level).size();
}

TEST(Verdict, APairIsFoundInEitherOrder) {
  EXPECT_EQ(faults(pair_text, {race(3, 4)}), 0U);
  EXPECT_EQ(faults(pair_text, {race(4, 3)}), 0U);
}

TEST(Verdict, WhatIsMissingIsAFault) {
  EXPECT_EQ(faults(pair_text, {}), 1U);
  EXPECT_EQ(faults(pair_text, {race(5, 6)}), 1U);
  EXPECT_EQ(faults(pair_text, {race(3, 4, false)}), 1U) << "a warning is no error";
}

TEST(Verdict, WhatIsNotExpectedIsAFault) {
  EXPECT_EQ(faults(pair_text, {race(3, 4), race(3, 3)}), 1U) << "a pair's line with itself";
  EXPECT_EQ(faults(pair_text, {race(3, 4), race(4, 5)}), 1U);
  EXPECT_EQ(faults(pair_text, {race(3, 4), finding("lock-misuse", 3)}), 1U);
  EXPECT_EQ(faults(pair_text, {race(3, 4), race(3, 4, true, "/d/other.c")}), 1U) << "the same lines elsewhere";
}

TEST(Verdict, WhatIsAllowedIsNoFault) { EXPECT_EQ(faults(pair_text, {race(3, 4), race(5, 6), race(6, 6)}), 0U); }

TEST(Verdict, OneOfAGroupIsEnough) {
  constexpr std::string_view text = "// G.\nx; // RACE(1*)\ny; // RACE(1*)\nz; // RACE(1*)\n";
  EXPECT_EQ(faults(text, {race(2, 4)}), 0U);
  EXPECT_EQ(faults(text, {race(2, 2), race(3, 4)}), 0U);
  EXPECT_EQ(faults(text, {}), 1U);
  EXPECT_EQ(faults(text, {race(2, 5)}), 2U);
}

TEST(Verdict, SidesMeetEachOtherOnly) {
  constexpr std::string_view text = "// S.\nx; // RACE(1a)\ny; // RACE(1a)\nz; // RACE(1b)\n";
  EXPECT_EQ(faults(text, {race(2, 4)}), 0U);
  EXPECT_EQ(faults(text, {race(4, 3), race(2, 4)}), 0U);
  EXPECT_EQ(faults(text, {race(2, 4), race(2, 3)}), 1U);
  EXPECT_FALSE(program("// S.\nx; // RACE(1a)\ny; // RACE(1a)\n").mistakes.empty());
}

TEST(Verdict, AFindingMayHaveSeveralLines) {
  constexpr std::string_view text = "// F.\nx; // FINDING(lock-misuse,1)\ny; // FINDING(lock-misuse,1)\n";
  EXPECT_EQ(faults(text, {finding("lock-misuse", 3)}), 0U);
  EXPECT_EQ(faults(text, {}), 1U);
}

TEST(Verdict, AFindingMustTouchItsLine) {
  constexpr std::string_view text = "// F.\nx; // FINDING(missing-taskwait)\ny; // MAY(lock-misuse)\n";
  EXPECT_EQ(faults(text, {finding("missing-taskwait", 2)}), 0U);
  EXPECT_EQ(faults(text, {finding("missing-taskwait", 7, {{"p-racy.c", 2}})}), 0U);
  EXPECT_EQ(faults(text, {finding("missing-taskwait", 7)}), 2U);
  EXPECT_EQ(faults(text, {finding("missing-taskwait", 2), finding("lock-misuse", 3)}), 0U);
}

TEST(Verdict, AFindingMayHaveToNameAVariable) {
  constexpr std::string_view x = "// F.\nx; // FINDING(lock-misuse) NAMES(x)\n";
  constexpr std::string_view y = "// F.\nx; // FINDING(lock-misuse) NAMES(y)\n";
  EXPECT_EQ(faults(x, {finding("lock-misuse", 2)}), 0U);
  EXPECT_EQ(faults(y, {finding("lock-misuse", 2)}), 1U);
  constexpr std::string_view raced = "// F.\nx; // RACE(1) NAMES(x)\ny; // RACE(1)\nz; // RACE(2,2)\n";
  EXPECT_EQ(faults(raced, {race(2, 3), race(4, 4)}), 0U);
  EXPECT_EQ(faults("// F.\nx; // RACE(1)\ny; // RACE(1) NAMES(y)\n", {race(2, 3)}), 1U);
}

TEST(Verdict, RacesNeedAccesses) { EXPECT_EQ(faults(pair_text, {}, Level::graph), 0U); }

} // namespace
} // namespace fletcher::programs
