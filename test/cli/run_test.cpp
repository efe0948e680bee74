// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run`: what the program gets to see, and that its end is the program's own.

#include "test/support/libgomp_programs.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

class Run : public testing::Test {
protected:
  /// One line on standard error.
  static void expect_line(const Outcome& outcome, const std::string& start) {
    EXPECT_TRUE(outcome.errors.starts_with(start)) << outcome.errors;
    EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
  }
  void script(const std::string& name, const std::string& text) const {
    workshop_.write(name, "#!/bin/sh\n" + text + "\n");
    EXPECT_EQ(workshop_.run("chmod +x " + name).status, 0);
  }
  Workshop workshop_;
};

TEST_F(Run, ExitStatusArgumentsAndInputAreTheProgramsOwn) {
  EXPECT_EQ(workshop_.run("fletcher run -- sh -c 'exit 7'").status, 7);
  EXPECT_EQ(workshop_.run("fletcher run sh -c 'echo \"$@\"' name --a -- b").output, "--a -- b\n");
  EXPECT_EQ(workshop_.run("fletcher run -- sh -c 'echo \"$@\"' name --a -- b").output, "--a -- b\n");
  EXPECT_EQ(workshop_.run("echo hello | fletcher run -- cat").output, "hello\n");
}

TEST_F(Run, SignalsReachTheProgramAndKillWithItsStatus) {
  EXPECT_EQ(workshop_.run("fletcher run -- sh -c 'kill -KILL $$'").status, 137);
  EXPECT_EQ(workshop_.run("exec fletcher run -- sh -c 'trap \"exit 9\" TERM; kill -TERM $$; sleep 5'").status, 9);
}

TEST_F(Run, TheEnvironmentCarriesTheOptions) {
  const std::string seen =
      workshop_
          .run("cd / && FLETCHER_OPTIONS=verbose=0 LD_PRELOAD=libm.so.6 fletcher run --threads 3 "
               "--exitcode 5 --sarif \"a 'b.sarif\" --html h.html --text t.txt --options color=never -- env")
          .output;
  EXPECT_TRUE(in_order(
      seen,
      {"FLETCHER_OPTIONS=verbose=0 color=never sarif='/a '\"'\"'b.sarif' html='/h.html' text='/t.txt' exitcode=5\n"}))
      << seen;
  EXPECT_NE(seen.find("OMP_NUM_THREADS=3\n"), std::string::npos) << seen;
  EXPECT_TRUE(in_order(seen, {"LD_PRELOAD=/", "/libfletcher.so:", "/libomp.so:libm.so.6\n"})) << seen;
}

TEST_F(Run, AProgramThatHasTheLibraryHasItOnce) {
  workshop_.write("a.c", R"(#include <link.h>
#include <string.h>
static int count(struct dl_phdr_info* module, size_t size, void* libraries) {
  *(int*)libraries += strstr(module->dlpi_name, "libfletcher.so") != NULL;
  return 0;
}
int main(void) {
  int libraries = 0;
  dl_iterate_phdr(count, &libraries);
  return libraries;
}
)");
  ASSERT_EQ(workshop_.run("fletcher-cc -D_GNU_SOURCE a.c -o a").status, 0);
  EXPECT_EQ(workshop_.run("fletcher run ./a").status, 1);
}

TEST_F(Run, AMissingProgramIsOneLineAnd127) {
  const Outcome missing = workshop_.run("fletcher run -- ./nowhere");
  EXPECT_EQ(missing.status, 127);
  EXPECT_EQ(missing.errors, "fletcher: cannot run './nowhere': no such program\n");
  script("here", "exit 0");
  const Outcome here = workshop_.run("fletcher run -- here");
  EXPECT_EQ(here.status, 127);
  EXPECT_EQ(here.errors, "fletcher: cannot run 'here': no such program; did you mean ./here?\n");
}

TEST_F(Run, WhatCannotBeExecutedIsOneLineAnd126) {
  workshop_.write("plain.txt", "text\n");
  const Outcome text = workshop_.run("fletcher run ./plain.txt");
  EXPECT_EQ(text.status, 126);
  EXPECT_EQ(text.errors, "fletcher: cannot run './plain.txt': it is not executable\n");
  const Outcome folder = workshop_.run("fletcher run /tmp");
  EXPECT_EQ(folder.status, 126);
  EXPECT_EQ(folder.errors, "fletcher: cannot run '/tmp': it is a folder\n");
}

