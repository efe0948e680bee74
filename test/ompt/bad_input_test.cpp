// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong around a program is one clear line; the program runs on and no finding is lost.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

constexpr const char* rule = "[non-sibling-dependence]";

/// The lines that the tool says itself.
std::vector<std::string> said(const Outcome& outcome) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < outcome.errors.size()) {
    const auto end = std::min(outcome.errors.find('\n', at), outcome.errors.size());
    lines.push_back(outcome.errors.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

class BadInput : public testing::Test {
protected:
  Workshop workshop_;
};

TEST_F(BadInput, UnknownOptionIsOneLine) {
  const Outcome outcome = Launch("endings.clang").option("verbos=1").argument("clean").run(workshop_);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "out");
  EXPECT_EQ(outcome.errors, "fletcher: unknown option 'verbos' in FLETCHER_OPTIONS (help=1 lists all)\n");
}

TEST_F(BadInput, BadValueIsOneLineAndTheDefaultStays) {
  const Outcome outcome = Launch("endings.clang").option("exitcode=1000").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  ASSERT_FALSE(outcome.errors.empty());
  EXPECT_EQ(said(outcome).at(0),
            "fletcher: bad value '1000' for option 'exitcode' in FLETCHER_OPTIONS: expected 0..255; "
            "the default stays");
}

TEST_F(BadInput, UnwritableReportLosesNothing) {
  for (const char* option : {"sarif=/nowhere/x.sarif", "html=/nowhere/x.html", "text=/nowhere/x.txt",
                             "document=/nowhere/x.json", "log_path=/nowhere/x.log", "log_events=/nowhere/x.ev"}) {
    const Outcome outcome = Launch("endings.clang").option(option).run(workshop_);
    EXPECT_EQ(outcome.status, 66) << option;
    EXPECT_EQ(outcome.output, "out") << option;
    EXPECT_NE(outcome.errors.find(rule), std::string::npos) << option << ": " << outcome.errors;
    const auto lines = said(outcome);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [](const std::string& line) { return line.find("/nowhere/x") != std::string::npos; }),
              1)
        << outcome.errors;
  }
}

TEST_F(BadInput, WhatTakesNoMoreLosesNothing) {
  for (const auto& [option, complaint] : std::initializer_list<std::pair<const char*, const char*>>{
           {"sarif=/dev/full", "cannot write /dev/full: No space left on device"},
           {"text=/dev/full", "cannot write /dev/full: No space left on device"},
           {"document=/dev/full", "cannot write /dev/full: No space left on device"},
           {"log_path=/dev/full", "cannot write log_path '/dev/full': No space left on device; using stderr"},
           {"log_events=/dev/full", "cannot write all events to log_events: No space left on device"},
           {"collect=/dev/null", "cannot write /dev/null/fletcher-"}}) {
    const Outcome outcome = Launch("endings.clang").option(option).run(workshop_);
    EXPECT_EQ(outcome.status, std::string_view(option).starts_with("collect") ? 0 : 66) << option;
    EXPECT_EQ(outcome.output, "out") << option;
    EXPECT_NE(outcome.errors.find(rule), std::string::npos) << option << ": " << outcome.errors;
    const auto lines = said(outcome);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [&](const std::string& line) { return line.find(complaint) != std::string::npos; }),
              1)
        << outcome.errors;
  }
}

TEST_F(BadInput, LimitOnTheSizeOfFilesEndsNoProgram) {
  const Outcome outcome = Launch("endings.clang").argument("file size").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "out");
}

TEST_F(BadInput, FolderInPlaceOfATableOfLibrariesIsOneLine) {
  const Outcome outcome = Launch("endings.clang").variable("FLETCHER_LIBRARIES", "/").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "out");
  EXPECT_EQ(said(outcome).at(0), "fletcher: FLETCHER_LIBRARIES: cannot read /: Is a directory");
}

TEST_F(BadInput, MissingRendererTellsWithoutSymbols) {
  const Outcome outcome = Launch("endings.clang").variable("FLETCHER_BINARY", "/nowhere/fletcher").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "out");
  EXPECT_EQ(said(outcome).at(0),
            "fletcher: cannot run '/nowhere/fletcher': No such file or directory; findings are printed "
            "without symbols");
  EXPECT_NE(outcome.errors.find("endings.clang+0x"), std::string::npos);
  EXPECT_NE(outcome.errors.find(rule), std::string::npos);
}

TEST_F(BadInput, FailingRendererTellsWithoutSymbols) {
  workshop_.write("broken", "#!/bin/sh\nexit 3\n");
  ASSERT_EQ(workshop_.run("chmod +x broken").status, 0);
  const Outcome outcome =
      Launch("endings.clang").variable("FLETCHER_BINARY", "./broken").option("sarif=x").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find(rule), std::string::npos);
  EXPECT_NE(said(outcome).at(0).find("report files are not written"), std::string::npos) << said(outcome).at(0);
}

TEST_F(BadInput, MissingSymbolizerLosesNothing) {
  const Outcome outcome = Launch("endings.clang").option("symbolizer=/nowhere/llvm-symbolizer").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find(rule), std::string::npos) << outcome.errors;
}

TEST_F(BadInput, StrippedProgramIsTold) {
  const Outcome outcome = Launch("endings.stripped").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find(rule), std::string::npos) << outcome.errors;
}

TEST_F(BadInput, ProgramWithoutOpenMPIsLeftAlone) {
  const Outcome silent = Launch("serial.plain").run(workshop_);
  EXPECT_EQ(silent.status, 7);
  EXPECT_EQ(silent.errors, "");
}

TEST_F(BadInput, ProgramOnLibgompIsLeftAloneUnlessAskedFor) {
  const Outcome silent = Launch("endings.gcc").run(workshop_);
  EXPECT_EQ(silent.status, 0);
  EXPECT_EQ(silent.output, "out");
  EXPECT_EQ(silent.errors, "");
}

TEST_F(BadInput, RelativeReportPathsAreMeantFromTheStart) {
  const Outcome outcome = Launch("endings.clang").option("text=here.txt").run(workshop_);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(workshop_.read("here.txt").find(rule), std::string::npos);
}

} // namespace
} // namespace fletcher::test
