// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drivers with the real compilers: what is built runs, on Fletcher's library and LLVM's OpenMP runtime and no
// other.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

struct Toolchain {
  std::string name;        ///< as a test is named
  std::string environment; ///< what chooses the compilers
};

void PrintTo(const Toolchain& toolchain, std::ostream* stream) { *stream << toolchain.name; }

class Compile : public testing::TestWithParam<Toolchain> {
protected:
  void SetUp() override {
    workshop_.write("a.c", correct_c);
    workshop_.write("a.cpp", correct_cxx);
    workshop_.write("a.f90", correct_fortran);
  }

  Outcome build(const std::string& line) const {
    Outcome outcome = workshop_.run(GetParam().environment + "\n" + line);
    EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.errors;
    EXPECT_EQ(outcome.errors, "") << line;
    return outcome;
  }

  void expect_runs(const std::string& program, const std::string& says = "45\n") const {
    const Outcome outcome = workshop_.run("./" + program);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, says) << outcome.errors;
  }

  /// Fletcher before libomp, and none of the runtimes that they replace.
  void expect_runtimes(const std::string& program, bool openmp = true) const {
    const auto libraries = workshop_.libraries(program);
    const auto position = [&](const std::string& start) {
      return std::find_if(libraries.begin(), libraries.end(), [&](const auto& l) { return l.starts_with(start); });
    };
    const auto omp = position("libomp.so");
    EXPECT_NE(position("libfletcher.so"), libraries.end()) << program;
    EXPECT_EQ(omp != libraries.end(), openmp) << program;
    EXPECT_LT(position("libfletcher.so") - libraries.begin(), omp - libraries.begin()) << program;
    EXPECT_LT(position("libfletcher.so") - libraries.begin(), position("libc.so") - libraries.begin()) << program;
    EXPECT_EQ(position("libgomp"), libraries.end()) << program;
    EXPECT_EQ(position("libtsan"), libraries.end()) << program;
    EXPECT_EQ(workshop_.run("nm " + program + " | grep ' T __tsan_'").output, "") << program;
  }

  bool instrumented(const std::string& object) const {
    return workshop_.run("nm -u " + object + " | grep -q __tsan_write").status == 0;
  }

  Workshop workshop_;
};

TEST_P(Compile, InOneStep) {
  build("fletcher-cc -fopenmp a.c -o one");
  expect_runtimes("one");
  expect_runs("one");
  build("fletcher-c++ a.cpp -o two -fopenmp");
  expect_runtimes("two");
  expect_runs("two");
  build("fletcher-fc -O2 a.f90 -fopenmp -o three");
  expect_runtimes("three");
  expect_runs("three");
}

TEST_P(Compile, InTwoSteps) {
  build("fletcher-cc -c -fopenmp a.c && fletcher-cc a.o -fopenmp -o one");
  EXPECT_TRUE(instrumented("a.o"));
  expect_runtimes("one");
  expect_runs("one");
}

// All that it calls of the OpenMP runtime the library has, too.
TEST_P(Compile, TheRuntimeIsKeptWhereTheLinkerLeavesOutWhatIsNotReferredTo) {
  workshop_.write("region.c",
                  "#include <stdio.h>\nint main(void) {\n#pragma omp parallel num_threads(1)\n  puts(\"in\");\n}\n");
  build("fletcher-cc -c -fopenmp region.c");
  for (const std::string flags : {"", "-Wl,--as-needed", "-Wl,-O1,--as-needed,-z,now", "-Xlinker --as-needed"}) {
    build("fletcher-cc region.o " + flags + " -fopenmp -o region");
    expect_runtimes("region");
    expect_runs("region", "in\n");
  }
}

TEST_P(Compile, ObjectsWithDebugInformationUnlessRefused) {
  build("fletcher-cc -c a.c -o with.o && fletcher-cc -g0 -c a.c -o without.o");
  EXPECT_EQ(workshop_.run("readelf -S with.o | grep -q debug_line").status, 0);
  EXPECT_NE(workshop_.run("readelf -S without.o | grep -q debug_line").status, 0);
}