TEST_F(Run, AProgramWithoutOpenMPRunsAndIsToldNotToBeChecked) {
  workshop_.write("a.c", "#include <stdio.h>\nint main(void) { puts(\"ran\"); return 4; }\n");
  ASSERT_EQ(workshop_.run("gcc a.c -o a").status, 0);
  const Outcome outcome = workshop_.run("fletcher run ./a");
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.output, "ran\n");
  expect_line(outcome, "fletcher: ");
  EXPECT_NE(outcome.errors.find("nothing was checked"), std::string::npos) << outcome.errors;
}

TEST_F(Run, AProgramOnLibgompRunsOnLibompAndIsToldSo) {
  workshop_.write("a.c", correct_c);
  ASSERT_EQ(workshop_.run("gcc -fopenmp a.c -o a").status, 0);
  const Outcome outcome = workshop_.run("fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "45\n");
  expect_line(outcome, "fletcher: a is linked to libgomp, which has no OMPT: it runs on ");
  const Outcome version = workshop_.run("OMP_DISPLAY_ENV=verbose fletcher run ./a");
  EXPECT_NE(version.errors.find("KMP_"), std::string::npos) << "libgomp ran: " << version.errors;
}

TEST_F(Run, NothingOfAProgramOnLibgompIsLeftToLibgomp) {
  workshop_.write("a.c", newer_routines_c);
  ASSERT_EQ(workshop_.run("gcc -fopenmp a.c -o a").status, 0);
  const Outcome in_c = workshop_.run("KMP_TEAMS_THREAD_LIMIT=8 fletcher run ./a");
  EXPECT_EQ(in_c.status, 0) << in_c.errors;
  EXPECT_EQ(in_c.output, newer_routines_say) << in_c.errors;
  workshop_.write("a.f90", newer_routines_fortran);
  for (const std::string size : {"", "-fdefault-integer-8 "}) {
    if (workshop_.run("gfortran -fopenmp " + size + "a.f90 -o a").status != 0) GTEST_SKIP() << "no gfortran";
    const Outcome in_fortran = workshop_.run("KMP_TEAMS_THREAD_LIMIT=8 fletcher run ./a");
    EXPECT_EQ(in_fortran.status, 0) << in_fortran.errors;
    EXPECT_EQ(in_fortran.output, newer_routines_say_in_fortran) << size << in_fortran.errors;
  }
}

TEST_F(Run, ALibraryOnLibgompOfAProgramThatHasTheLibrary) {
  workshop_.write("a.c", newer_routines_c);
  workshop_.write("b.c", "int routines(void);\nint main(void) { return routines(); }\n");
  ASSERT_EQ(workshop_.run("gcc -fopenmp -shared -fPIC -Dmain=routines a.c -o liba.so").status, 0);
  for (const std::string openmp : {"", "-fopenmp "}) {
    ASSERT_EQ(workshop_.run("fletcher-cc " + openmp + "b.c ./liba.so -o b").status, 0);
    const Outcome outcome = workshop_.run("KMP_TEAMS_THREAD_LIMIT=8 fletcher run ./b");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, newer_routines_say) << outcome.errors;
  }
}

