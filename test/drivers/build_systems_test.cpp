// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drivers as the compilers of CMake, of a configure script as autoconf makes them, and of plain make.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

const std::string cmake_project = R"(cmake_minimum_required(VERSION 3.16)
project(sample C CXX Fortran)
find_package(OpenMP REQUIRED)
find_package(Threads REQUIRED)
add_library(part SHARED part.c)
target_link_libraries(part PUBLIC OpenMP::OpenMP_C)
add_executable(c a.c)
target_link_libraries(c PRIVATE part OpenMP::OpenMP_C Threads::Threads)
add_executable(cxx a.cpp)
target_link_libraries(cxx PRIVATE part OpenMP::OpenMP_CXX)
add_executable(fortran a.f90)
target_link_libraries(fortran PRIVATE OpenMP::OpenMP_Fortran)
install(TARGETS part c cxx fortran)
)";

// The checks that autoconf's AC_PROG_CC, AC_OPENMP and AC_SEARCH_LIBS make.
const std::string configure_script = R"(set -e
cat >conftest.c <<'END'
int main(void) { return 0; }
END
$CC $CFLAGS conftest.c -o conftest && ./conftest && echo "compiler works"
$CC --version >/dev/null && $CC -v 2>/dev/null >/dev/null && echo "compiler answers"
for flag in -xopenmp -qopenmp -fopenmp; do
  cat >conftest.c <<'END'
#ifndef _OPENMP
#error "no OpenMP"
#endif
#include <omp.h>
int main(void) { return omp_get_num_threads() == 0; }
END
  if $CC $CFLAGS $flag conftest.c -o conftest 2>/dev/null && ./conftest; then echo "OpenMP: $flag"; break; fi
done
cat >conftest.c <<'END'
char cos();
int main(void) { return cos(); }
END
for library in "" -lno_such_library -lm; do
  if $CC $CFLAGS -fno-builtin conftest.c $library -o conftest 2>/dev/null; then echo "cos: $library"; break; fi
done
$CC $CFLAGS -fopenmp -c a.c -o a.o
$CC -fopenmp a.o -o a
)";

const std::string makefile = R"(CFLAGS = -O1 -fopenmp
LDFLAGS = -fopenmp
a: a.o
)";

class BuildSystems : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    workshop_.write("a.c", correct_c);
    workshop_.write("a.cpp", correct_cxx);
    workshop_.write("a.f90", correct_fortran);
    workshop_.write("part.c", "int part;\nint get_part(void) { return part++; }\n");
  }
  Outcome run(const std::string& line) const {
    const std::string compilers = GetParam() == "gcc" ? "export FLETCHER_CC=gcc FLETCHER_CXX=g++\n" : "";
    return workshop_.run(compilers + "export CC=fletcher-cc CXX=fletcher-c++ FC=fletcher-fc\n" + line);
  }
  void expect_checked(const std::string& program) const {
    const auto libraries = workshop_.libraries(program);
    ASSERT_FALSE(libraries.empty());
    EXPECT_EQ(libraries.front(), "libfletcher.so");
    for (const auto& library : libraries)
      EXPECT_FALSE(library.starts_with("libgomp") || library.starts_with("libtsan")) << library;
    EXPECT_EQ(run("./" + program).output, "45\n");
  }
  Workshop workshop_;
};

TEST_P(BuildSystems, CMake) {
  workshop_.write("CMakeLists.txt", cmake_project);
  const Outcome built = run("cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build && "
                            "cmake --install build --prefix installed");
  ASSERT_EQ(built.status, 0) << built.output << built.errors;
  for (const char* program : {"c", "cxx", "fortran"}) expect_checked(std::string("build/") + program);
  expect_checked("installed/bin/fortran");
  EXPECT_EQ(run("LD_LIBRARY_PATH=installed/lib installed/bin/cxx").output, "45\n");
}

TEST_P(BuildSystems, Configure) {
  workshop_.write("configure", configure_script);
  const Outcome built = run("CFLAGS='-g -O2' bash ./configure");
  ASSERT_EQ(built.status, 0) << built.output << built.errors;
  EXPECT_EQ(built.output, "compiler works\ncompiler answers\nOpenMP: -fopenmp\ncos: -lm\n");
  expect_checked("a");
}

TEST_P(BuildSystems, Make) {
  if (run("command -v make").status != 0) GTEST_SKIP() << "no make";
  workshop_.write("Makefile", makefile);
  const Outcome built = run("make CC=fletcher-cc");
  ASSERT_EQ(built.status, 0) << built.output << built.errors;
  expect_checked("a");
}

INSTANTIATE_TEST_SUITE_P(, BuildSystems, testing::Values("clang", "gcc"), [](const auto& each) { return each.param; });

} // namespace
} // namespace fletcher::test
