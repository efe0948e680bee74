// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands other than run, and what is said about a wrong command line.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

TEST(Commands, TheVersionIsOneLine) {
  const Workshop workshop;
  EXPECT_EQ(workshop.run("fletcher --version").output, "fletcher " FLETCHER_VERSION "\n");
}

TEST(Commands, HelpNamesAllCommands) {
  const Workshop workshop;
  EXPECT_TRUE(in_order(workshop.run("fletcher --help").output,
                       {"run ", "fix ", "render ", "options ", "doctor ", "fletcher-cc"}));
  EXPECT_TRUE(in_order(workshop.run("fletcher run --help").output, {"--sarif", "--text", "--threads", "-- PROGRAM"}));
}

TEST(Commands, AWrongCommandLineIsOneLineAndStatus2) {
  const Workshop workshop;
  const auto expect = [&](const std::string& line, const std::string& complaint) {
    const Outcome outcome = workshop.run(line);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.errors, complaint + "\n") << line;
    EXPECT_EQ(outcome.output, "") << line;
  };
  expect("fletcher fly", "fletcher: unknown command 'fly' (fletcher --help lists all)");
  expect("fletcher", "fletcher: A subcommand is required (fletcher --help says more)");
  expect("fletcher run", "fletcher: run: no program given: fletcher run [OPTIONS] -- PROGRAM [ARGUMENTS]");
  expect("fletcher run --", "fletcher: run: no program given: fletcher run [OPTIONS] -- PROGRAM [ARGUMENTS]");
  expect("fletcher run --bow -- true", "fletcher: run: unknown option '--bow' (fletcher run --help lists all)");
  expect("fletcher run --threads 0 -- true",
         "fletcher: --threads: Value 0 not in range 1 to 65536 (fletcher --help says more)");
  expect("fletcher run --exitcode 256 -- true",
         "fletcher: --exitcode: Value 256 not in range 0 to 255 (fletcher --help says more)");
}

TEST(Commands, OptionsListsWhatTheLibraryReads) {
  const Workshop workshop;
  const Outcome outcome = workshop.run("fletcher options");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(in_order(outcome.output, {"FLETCHER_OPTIONS", "enabled=0|1", "(default 1)", "exitcode=", "sarif=path"}));
}

TEST(Commands, DoctorFindsEverythingHereAndSaysWhatIsMissing) {
  const Workshop workshop;
  const Outcome well = workshop.run("fletcher doctor");
  EXPECT_EQ(well.status, 0) << well.output;
  EXPECT_TRUE(in_order(well.output, {"libfletcher.so: /", "libomp: /", "llvm-symbolizer: /",
                                     "compiler plugin: ", "fletcher-cc uses: /"}));
  workshop.write("clang", "#!/bin/sh\necho 'clang version 13.0.1'\n");
  const Outcome old = workshop.run("chmod +x clang; FLETCHER_CC=./clang fletcher doctor");
  EXPECT_EQ(old.status, 0);
  EXPECT_TRUE(in_order(old.output, {"fletcher-cc uses: ./clang\nfletcher-cc has no compiler plugin for clang 13: "}));
  const Outcome ill = workshop.run("FLETCHER_FC=no-such-compiler fletcher doctor");
  EXPECT_EQ(ill.status, 1);
  EXPECT_TRUE(in_order(ill.output, {"fletcher-fc uses: not found: no-such-compiler has to be installed"}))
      << ill.output;
}

TEST(Commands, DoctorSaysWhichFunctionsOfAProgramsLibrariesAreKnown) {
  const Workshop workshop;
  workshop.write("lib.c", "void dgemm_(void) {} void sinister(void) {}");
  workshop.write("a.c", "void dgemm_(void); void sinister(void); int main(void) { dgemm_(); sinister(); return 0; }");
  ASSERT_EQ(workshop.run("gcc -shared -fPIC lib.c -o libours.so && gcc a.c ./libours.so -o a").status, 0);
  const Outcome outcome = workshop.run("fletcher doctor a");
  EXPECT_NE(outcome.output.find("libours.so: the program calls 2 functions of it; known: 1; not known: sinister\n"),
            std::string::npos)
      << outcome.output;
}

TEST(Commands, RenderSaysWhatItCannotRead) {
  const Workshop workshop;
  workshop.write("broken.json", "{ \"fletcher-docum");
  for (const std::string file : {"broken.json", "missing.json"}) {
    const Outcome outcome = workshop.run("fletcher render " + file);
    EXPECT_EQ(outcome.status, 2) << file;
    EXPECT_TRUE(outcome.errors.starts_with("fletcher: ")) << outcome.errors;
    EXPECT_NE(outcome.errors.find(file), std::string::npos) << outcome.errors;
  }
}

} // namespace
} // namespace fletcher::test