TEST_P(Compile, WithoutOpenMPThereIsNoRuntimeOfIt) {
  build("fletcher-cc a.c -o one");
  expect_runtimes("one", false);
  expect_runs("one");
}

TEST_P(Compile, WithoutAnOutputName) {
  build("fletcher-cc -fopenmp a.c");
  expect_runs("a.out");
}

TEST_P(Compile, SeveralSourcesAndAnArchive) {
  workshop_.write("main.c",
                  "#include <stdio.h>\nint f(void), g(void);\nint main(void) { printf(\"%d\\n\", f() + g()); }\n");
  workshop_.write("f.c", "int f(void) { return 40; }\n");
  workshop_.write("g.c", "int x = 4;\nint g(void) { return ++x; }\n");
  build("fletcher-cc -c g.c && ar rcs libg.a g.o && fletcher-cc main.c f.c -L. -lg -fopenmp -o one");
  expect_runtimes("one");
  expect_runs("one");
}

TEST_P(Compile, SharedLibraries) {
  workshop_.write("main.c", "int f(void);\nint main(void) { return f() - 5; }\n");
  workshop_.write("f.c", "int x = 4;\nint f(void) { return ++x; }\n");
  build("fletcher-cc -shared -fPIC -Wl,-z,defs f.c -o libf.so && fletcher-cc main.c ./libf.so -o one");
  expect_runtimes("libf.so", false);
  expect_runs("one", "");
}

TEST_P(Compile, ResponseFiles) {
  workshop_.write("all.rsp", "-fopenmp \"a.c\"\n-o one");
  build("fletcher-cc @all.rsp");
  expect_runtimes("one");
  expect_runs("one");
}

TEST_P(Compile, StandardInputAndGivenLanguage) {
  build("fletcher-cc -fopenmp -x c - -o one <a.c");
  expect_runs("one");
  build("cp a.c a.txt && fletcher-cc -fopenmp -xc a.txt -o two");
  expect_runtimes("two");
  expect_runs("two");
}

TEST_P(Compile, StopsWhereItIsAskedTo) {
  build("fletcher-cc -S a.c -o a.s && fletcher-cc -E a.c -o a.i && fletcher-cc -MM a.c >a.d && fletcher-cc "
        "-fsyntax-only a.c");
  EXPECT_NE(workshop_.read("a.s").find("__tsan_write"), std::string::npos);
  EXPECT_NE(workshop_.read("a.i").find("int main"), std::string::npos);
  EXPECT_TRUE(workshop_.read("a.d").starts_with("a.o: a.c"));
  EXPECT_FALSE(workshop_.has("a.out"));
  build("fletcher-cc a.s -o one");
  expect_runs("one");
}

TEST_P(Compile, AssemblerAndObjectsCauseNoWarning) {
  workshop_.write("s.s", ".section .note.GNU-stack,\"\",@progbits\n");
  workshop_.write("t.S", "#define X 1\n.section .note.GNU-stack,\"\",@progbits\n");
  build("fletcher-cc -Werror -c s.s && fletcher-cc -Werror -c t.S && fletcher-cc -Werror -c a.c && "
        "fletcher-cc -Werror a.o s.o t.o -o one");
  expect_runs("one");
}

TEST_P(Compile, RelocatableObjects) {
  build("fletcher-cc -c -fopenmp a.c && fletcher-cc -r -nostdlib a.o -o r.o && fletcher-cc r.o -fopenmp -o one");
  expect_runs("one");
}

TEST_P(Compile, NoStandardLibraries) {
  workshop_.write("main.c", "#include <stdlib.h>\nint x;\nvoid _start(void) { x = 3; exit(x); }\n");
  build("fletcher-cc -nostdlib -no-pie -fno-pie main.c -o one -lc");
  EXPECT_EQ(workshop_.run("./one").status, 3);
}

