// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of every compiler on the library: they do what they do without it, and what is found in them is right.

#include "test/instrument/toolchain.hpp"

#include <gtest/gtest.h>

namespace {

using namespace fletcher::test;

struct Case {
  std::string program;
  const Toolchain& (*toolchain)();
  std::string level;
  std::string flags = "";
};

std::string name_of(const testing::TestParamInfo<Case>& instance) {
  std::string name = instance.param.program.substr(0, instance.param.program.find('.')) + "_" +
                     instance.param.toolchain().name + "_" + instance.param.level.substr(1);
  return name;
}

class CorrectProgram : public testing::TestWithParam<Case> {};

TEST_P(CorrectProgram, RunsAndIsSilent) {
  const Toolchain& toolchain = GetParam().toolchain();
  if (toolchain.compiler.empty()) GTEST_SKIP() << "no " << toolchain.name;
  const Workshop shop;
  ASSERT_TRUE(build(shop, toolchain, programs() + "/" + GetParam().program, GetParam().level + " " + GetParam().flags,
                    "program"));
  for (const std::string run : {"FLETCHER_OPTIONS=enabled=0 ./program", "./program", "OMP_NUM_THREADS=8 ./program"}) {
    const auto outcome = shop.run("timeout 60 env " + run);
    EXPECT_EQ(outcome.status, 0) << run;
    EXPECT_EQ(outcome.output, "ok\n") << run;
    EXPECT_EQ(outcome.errors, "") << run;
  }
}

INSTANTIATE_TEST_SUITE_P(Clang, CorrectProgram,
                         testing::Values(Case{"early.cpp", clangxx, "-O0"}, Case{"early.cpp", clangxx, "-O2"},
                                         Case{"strings.c", clang, "-O0"}, Case{"strings.c", clang, "-O2"},
                                         Case{"texts.c", clang, "-O0"}, Case{"texts.c", clang, "-O2"},
                                         Case{"forks.c", clang, "-O1"}, Case{"posix_threads.c", clang, "-O0"},
                                         Case{"posix_threads.c", clang, "-O2"}, Case{"recycled.c", clang, "-O1"},
                                         Case{"reductions.c", clang, "-O0"}, Case{"reductions.c", clang, "-O2"},
                                         Case{"scratch_data.c", clang, "-O1"}, Case{"annotations.c", clang, "-O1"},
                                         Case{"c11_threads.c", clang, "-O0"}, Case{"c11_threads.c", clang, "-O2"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Gcc, CorrectProgram,
                         testing::Values(Case{"early.cpp", gxx, "-O0"}, Case{"early.cpp", gxx, "-O2"},
                                         Case{"strings.c", gcc, "-O0"}, Case{"strings.c", gcc, "-O2"},
                                         Case{"texts.c", gcc, "-O0"},
                                         Case{"texts.c", gcc, "-O2", "-D_FORTIFY_SOURCE=2"},
                                         Case{"forks.c", gcc, "-O1"}, Case{"posix_threads.c", gcc, "-O0"},
                                         Case{"posix_threads.c", gcc, "-O2"}, Case{"recycled.c", gcc, "-O1"},
                                         Case{"reductions.c", gcc, "-O0"}, Case{"reductions.c", gcc, "-O2"},
                                         Case{"scratch_data.c", gcc, "-O1"}, Case{"annotations.c", gcc, "-O1"},
                                         Case{"c11_threads.c", gcc, "-O0"}, Case{"c11_threads.c", gcc, "-O2"}),
                         name_of);

class RacyProgram : public testing::TestWithParam<Case> {};

TEST_P(RacyProgram, IsTold) {
  const Toolchain& toolchain = GetParam().toolchain();
  if (toolchain.compiler.empty()) GTEST_SKIP() << "no " << toolchain.name;
  const Workshop shop;
  ASSERT_TRUE(build(shop, toolchain, programs() + "/" + GetParam().program, GetParam().level + " " + GetParam().flags,
                    "program"));
  const auto outcome = shop.run("./program");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("[data-race]"), std::string::npos) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(All, RacyProgram,
                         testing::Values(Case{"posix_threads_racy.c", clang, "-O1"},
                                         Case{"posix_threads_racy.c", gcc, "-O1"},
                                         Case{"annotations.c", clang, "-O1", "-DSILENT"},
                                         Case{"annotations.c", gcc, "-O1", "-DSILENT"}),
                         name_of);

TEST(Annotations, NeedNoLibrary) {
  const Workshop shop;
  for (const std::string flags : {"-O0", "-O2 -fno-pie -no-pie", "-O2 -fPIE -pie", "-O1 -static"}) {
    const auto built = shop.run(gcc().compiler + " -fopenmp " + flags + " -I'" + include_folder() + "' '" + programs() +
                                "/annotations.c' -o program");
    ASSERT_EQ(built.status, 0) << built.errors;
    const auto outcome = shop.run("./program");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "ok\n") << flags;
  }
}

TEST(Annotations, OfFortran) {
  if (gfortran().compiler.empty()) GTEST_SKIP() << "no gfortran";
  const Workshop shop;
  const std::string sources = "'" + include_folder() + "/fletcher/fletcher.f90' '" + programs() + "/annotations.f90'";
  auto built = shop.run(gfortran().compiler + " -fopenmp " + sources + " -o without");
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_EQ(shop.run("./without").output, "ok\n");

  const std::string folder = library().substr(0, library().rfind('/'));
  built = shop.run(gfortran().compiler + " -g -fopenmp -fsanitize=thread -c '" + include_folder() +
                   "/fletcher/fletcher.f90' && " + gfortran().compiler + " -g -fopenmp -fsanitize=thread -c '" +
                   programs() + "/annotations.f90' && " + clang().compiler + " annotations.o fletcher.o '" + library() +
                   "' -Wl,-rpath,'" + folder + "' -fopenmp -lgfortran -o with");
  ASSERT_EQ(built.status, 0) << built.errors;
  const auto outcome = shop.run("./with");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "ok\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST(TablesOfUsers, SayWhatClosedLibrariesDo) {
  const Workshop shop;
  const auto built = shop.run(
      "printf '%s\\n' 'void scale(int n, double by, double* x) { for (int i = 0; i < n; i++) x[i] *= by; }' > closed.c "
      "&&"
      "printf '%s\\n' 'void scale(int, double, double*); int main(void) { static double x[8];' '#pragma omp parallel' "
      "'#pragma omp single' '{' '#pragma omp task' 'scale(5, 2, x);' '#pragma omp task' 'scale(4, 2, x + 4);' '}' "
      "'return 0; }' > open.c && " +
      gcc().compiler + " -shared -fPIC closed.c -o libclosed.so && " + clang().compiler +
      " -g -fopenmp -fsanitize=thread -c open.c && " + clang().compiler + " open.o libclosed.so '" + library() +
      "' -Wl,-rpath,.,-rpath,'" + library().substr(0, library().rfind('/')) + "' -fopenmp -o program");
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_EQ(shop.run("./program").errors, "");
  shop.run("printf '%s\\n' 'scale(n: integer, by: number, x: array):' '  when by != 0 updates x(n)' > closed.effects");
  const std::string found = shop.run("FLETCHER_LIBRARIES=closed.effects ./program").errors;
  EXPECT_NE(found.find("scale writes x (4 elements)"), found.npos) << found;
  EXPECT_NE(found.find("scale writes x (5 elements)"), found.npos) << found;
  shop.run("printf 'scale(n: integer):\\n  reads y(n)\\n' > closed.effects");
  const std::string told = shop.run("FLETCHER_LIBRARIES=closed.effects:none ./program").errors;
  EXPECT_NE(told.find("closed.effects:2:9: expected the name of a parameter that is an array, not 'y'"), told.npos)
      << told;
  EXPECT_NE(told.find("cannot read none"), told.npos) << told;
}

TEST(Interposers, DoNotDisturbProgramsWithoutOpenMP) {
  const Workshop shop;
  shop.write("text", "one\ntwo\nthree\n");
  for (const std::string line :
       {"sort text | tr a-z A-Z", "python3 -c 'print(sorted([3,1,2]))' 2>/dev/null || echo none",
        "bash -c 'x=$(cat text); echo ${#x}'"}) {
    const auto plain = shop.run(line), preloaded = shop.run("export LD_PRELOAD='" + library() + "'\n" + line);
    EXPECT_EQ(preloaded.status, plain.status) << line;
    EXPECT_EQ(preloaded.output, plain.output) << line;
    EXPECT_EQ(preloaded.errors, plain.errors) << line;
  }
}

/// A library had its functions before C11 had any: other arguments, other results.
constexpr const char* own_threads = R"(#include <pthread.h>
enum { failed, done };
typedef struct { int turns; pthread_mutex_t lock; } mtx_t;
int mtx_init(mtx_t* mutex) { mutex->turns = 0; return pthread_mutex_init(&mutex->lock, 0) == 0 ? done : failed; }
int mtx_lock(mtx_t* mutex) { return pthread_mutex_lock(&mutex->lock) == 0 ? done : failed; }
int mtx_unlock(mtx_t* mutex) { mutex->turns++; return pthread_mutex_unlock(&mutex->lock) == 0 ? done : failed; }
int thrd_create(void* (*routine)(void*), void* argument, pthread_t* thread) {
  return pthread_create(thread, 0, routine, argument) == 0 ? done : failed;
}
int thrd_join(pthread_t thread) { return pthread_join(thread, 0) == 0 ? done : failed; }
void call_once(void (*routine)(void*), void* argument) { routine(argument); }
)";
constexpr const char* uses_own_threads = R"(#include <pthread.h>
#include <stdio.h>
typedef struct { int turns; pthread_mutex_t lock; } mtx_t;
int mtx_init(mtx_t*);
int mtx_lock(mtx_t*);
int mtx_unlock(mtx_t*);
int thrd_create(void* (*)(void*), void*, pthread_t*);
int thrd_join(pthread_t);
void call_once(void (*)(void*), void*);
static mtx_t mutex;
static int x;
static void begin(void* to) { *(int*)to = 1; }
static void* add(void* unused) {
  mtx_lock(&mutex);
  x += 2;
  mtx_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  int good = mtx_init(&mutex);
  call_once(begin, &x);
  good &= thrd_create(add, 0, &thread);
  good &= mtx_lock(&mutex);
  x += 4;
  good &= mtx_unlock(&mutex);
  good &= thrd_join(thread);
#pragma omp parallel num_threads(2)
  {
    mtx_lock(&mutex);
    x += 8;
    mtx_unlock(&mutex);
  }
  printf("%d %d %d\n", good, mutex.turns, x);
  return 0;
}
)";

