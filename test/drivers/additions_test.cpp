// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the drivers add to command lines, as --fletcher-show prints it.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class Show : public testing::Test {
protected:
  /// The command that a driver would run.
  std::string show(const std::string& line) const {
    const Outcome outcome = workshop_.run(line);
    EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.errors;
    return outcome.output;
  }
  bool has(const std::string& line, const std::string& part) const {
    return show(line).find(part) != std::string::npos;
  }

  Workshop workshop_;
};

TEST_F(Show, CompilingGetsTheInstrumentationBeforeTheUsersArguments) {
  EXPECT_TRUE(in_order(show("fletcher-cc --fletcher-show -c a.c -O2"),
                       {"clang-19 ", "-g ", "-fsanitize=thread", "-fno-optimize-sibling-calls", " -c a.c -O2\n"}));
  EXPECT_TRUE(in_order(show("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c a.c"),
                       {"gcc -g ", "-fsanitize=thread", "-fno-optimize-sibling-calls", " -c a.c\n"}));
  EXPECT_TRUE(
      in_order(show("fletcher-fc --fletcher-show -c a.f90"), {"gfortran ", "-fsanitize=thread", " -c a.f90\n"}));
  EXPECT_TRUE(in_order(show("fletcher-c++ --fletcher-show -c a.cpp"), {"clang++-19 ", "-fsanitize=thread"}));
}

TEST_F(Show, CompilingWithTheRightClangGetsThePlugin) {
  if (!has("fletcher-cc --fletcher-show -c a.c", "-fpass-plugin=")) GTEST_SKIP() << "built without the plugin";
  EXPECT_TRUE(has("fletcher-c++ --fletcher-show a.cpp", "-fpass-plugin="));
  EXPECT_TRUE(has("FLETCHER_CC='env clang-19' fletcher-cc --fletcher-show -c a.c", "-fpass-plugin="));
  EXPECT_FALSE(has("fletcher-cc --fletcher-show -c a.c", "vector-width"));
  EXPECT_FALSE(has("fletcher-cc --fletcher-show --fletcher-no-plugin -c a.c", "plugin"));
  EXPECT_TRUE(has("fletcher-cc --fletcher-show --fletcher-no-plugin -c a.c", "-mprefer-vector-width=128"));
  EXPECT_FALSE(has("fletcher-cc --fletcher-show a.o", "-fpass-plugin="));
  EXPECT_FALSE(has("FLETCHER_CC=clang-15 fletcher-cc --fletcher-show -c a.c", "-fpass-plugin="));
  EXPECT_FALSE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c a.c", "-fpass-plugin="));
  // A name that does not tell is asked.
  workshop_.write("my-clang", "#!/bin/sh\necho 'Some clang version 19.1.0 (of somebody)'\n");
  workshop_.write("old-clang", "#!/bin/sh\necho 'clang version 15.0.1'\n");
  workshop_.run("chmod +x my-clang old-clang");
  EXPECT_TRUE(has("FLETCHER_CC=./my-clang fletcher-cc --fletcher-show -c a.c", "-fpass-plugin="));
  EXPECT_FALSE(has("FLETCHER_CC=./old-clang fletcher-cc --fletcher-show -c a.c", "-fpass-plugin="));
}

TEST_F(Show, OnlyLinkingGetsTheLibrary) {
  EXPECT_FALSE(has("fletcher-cc --fletcher-show -c a.c", "libfletcher.so"));
  EXPECT_TRUE(has("fletcher-cc --fletcher-show a.c", "libfletcher.so"));
  EXPECT_TRUE(has("fletcher-cc --fletcher-show -shared a.o", "libfletcher.so"));
  EXPECT_FALSE(has("fletcher-cc --fletcher-show -r a.o b.o", "libfletcher.so"));
}

TEST_F(Show, OnlyCompilingGetsTheInstrumentation) {
  EXPECT_FALSE(has("fletcher-cc --fletcher-show a.o -o a", "-fsanitize=thread"));
  EXPECT_FALSE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show a.o -o a", "-fsanitize=thread"));
}

TEST_F(Show, EqualEndsOfBranchesAreNotMadeOne) {
  EXPECT_TRUE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c a.c", "-fno-crossjumping"));
  EXPECT_TRUE(has("fletcher-fc --fletcher-show -c a.f90", "-fno-crossjumping"));
}

TEST_F(Show, GccReadsNothingThatTheProgramDoesNot) {
  EXPECT_TRUE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c a.c", "-fno-tree-loop-im"));
  for (const std::string flag :
       {"logical-op-non-short-circuit=0", "-mbranch-cost=1", "-fno-tree-reassoc", "-fno-hoist-adjacent-loads"})
    EXPECT_TRUE(has("fletcher-fc --fletcher-show -c a.f90", flag)) << flag;
}