TEST_P(Compile, OptimisedAtLinkTime) {
  // Binutils' linker needs LLVM's plugin; lld is there for clang where it is not.
  if (GetParam().name == "clang" && workshop_.run("clang-19 -fuse-ld=lld a.c -o lld").status != 0)
    GTEST_SKIP() << "no lld";
  const std::string linker = GetParam().name == "clang" ? " -fuse-ld=lld" : "";
  build("fletcher-cc -O2 -flto -c -fopenmp a.c && fletcher-cc -O2 -flto" + linker + " -fopenmp a.o -o one");
  EXPECT_TRUE(instrumented("one"));
  expect_runtimes("one");
  expect_runs("one");
}

TEST_P(Compile, LibgompByNameOrPathBecomesLibomp) {
  if (workshop_.run("command -v gcc").status != 0) GTEST_SKIP() << "no GCC";
  build("FLETCHER_CC=gcc fletcher-cc -c -fopenmp a.c");
  build("fletcher-cc a.o -lgomp -o one");
  expect_runtimes("one");
  expect_runs("one");
  build("fletcher-cc a.o $(gcc -print-file-name=libgomp.so) -o two");
  expect_runtimes("two");
  expect_runs("two");
  build("echo -lgomp >l.rsp && fletcher-cc a.o @l.rsp -o three");
  expect_runtimes("three");
}

TEST_P(Compile, AUsersThreadSanitizerIsReplacedToo) {
  build("fletcher-cc -fsanitize=thread -fopenmp a.c -o one");
  expect_runtimes("one");
  build("fletcher-cc -fsanitize=thread -c -fopenmp a.c && fletcher-cc -fsanitize=thread -fopenmp a.o -o two");
  expect_runtimes("two");
  expect_runs("two");
}

TEST_P(Compile, WhatAnIgnoreListNamesIsNotCheckedOrNotReported) {
  workshop_.write("racy.c", R"(int x;
__attribute__((noinline)) static void count(void) { x++; }
int main(void) {
#pragma omp parallel num_threads(2)
  count();
  return 0;
}
)");
  build("fletcher-cc -O1 -fopenmp racy.c -o one");
  EXPECT_EQ(workshop_.run("./one").status, 66);
  workshop_.write("functions.txt", "fun:count\n");
  workshop_.write("files.txt", "src:*racy.c\n");
  for (const std::string list : {"functions.txt", "files.txt"}) {
    const Outcome told = workshop_.run("FLETCHER_OPTIONS=ignorelist=" + list + " ./one");
    EXPECT_EQ(told.status, 0) << list;
    EXPECT_EQ(told.errors, "") << list;
    if (GetParam().name != std::string("clang")) continue; // an option of clang's
    build("fletcher-cc -O1 -fopenmp -fsanitize-ignorelist=" + list + " racy.c -o two");
    EXPECT_EQ(workshop_.run("./two").status, 0) << list;
  }
  workshop_.write("bad.txt", "count\n");
  const Outcome told = workshop_.run("FLETCHER_OPTIONS=ignorelist=bad.txt ./one");
  EXPECT_EQ(told.status, 66);
  EXPECT_TRUE(in_order(told.errors, {"bad.txt:1: expected fun:", "error: data race"})) << told.errors;
}

TEST_P(Compile, ErrorsOfTheCompilerPassThrough) {
  workshop_.write("bad.c", "int main(void) { return x; }\n");
  const Outcome outcome = workshop_.run(GetParam().environment + "\nfletcher-cc bad.c -o bad");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("bad.c:1:25: error"), std::string::npos) << outcome.errors;
}

TEST_P(Compile, ObjectsOfFortranLinkedByTheCDriver) {
  build("fletcher-fc -c -fopenmp a.f90 && fletcher-cc a.o -fopenmp -lgfortran -o one");
  expect_runtimes("one");
  expect_runs("one");
}

INSTANTIATE_TEST_SUITE_P(, Compile,
                         testing::Values(Toolchain{"clang", ":"},
                                         Toolchain{"gcc", "export FLETCHER_CC=gcc FLETCHER_CXX=g++"}),
                         [](const auto& each) { return each.param.name; });

} // namespace
} // namespace fletcher::test