TEST(Interposers, LeaveAProgramItsOwnFunctionsByTheNamesOfC11) {
  const Workshop shop;
  shop.write("own.c", own_threads);
  shop.write("user.c", uses_own_threads);
  const std::string compile = clang().compiler + " -g -O1 -fopenmp -fsanitize=thread -fPIC ";
  const std::string folder = library().substr(0, library().rfind('/'));
  const std::string link = clang().compiler + " -fopenmp -Wl,-rpath,'" + folder + "' -Wl,-rpath,. user.o ";
  const auto compiled =
      shop.run(compile + "-c own.c && " + compile + "-c user.c && " + clang().compiler + " -shared own.o -o libown.so");
  ASSERT_EQ(compiled.status, 0) << compiled.errors;
  for (const std::string& rest :
       {"own.o '" + library() + "'", "own.o -Wl,--export-dynamic '" + folder + "/libfletcher.a' -ldl -lm",
        "'" + library() + "' libown.so", "libown.so '" + library() + "'"}) {
    const auto linked = shop.run(link + rest + " -o program");
    ASSERT_EQ(linked.status, 0) << rest << "\n" << linked.errors;
    const auto outcome = shop.run("timeout 60 ./program");
    EXPECT_EQ(outcome.status, 0) << rest;
    EXPECT_EQ(outcome.output, "1 4 23\n") << rest;
    EXPECT_EQ(outcome.errors, "") << rest;
  }
}

TEST(HeapBlocks, AreToldWithThePlaceOfTheirAllocation) {
  const Workshop shop;
  shop.write("block.cpp", R"(#include <cstdlib>
struct Node { int value; };
Node* make() {
  return new Node[10];   // line 4
}
int main() {
  Node* nodes = make();
#pragma omp parallel num_threads(2)
  nodes[3].value++;
  delete[] nodes;
}
)");
  for (const Toolchain* toolchain : {&clangxx(), &gxx()}) {
    ASSERT_TRUE(build(shop, *toolchain, (shop.folder() / "block.cpp").string(), "-O1", "program"));
    const auto outcome = shop.run("./program");
    EXPECT_EQ(outcome.status, 66);
    EXPECT_NE(outcome.errors.find("block.cpp:4"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find("heap block of 40 bytes"), std::string::npos) << outcome.errors;
  }
}

} // namespace