TEST_F(Show, GccCopiesByCallsOfLibc) {
  for (const std::string source : {"a.c", "a.cpp", "-x c b.f90"}) {
    EXPECT_TRUE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c " + source, "-mmemcpy-strategy=libcall")) << source;
    EXPECT_TRUE(has("FLETCHER_CC=gcc fletcher-cc --fletcher-show -c " + source, "-fno-builtin-memcpy")) << source;
  }
  for (const std::string source : {"a.f90", "-x f95 b.c"}) {
    EXPECT_TRUE(has("fletcher-fc --fletcher-show -c " + source, "-mmemcpy-strategy=libcall")) << source;
    EXPECT_FALSE(has("fletcher-fc --fletcher-show -c " + source, "-fno-builtin")) << source; // gfortran would warn
  }
}

TEST_F(Show, QuestionsAreNotTouched) {
  EXPECT_EQ(show("fletcher-cc --fletcher-show --version"), "clang-19 --version\n");
  EXPECT_EQ(show("fletcher-fc -dumpversion --fletcher-show"), "gfortran -dumpversion\n");
  EXPECT_EQ(show("FLETCHER_CC=gcc fletcher-cc --fletcher-show -print-prog-name=ld"), "gcc -print-prog-name=ld\n");
}

TEST_F(Show, TheEnvironmentChoosesTheCompilerAndWordsBeforeIt) {
  EXPECT_TRUE(in_order(show("FLETCHER_CC='env gcc' fletcher-cc --fletcher-show -c a.c"), {"env gcc ", "--param=tsan"}));
  EXPECT_TRUE(show("FLETCHER_FC=gfortran-12 fletcher-fc --fletcher-show -c a.f90").starts_with("gfortran-12 "));
  // A name that does not tell is asked: cc is GCC's here or clang's, and --param is only GCC's.
  const bool is_gcc = show("cc --version").find("Free Software") != std::string::npos;
  EXPECT_EQ(has("FLETCHER_CC=cc fletcher-cc --fletcher-show -c a.c", "--param=tsan"), is_gcc);
}

TEST_F(Show, ArgumentsAreShownAsAShellReadsThem) {
  EXPECT_TRUE(
      in_order(show("fletcher-cc --fletcher-show -c 'a b.c' \"-DX='y'\" ''"), {"-c 'a b.c' '-DX='\\''y'\\''' ''\n"}));
}

TEST_F(Show, AnOptionThatMayStandOnceIsNotRepeated) {
  const std::string shown = show("fletcher-cc --fletcher-show -c a.c -mllvm -tsan-distinguish-volatile=0");
  EXPECT_EQ(shown.find("-tsan-distinguish-volatile"), shown.rfind("-tsan-distinguish-volatile"));
}

TEST_F(Show, OptionsForTheOptimiserAreNoReasonToWarnWhereADeviceHasCode) {
  const Outcome outcome =
      workshop_.run("echo 'int x;' | fletcher-cc -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c -xc - -o device.o");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Show, CodeOfAnotherWidthIsPassedOnUnchangedWithAWarning) {
  const Outcome outcome = workshop_.run("fletcher-cc --fletcher-show -m32 a.c");
  EXPECT_EQ(outcome.output, "clang-19 -m32 a.c\n");
  EXPECT_EQ(outcome.errors,
            "fletcher-cc: warning: only 64-bit programs can be checked; passing this command on unchanged\n");
}

TEST_F(Show, HelpNamesTheVariables) {
  EXPECT_TRUE(
      in_order(show("fletcher-cc --fletcher-help"), {"FLETCHER_CC", "FLETCHER_CXX", "FLETCHER_FC", "--fletcher-show"}));
}

TEST_F(Show, ACompilerThatIsMissingIsOneLineAndStatus127) {
  const Outcome outcome = workshop_.run("FLETCHER_CC=no-such-compiler fletcher-cc a.c");
  EXPECT_EQ(outcome.status, 127);
  EXPECT_EQ(outcome.errors,
            "fletcher-cc: cannot run 'no-such-compiler': No such file or directory (FLETCHER_CC chooses another "
            "compiler)\n");
}

TEST_F(Show, ADriverDoesNotRunItself) {
  const Outcome outcome = workshop_.run("FLETCHER_CC=fletcher-c++ fletcher-cc a.c");
  EXPECT_EQ(outcome.status, 127);
  EXPECT_EQ(outcome.errors, "fletcher-cc: FLETCHER_CC names this driver itself; it must name a compiler\n");
}

TEST_F(Show, AStaticProgramIsRefused) {
  const Outcome outcome = workshop_.run("fletcher-cc -static a.o -o a");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "fletcher-cc: -static: a checked program needs Fletcher's shared library; link it dynamically\n");
}

} // namespace
} // namespace fletcher::test