TEST_F(Run, AProgramWithTargetConstructsForLibgompKeepsLibgomp) {
  workshop_.write("a.c", "#include <stdio.h>\nint main(void) { int x = 1;\n"
                         "#pragma omp target map(tofrom : x)\nx++;\nprintf(\"%d\\n\", x); }\n");
  ASSERT_EQ(workshop_.run("gcc -fopenmp a.c -o a").status, 0);
  const Outcome outcome = workshop_.run("fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "2\n");
  expect_line(outcome, "fletcher: a has target constructs for libgomp, ");
}

TEST_F(Run, AStaticProgramRunsAndIsToldNotToBeChecked) {
  workshop_.write("a.c", "int main(void) { return 6; }\n");
  ASSERT_EQ(workshop_.run("gcc -static a.c -o a").status, 0);
  const Outcome outcome = workshop_.run("fletcher run ./a");
  EXPECT_EQ(outcome.status, 6);
  EXPECT_EQ(outcome.errors,
            "fletcher: a is statically linked: no library can be loaded into it, so nothing is checked\n");
}

TEST_F(Run, AFileOfAnyContentIsNoTrouble) {
  // Headers that point outside of the file, and an ELF file that ends early.
  ASSERT_EQ(workshop_.run("head -c 100 /bin/true >short && head -c 4000 /bin/true >cut && chmod +x short cut").status,
            0);
  for (const char* file : {"short", "cut"}) {
    const Outcome outcome = workshop_.run(std::string("fletcher run ./") + file);
    EXPECT_GE(outcome.status, 126) << file << ": " << outcome.errors;
  }
}

TEST_F(Run, AThreadSanitizerProgramIsToldToIgnoreTheRuntime) {
  workshop_.write(
      "a.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(getenv(\"TSAN_OPTIONS\")); return 0; }\n");
  if (workshop_.run("clang-19 -fsanitize=thread a.c -o a").status != 0) GTEST_SKIP() << "no ThreadSanitizer";
  const std::string list = "/lib/fletcher/tsan.supp";
  const Outcome plain = workshop_.run("fletcher run ./a");
  EXPECT_TRUE(plain.output.starts_with("suppressions=/")) << plain.output;
  const std::size_t end = plain.output.find(list) + list.size();
  ASSERT_LT(end, plain.output.size()) << plain.output;
  const std::string others = plain.output.substr(end); // a symbolizer, too, where one is built
  EXPECT_TRUE(others.starts_with(" report_thread_leaks=0 atexit_sleep_ms=0")) << plain.output;
  EXPECT_EQ(workshop_.run("TSAN_OPTIONS=exitcode=1 fletcher run ./a").output, "exitcode=1 " + plain.output);
  workshop_.write("mine", "race:nobody\n");
  EXPECT_EQ(workshop_.run("TSAN_OPTIONS=suppressions=mine fletcher run ./a").output, // ThreadSanitizer takes one list
            "suppressions=mine ignore_noninstrumented_modules=1" + others);
  EXPECT_EQ(workshop_.run("TSAN_OPTIONS=ignore_noninstrumented_modules=0 fletcher run ./a").output,
            "ignore_noninstrumented_modules=0" + others);
  EXPECT_EQ(workshop_.run("TSAN_OPTIONS=external_symbolizer_path= fletcher run ./a").output.find("llvm-symbolizer"),
            std::string::npos); // who wants none gets none
}

TEST_F(Run, AProgramOnASharedThreadSanitizerKeepsItsAccessesAndIsCheckedAtItsLevel) {
  workshop_.write("a.c", R"(#ifdef __cplusplus
extern "C" void __sanitizer_print_stack_trace(); // who calls it needs gcc's ThreadSanitizer
void (*needed)() = __sanitizer_print_stack_trace;
#endif
int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(x)
    {
#pragma omp task depend(out : x) shared(x)
      {
#pragma omp atomic
        x++;
      }
#pragma omp taskwait
    }
#pragma omp task depend(in : x) shared(x)
    {
#pragma omp atomic
      x++;
    }
#ifdef __cplusplus
    delete new int;
#endif
  }
  return 0;
}
)");
  const std::pair<std::string, std::string> builds[]{
      {"gcc -fsanitize=thread -fopenmp a.c -o a", "level native"},
      {"clang-19 -fsanitize=thread -shared-libsan -fopenmp a.c -o a "
       "-Wl,-rpath,$(dirname $(clang-19 -print-file-name=libclang_rt.tsan-x86_64.so))",
       "level native"},
      {"g++ -fsanitize=thread -fopenmp -x c++ a.c -o a", "level native"}};
  for (const auto& [build, level] : builds) {
    if (workshop_.run(build).status != 0) continue;
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
    EXPECT_EQ(outcome.status, 66) << build << "\n" << outcome.errors;
    EXPECT_TRUE(in_order(outcome.errors, {level, "[non-sibling-dependence]", "fletcher: 1 error"})) << outcome.errors;
  }
}

TEST_F(Run, AProgramOfGccsThreadSanitizerIsCheckedInItsPlace) {
  workshop_.write("a.c", R"(#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static void end(void) { puts("ended"); }
int main(void) {
  int counter = 0, seen = 0;
  char *path = realpath("/", NULL);
  pthread_condattr_t by_clock;
  struct timespec now;
  pthread_condattr_init(&by_clock);
  pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
  pthread_cond_init(&condition, &by_clock);
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&mutex);
  const int waited = pthread_cond_timedwait(&condition, &mutex, &now) != 0;
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&condition);
  atexit(end);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : counter) shared(counter)
    for (int i = 0; i < 1000; i++) counter++;
#pragma omp task depend(in : counter) shared(counter, seen)
    seen = counter;
#ifdef GOOD
#pragma omp taskwait
#endif
    printf("%d", seen);
  }
  printf(" %s %d\n", path, waited);
  free(path);
  return 0;
}
)");
  if (workshop_
          .run("gcc -fsanitize=thread -fopenmp -g a.c -o racy && gcc -DGOOD -fsanitize=thread -fopenmp -g a.c -o good")
          .status != 0)
    GTEST_SKIP() << "no ThreadSanitizer of gcc's";
  for (const char* threads : {"1", "4"}) {
    const std::string run = std::string("timeout 60 fletcher run --threads ") + threads + " ";
    const Outcome racy = workshop_.run(run + "./racy");
    EXPECT_EQ(racy.status, 66);
    EXPECT_TRUE(in_order(racy.errors, {"level native", "data race", "[data-race]"})) << racy.errors;
    const Outcome good = workshop_.run(run + "./good");
    EXPECT_EQ(good.status, 0) << good.errors;
    EXPECT_EQ(good.output, "1000 / 1\nended\n");
    EXPECT_EQ(good.errors.find("error"), std::string::npos) << good.errors;
    EXPECT_EQ(good.errors.find("ThreadSanitizer"), std::string::npos) << good.errors;
  }
}

