// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the OpenMP runtime that compilers and libgomp have agreed on, and that LLVM's runtime does not have, or has
// for others: programs of each compiler link and do what is meant.

#include "test/support/libgomp_programs.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class RuntimeCalls : public testing::Test {
protected:
  void build(const std::string& line) const {
    const Outcome outcome = workshop_.run(line);
    EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.errors;
  }
  void expect_says(const std::string& program, const std::string& says) const {
    const Outcome outcome = workshop_.run(program);
    EXPECT_EQ(outcome.status, 0) << program << '\n' << outcome.errors;
    EXPECT_EQ(outcome.output, says) << program << '\n' << outcome.errors;
  }
  /// On libgomp, with the library in front of it.
  void expect_says_on_libgomp(const std::string& program, const std::string& says) const {
    expect_says("LD_PRELOAD=$(dirname $(command -v fletcher))/../lib/libfletcher.so " + program, says);
  }
  bool has_gcc() const { return workshop_.run("command -v gcc").status == 0; }
  bool has_gfortran() const { return workshop_.run("command -v gfortran").status == 0; }

  Workshop workshop_;
};

const std::string affinity_c = R"(#include <omp.h>
#include <stdio.h>
int main(void) {
  char text[64], format[64];
  omp_set_affinity_format("thread %n of %N");
  printf("%d", (int)omp_get_affinity_format(format, sizeof format));
  printf(" %s;", format);
  printf(" %d", (int)omp_capture_affinity(text, sizeof text, "level %L"));
  printf(" %s\n", text);
  fflush(stdout);
  omp_display_affinity(NULL);
  omp_display_affinity("number %n");
  return 0;
}
)";
const std::string affinity_says = "15 thread %n of %N; 7 level 0\nthread 0 of 1\nnumber 0\n";

TEST_F(RuntimeCalls, TextsOfAffinityInC) {
  workshop_.write("a.c", affinity_c);
  build("fletcher-cc -fopenmp a.c -o a");
  expect_says("./a 2>&1", affinity_says);
  if (!has_gcc()) GTEST_SKIP() << "no GCC";
  build("FLETCHER_CC=gcc fletcher-cc -fopenmp a.c -o b");
  expect_says("./b 2>&1", affinity_says);
  build("gcc -fopenmp a.c -o c");
  expect_says_on_libgomp("./c 2>&1 | grep -v ^fletcher", affinity_says);
  expect_says("fletcher run ./c 2>&1 | grep -v ^fletcher", affinity_says);
}

TEST_F(RuntimeCalls, TextsOfAffinityInFortran) {
  workshop_.write("a.f90", R"(program p
  use omp_lib
  character(len=64) :: text, format
  integer :: n
  call omp_set_affinity_format("thread %n of %N")
  n = omp_get_affinity_format(format)
  print '(i0,1x,a)', n, trim(format)
  n = omp_capture_affinity(text, "level %L")
  print '(i0,1x,a)', n, trim(text)
end program
)");
  if (!has_gfortran()) GTEST_SKIP() << "no gfortran";
  build("fletcher-fc -fopenmp a.f90 -o a");
  expect_says("./a", "15 thread %n of %N\n7 level 0\n");
}

TEST_F(RuntimeCalls, RoutinesSince5InC) {
  workshop_.write("a.c", newer_routines_c);
  build("fletcher-cc -fopenmp a.c -o a");
  expect_says("./a", newer_routines_say);
  if (!has_gcc()) GTEST_SKIP() << "no GCC";
  build("FLETCHER_CC=gcc fletcher-cc -fopenmp a.c -o b && gcc -fopenmp a.c -o c");
  expect_says("./b", newer_routines_say);
  expect_says_on_libgomp("./c", newer_routines_say);
}

TEST_F(RuntimeCalls, RoutinesInFortranWithIntegersOfBothSizes) {
  if (!has_gfortran()) GTEST_SKIP() << "no gfortran";
  workshop_.write("a.f90", newer_routines_fortran);
  for (const std::string size : {"", "-fdefault-integer-8 "}) {
    build("fletcher-fc -fopenmp " + size + "a.f90 -o a && gfortran -fopenmp " + size + "a.f90 -o b");
    expect_says("./a", newer_routines_say_in_fortran);
    expect_says_on_libgomp("./b", newer_routines_say_in_fortran);
  }
}

