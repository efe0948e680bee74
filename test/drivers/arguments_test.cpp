// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the drivers understand of a command line.

#include "test/support/workshop.hpp"
#include "tools/drivers/arguments.hpp"

#include <gtest/gtest.h>

namespace fletcher::drivers {
namespace {

void expect(const Arguments& arguments, bool compiles, bool links) {
  const Request request = understand(arguments);
  std::string line;
  for (const auto& argument : arguments) line += argument + " ";
  EXPECT_EQ(request.compiles, compiles) << line;
  EXPECT_EQ(request.links, links) << line;
}

TEST(Arguments, SourcesAreCompiledAndLinkedUnlessAnOptionStopsThat) {
  expect({"a.c"}, true, true);
  expect({"a.c", "b.cpp", "c.o", "-o", "x"}, true, true);
  expect({"-shared", "a.c"}, true, true);
  for (const char* stop : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}) {
    expect({stop, "a.c"}, true, false);
    expect({"a.c", stop}, true, false);
  }
  expect({"-MD", "a.c"}, true, true);
  expect({"-r", "a.c", "-o", "b.o"}, true, false);
}

TEST(Arguments, ObjectsAndArchivesAreOnlyLinked) {
  expect({"a.o"}, false, true);
  expect({"liba.a", "libb.so", "libc.so.1"}, false, true);
  expect({"-r", "a.o", "b.o", "-o", "c.o"}, false, false);
  expect({"-c", "a.o"}, false, false);
}

TEST(Arguments, QuestionsHaveNoInput) {
  for (const char* question :
       {"--version", "-v", "-dumpversion", "-dumpmachine", "-print-search-dirs", "--help", "-###"})
    expect({question}, false, false);
  expect({}, false, false);
  expect({"-o", "a.c"}, false, false);
}

TEST(Arguments, ValuesOfOptionsAreNoInputs) {
  expect({"-o", "a.c", "b.o"}, false, true);
  expect({"-I", "a.c", "-c"}, false, false);
  expect({"-include", "a.h", "b.c"}, true, true);
  expect({"-MF", "d.c", "-Xlinker", "x.c", "b.o"}, false, true);
}

TEST(Arguments, TheLanguageMakesAnyFileASource) {
  expect({"-x", "c", "a.txt", "-c"}, true, false);
  expect({"-xc", "-", "-E"}, true, false);
  expect({"-x", "c", "a.txt", "-x", "none", "b.o"}, true, true);
  expect({"a.txt"}, false, true);
  expect({"-x", "c-header", "a.txt"}, true, false);
}

TEST(Arguments, AHeaderIsPrecompiledNotLinked) { expect({"a.h"}, true, false); }

TEST(Arguments, AllSuffixesOfFortranAreSources) {
  for (const char* file : {"a.f", "a.F", "a.for", "a.f90", "a.F90", "a.f95", "a.f03", "a.f08"})
    expect({"-c", file}, true, false);
}

TEST(Arguments, TheLastWordAboutOpenMPDecides) {
  EXPECT_FALSE(understand({"a.c"}).openmp);
  EXPECT_TRUE(understand({"-fopenmp", "a.c"}).openmp);
  EXPECT_TRUE(understand({"a.c", "-fopenmp=libomp"}).openmp);
  EXPECT_FALSE(understand({"-fopenmp", "a.c", "-fno-openmp"}).openmp);
  EXPECT_TRUE(understand({"-fno-openmp", "a.c", "-fopenmp"}).openmp);
  EXPECT_FALSE(understand({"-fopenmp-simd", "a.c"}).openmp);
  EXPECT_FALSE(understand({"-D", "-fopenmp", "a.c"}).openmp);
}

TEST(Arguments, RuntimesNamedAsLibrariesAreSeen) {
  EXPECT_TRUE(understand({"a.o", "-lgomp"}).names_libomp);
  EXPECT_TRUE(understand({"a.o", "-l", "omp"}).names_libomp);
  EXPECT_FALSE(understand({"a.o", "-lm"}).names_libomp);
}

TEST(Arguments, TheWidthOfTheProgramIsSeen) {
  EXPECT_TRUE(understand({"-m32", "a.c"}).other_width);
  EXPECT_FALSE(understand({"-m32", "-m64", "a.c"}).other_width);
}

TEST(ResponseFiles, AreReadAsTheCompilersDo) {
  const test::Workshop workshop;
  const std::string first = (workshop.folder() / "first.rsp").string(),
                    second = (workshop.folder() / "second.rsp").string();
  workshop.write("first.rsp", "-c 'a b.c'\n\"-DX=\\\"y z\\\"\"\t@" + second + "\n");
  workshop.write("second.rsp", "-fopenmp  back\\ slash.c ''");
  const Arguments expected{"x.c", "-c", "a b.c", "-DX=\"y z\"", "-fopenmp", "back slash.c", "", "-o", "y"};
  EXPECT_EQ(expand_response_files({"x.c", "@" + first, "-o", "y"}), expected);
  const Request request = understand({"@" + first});
  EXPECT_TRUE(request.compiles && request.openmp && !request.links);
}

TEST(ResponseFiles, AFileThatIsNotThereStaysAndOneThatNamesItselfEnds) {
  EXPECT_EQ(expand_response_files({"@nowhere"}), Arguments{"@nowhere"});
  const test::Workshop workshop;
  const std::string file = (workshop.folder() / "self.rsp").string();
  workshop.write("self.rsp", "-g @" + file);
  EXPECT_LE(expand_response_files({"@" + file}).size(), 101U);
}

} // namespace
} // namespace fletcher::drivers