// Where a program reads one of two neighbours, gcc's code reads both at -O2 and chooses then.
TEST_F(Run, AValueThatGccReadsBeforeItIsChosenIsNoRace) {
  workshop_.write("a.c", R"(
#include <omp.h>
#include <stdio.h>
struct pair {
  int own, common;
};
static int pick(const struct pair* from, int own) {
  int value;
  if (own)
    value = from->own;
  else
    value = from->common;
  return value;
}
int main(void) {
  struct pair pair = {1, 2};
  int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(2)
  {
    const int me = omp_get_thread_num();
    if (me == 0) pair.own = 7;
    for (int i = 0; i < 10; i++) sum += pick(&pair, me == 0);
#ifdef RACY
    pair.common += me;
#endif
  }
  printf("%d\n", sum > 0);
  return 0;
}
)");
  if (workshop_
          .run("gcc -O2 -g -fsanitize=thread -fopenmp a.c -o good && gcc -O2 -g -DRACY -fsanitize=thread -fopenmp "
               "a.c -o racy")
          .status != 0)
    GTEST_SKIP() << "no ThreadSanitizer of gcc's";
  const Outcome good = workshop_.run("timeout 60 fletcher run ./good");
  EXPECT_EQ(good.status, 0) << good.errors;
  EXPECT_EQ(good.output, "1\n");
  EXPECT_EQ(good.errors.find("[data-race]"), std::string::npos) << good.errors;
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run ./racy").status, 66);
}

// What all sanitizers offer only they have.
TEST_F(Run, AProgramThatAsksGccsThreadSanitizerForMoreKeepsIt) {
  workshop_.write("a.c",
                  "#include <stdio.h>\nvoid __sanitizer_set_report_path(const char*);\n"
                  "int main(void) {\n  __sanitizer_set_report_path(\"report\");\n  puts(\"ran\");\n  return 0;\n}\n");
  if (workshop_.run("gcc -fsanitize=thread -fopenmp a.c -o a").status != 0)
    GTEST_SKIP() << "no ThreadSanitizer of gcc's";
  const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "ran\n");
}

TEST_F(Run, TheSymbolizerOfTheEnvironmentIsUsed) {
  script("symbolizer", "touch was-used; exec llvm-symbolizer-19 \"$@\"");
  workshop_.write("a.c", "int x;\nint main(void) {\n#pragma omp parallel\n  x++;\n  return 0;\n}\n");
  ASSERT_EQ(workshop_.run("fletcher-cc -fopenmp a.c -o a").status, 0);
  EXPECT_EQ(workshop_.run("FLETCHER_SYMBOLIZER=$PWD/symbolizer ./a").status, 66);
  EXPECT_TRUE(workshop_.has("was-used"));
}

// It is installed beside the library, and answers as LLVM's.
TEST_F(Run, WithoutOneTheReportIsTheSameFromLessMemory) {
  workshop_.write("a.c", "static int shared_value;\n"
                         "static inline __attribute__((always_inline)) void add(int* sum) { *sum += 1; }\n"
                         "int main(void) {\n  int own = 0;\n#pragma omp parallel num_threads(2)\n  {\n"
                         "    add(&shared_value);\n    add(&own);\n  }\n  return own > 9;\n}\n");
  ASSERT_EQ(workshop_.run("fletcher-cc -g -O1 -fopenmp a.c -o a && env FLETCHER_OPTIONS=document=d ./a").status, 66);
  const Outcome ours = workshop_.run("unset DEBUGINFOD_URLS; ulimit -v 120000; fletcher render d"),
                llvms = workshop_.run("fletcher render --symbolizer llvm-symbolizer-19 d");
  // Which of the two races leads depends on the run.
  EXPECT_TRUE(in_order(ours.errors, {"a.c:2:", "in add at a.c:2:"})) << ours.errors;
  EXPECT_NE(ours.errors.find("'shared_value'"), std::string::npos) << ours.errors;
  const auto report = [](const std::string& errors) { // a slow symbolizer is announced in front of it
    return errors.substr(std::min(errors.find("fletcher 0."), errors.size()));
  };
  EXPECT_EQ(report(ours.errors), report(llvms.errors));
}

} // namespace
} // namespace fletcher::test