TEST_F(RuntimeCalls, TheErrorDirectiveOfGcc) {
  workshop_.write("a.c", R"(#include <stdio.h>
int main(int count, char** arguments) {
#pragma omp error at(execution) severity(warning) message(arguments[1])
#pragma omp error at(execution) severity(warning)
  puts("warned");
  fflush(stdout);
  if (count > 2) {
#pragma omp error at(execution) message("enough")
  }
  puts("ended");
  return 0;
}
)");
  // GCC has the directive since its version 12.
  if (workshop_.run("gcc -Werror -fopenmp -c a.c -o native.o").status != 0) GTEST_SKIP() << "no GCC that has it";
  build("FLETCHER_CC=gcc fletcher-cc -fopenmp a.c -o a && gcc -fopenmp a.c -o b");
  // What would run on libgomp says what it would say there.
  using Words = std::vector<std::string>;
  const Words by_llvm{"OMP: Warning", "careful", "OMP: Warning", "no message"};
  const Words by_libgomp{"libgomp: error directive encountered: careful\n", "libgomp: error directive encountered\n"};
  for (const auto& [program, warnings] :
       {std::pair<std::string, Words>{"./a", by_llvm}, {"fletcher run ./b", by_libgomp}}) {
    const Outcome warned = workshop_.run(program + " careful");
    EXPECT_EQ(warned.status, 0) << warned.errors;
    EXPECT_EQ(warned.output, "warned\nended\n");
    EXPECT_TRUE(in_order(warned.errors, warnings)) << warned.errors;
    const Outcome failed = workshop_.run(program + " careful now");
    EXPECT_NE(failed.status, 0) << failed.errors;
    EXPECT_EQ(failed.output, "warned\n");
    EXPECT_TRUE(in_order(failed.errors, {"careful", "OMP: Error", "enough"})) << failed.errors;
  }
  const Outcome log = workshop_.run("FLETCHER_OPTIONS=log_events=events.txt ./a careful");
  EXPECT_TRUE(in_order(workshop_.read("events.txt"), {"careful"})) << workshop_.read("events.txt");
  build("LD_PRELOAD=$(dirname $(command -v fletcher))/../lib/libfletcher.so ./b careful 2>libgomp.txt");
  EXPECT_TRUE(in_order(workshop_.read("libgomp.txt"), {"libgomp: ", "careful"})) << workshop_.read("libgomp.txt");
}

TEST_F(RuntimeCalls, TheErrorDirectiveOfGfortranHasMessagesWithoutAnEnd) {
  workshop_.write("a.f90", R"(program p
  character(len=12) :: message
  message = "careful, now"
  !$omp error at(execution) severity(warning) message(message(1:7))
end program
)");
  if (workshop_.run("gfortran -fopenmp -c a.f90 -o native.o").status != 0) GTEST_SKIP() << "no gfortran that has it";
  build("fletcher-fc -fopenmp a.f90 -o a");
  const Outcome outcome = workshop_.run("./a");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(in_order(outcome.errors, {"OMP: Warning", "warning: careful.\n"})) << outcome.errors;
}

TEST_F(RuntimeCalls, TheScopeConstructOfGccOnLibgompsNames) {
  workshop_.write("a.c", R"(#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp scope reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum += 2;
  }
  printf("%d\n", sum);
  return 0;
}
)");
  if (workshop_.run("gcc -Werror -fopenmp a.c -o a").status != 0) GTEST_SKIP() << "no GCC that has it";
  expect_says("fletcher run ./a", "4\n");
  expect_says_on_libgomp("./a", "4\n");
}

TEST_F(RuntimeCalls, PlacesInFortran) {
  if (!has_gfortran()) GTEST_SKIP() << "no gfortran";
  workshop_.write("a.f90", R"(program p
  use omp_lib
  integer :: ids(1), places(1)
  ids = -1
  places = -1
  call omp_get_place_proc_ids(0, ids)
  !$omp parallel num_threads(1)
  call omp_get_partition_place_nums(places)
  !$omp end parallel
  print '(*(i0,1x))', omp_get_num_places(), omp_get_place_num_procs(0), ids, places
end program
)");
  for (const std::string size : {"", "-fdefault-integer-8 "}) {
    build("fletcher-fc -fopenmp " + size + "a.f90 -o a");
    const std::string processor = workshop_.run("taskset -cp $$ | sed 's/.*: \\([0-9]*\\).*/\\1/'").output;
    ASSERT_FALSE(processor.empty());
    const std::string number = processor.substr(0, processor.size() - 1);
    expect_says("OMP_PLACES={" + number + "} OMP_PROC_BIND=true ./a", "1 1 " + number + " 0\n");
  }
}

} // namespace
} // namespace fletcher::test
