// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that strain the library: many threads, much memory, signals, forks, late libraries, sudden ends. Correct
// ones stay as they are and silent; what was found is reported however the program ends. FLETCHER_TEST_LONG=1 runs them
// more often, with every number of threads from 1 to 16, and touches all of the large array.
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

namespace fletcher::test {
namespace {

bool long_form() {
  const char* const value = std::getenv("FLETCHER_TEST_LONG");
  return value != nullptr && std::string_view(value) == "1";
}

class Robust : public testing::Test {
protected:
  void build(const std::string& name, const std::string& flags = "", const std::string& driver = "fletcher-cc") {
    const Outcome built =
        workshop_.run(driver + " -g -O1 -fopenmp " + flags + " " FLETCHER_TEST_PROGRAMS "/" + name + ".c -o " + name);
    ASSERT_EQ(built.status, 0) << built.errors;
  }
  Outcome run(const std::string& line) const { return workshop_.run("timeout 120 " + line); }
  void expect_ok(const std::string& line) const {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.status, 0) << line;
    EXPECT_EQ(outcome.output, "ok\n") << line;
    EXPECT_EQ(outcome.errors, "") << line;
  }

  Workshop workshop_;
};

struct Strain {
  const char* program;
  const char* arguments;
  const char* long_arguments;
};

class Correct : public Robust, public testing::WithParamInterface<Strain> {};

TEST_P(Correct, RunsAsItIsAndSilently) {
  const std::string name = GetParam().program;
  build(name);
  expect_ok("./" + name + " " + (long_form() ? GetParam().long_arguments : GetParam().arguments));
  if (!long_form()) return;
  for (int i = 0; i < 5; ++i) expect_ok("./" + name + " " + GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(Programs, Correct,
                         testing::Values(Strain{"many_threads", "256", "1000"}, Strain{"nested_regions", "", ""},
                                         Strain{"reserved_space", "", ""}, Strain{"large_array", "65536", "1"},
                                         Strain{"signal_storm", "", ""}, Strain{"leaving_threads", "", ""},
                                         Strain{"children", "", ""}),
                         [](const auto& tested) { return std::string(tested.param.program); });

TEST_F(Robust, ManySmallRegionsLeaveNothingBehind) {
  // Threads that spin at the end of each region would wait for those of other tests.
  const std::string run = std::string("./small_regions ") + (long_form() ? "100000" : "30000");
  const std::string passive = "env OMP_WAIT_POLICY=passive ";
  build("small_regions");
  expect_ok(passive + run);
  build("small_regions", "", "clang-19");
  expect_ok(passive + "fletcher run " + run);
}

TEST_F(Robust, TasksThatAreOverLeaveNothingBehindWhileTheRegionGoesOn) {
  const std::string run =
      std::string("env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive ./endless_region ") + (long_form() ? "3000" : "300");
  build("endless_region");
  expect_ok(run);
  const Outcome racy = this->run(run + " racy");
  EXPECT_EQ(racy.status, 66);
  EXPECT_EQ(racy.output, "ok\n");
  EXPECT_TRUE(in_order(racy.errors, {"error: data race", "'early'", "[data-race]", "1 error, 0 warnings"}))
      << racy.errors;
}

TEST_F(Robust, UntiedTasksMayEndBeforeTheirFirstPartsHaveReturned) {
  build("untied_tasks", "-finstrument-functions");
  for (int run = 0; run < (long_form() ? 100 : 3); ++run) expect_ok("./untied_tasks");
}

TEST_F(Robust, ACorrectProgramHasNoFindingWhateverTheNumberOfThreads) {
  build("many_threads");
  const int runs = long_form() ? 100 : 1;
  for (int run = 0; run < runs; ++run)
    for (int threads = 1; threads <= 16; threads += long_form() ? 1 : 5)
      expect_ok("./many_threads " + std::to_string(threads));
}

/// As LLVM's runtime leaves it where a process is killed that had this one's number before.
TEST_F(Robust, AnEmptyRegistrationOfTheRuntimeDoesNotKillTheProgram) {
  const auto after_one_that_was_killed = [&](const std::string& program) {
    expect_ok("sh -c ': > /dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u); exec " + program + "'");
  };
  build("many_threads");
  after_one_that_was_killed("./many_threads 2");
  build("many_threads", "", "clang-19");
  after_one_that_was_killed("env OMP_TOOL_LIBRARIES=" FLETCHER_LIBRARY " ./many_threads 2");
}

// Then Linux puts libraries where shadow memory mostly is.
TEST_F(Robust, AnUnlimitedStackLeavesRoomForShadowMemory) {
  build("lost_update");
  for (const std::string layout : {"", "setarch -L ", "setarch -R ", "setarch -R -L "}) {
    const Outcome outcome = run("sh -c 'ulimit -s unlimited; exec " + layout + "./lost_update'");
    EXPECT_EQ(outcome.status, 66) << layout;
    EXPECT_TRUE(in_order(outcome.errors, {"error: data race", "'last'", "[data-race]", "1 error, 0 warnings"}))
        << layout << outcome.errors;
  }
}

TEST_F(Robust, WhereTheStackIsUnlimitedTheHeapThatGrowsBelowItIsNoneOfIt) {
  build("grown_heap");
  const Outcome outcome = run("sh -c 'ulimit -s unlimited; exec ./grown_heap'");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_TRUE(in_order(outcome.errors, {"grown_heap.c:24", "error: data race", "1 error, 0 warnings"}))
      << outcome.errors;
}

TEST_F(Robust, AnErrorDirectiveNeedsNoMessage) {
  build("error_directive");
  const Outcome plain = run("env FLETCHER_OPTIONS=enabled=0 ./error_directive"), checked = run("./error_directive");
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.output, "ok\n");
  EXPECT_EQ(checked.errors, plain.errors);
}

TEST_F(Robust, AThreadThatSpinsHasNoStrandForEachTurn) {
  build("spins");
  const Outcome outcome = run("env OMP_NUM_THREADS=2 FLETCHER_OPTIONS=verbose=1 ./spins");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "2\n");
  std::smatch strands;
  ASSERT_TRUE(std::regex_search(outcome.errors, strands, std::regex(R"(\((\d+) strands, 2 threads\): 0 findings)")))
      << outcome.errors;
  EXPECT_LT(std::stol(strands[1]), 10000);
}

class MemoryLimit : public Robust {
protected:
  void SetUp() override { build("much_memory"); }
  Outcome run_limited(const std::string& arguments, const std::string& options = "") const {
    return run("env FLETCHER_OPTIONS='memory_limit=60 " + options + "' ./much_memory " + arguments);
  }
};

constexpr const char* given_back = "fletcher: memory_limit=60 is reached: memory that is not needed any more is freed; "
                                   "no race is missed because of it\n";
constexpr const char* forgotten = "fletcher: memory_limit=60 is reached: shadow memory is freed from time to time; "
                                  "races with earlier accesses may be missed\n";

/// The first line, and maybe the second one, before or after it.
void expect_told(const std::string& text, const std::string& line, const std::string& maybe) {
  EXPECT_TRUE(text == line || text == line + maybe || text == maybe + line) << text;
}

TEST_F(MemoryLimit, GivesBackBetweenRegionsWhatIsOver) {
  const Outcome correct = run_limited("regions");
  EXPECT_EQ(correct.status, 0);
  EXPECT_EQ(correct.output, "ok\n");
  expect_told(correct.errors, given_back, forgotten); // the next region may be too late where others keep the processor
  const Outcome racy = run_limited("regions late", "on_deadlock=ignore");
  EXPECT_EQ(racy.status, 66);
  EXPECT_TRUE(in_order(racy.errors, {given_back, "error: data race", "'late_total'", "[data-race]"})) << racy.errors;
}

TEST_F(MemoryLimit, ForgetsAccessesWhereNothingIsOver) {
  const Outcome correct = run_limited("region");
  EXPECT_EQ(correct.status, 0);
  EXPECT_EQ(correct.output, "ok\n");
  expect_told(correct.errors, forgotten, given_back); // at the end of the region
  const Outcome racy = run_limited("region early");
  EXPECT_EQ(racy.status, 66);
  EXPECT_EQ(racy.output, "ok\n");
  EXPECT_TRUE(in_order(racy.errors, {forgotten, "memory_limit was reached", "error: data race", "'early_total'"}))
      << racy.errors;
}

struct Ending {
  const char* way;
  int status;
};

class Ends : public Robust, public testing::WithParamInterface<const char*> {};

TEST_F(Robust, AProgramThatIsKilledHasToldWhatWasFoundBefore) {
  build("endings");
  const Outcome outcome = run("sh -c 'FLETCHER_OPTIONS=tell_after=1 ./endings primary never > output 2> errors & "
                              "until grep -q warnings errors; do sleep 0.1; done; kill -KILL $!; wait $!'");
  EXPECT_EQ(outcome.status, 128 + SIGKILL);
  EXPECT_EQ(workshop_.read("output"), "out\n");
  const std::string errors = workshop_.read("errors");
  EXPECT_TRUE(in_order(errors, {"error: data race", "[data-race]", "fletcher: 1 error, 0 warnings\n"})) << errors;
}

TEST_F(Robust, AReportInPartsSaysWhatItsCountsAreOf) {
  build("told_in_parts");
  const Outcome outcome = run("./told_in_parts");
  EXPECT_EQ(outcome.status, 66);
  const std::string before = "earlier findings of this process are neither printed nor counted again\n";
  EXPECT_TRUE(in_order(outcome.errors, {"'early'", "fletcher: 1 error, 0 warnings\n", before, "'late'",
                                        "fletcher: 1 error, 0 warnings\n"}))
      << outcome.errors;
  EXPECT_EQ(outcome.errors.find(before), outcome.errors.rfind(before));
}

TEST_F(Robust, AHandlerOfTheProgramsOwnGivesTheSignalItsDefaultBack) {
  build("endings");
  const Outcome outcome = run("./endings primary handled");
  EXPECT_EQ(outcome.status, 139);
  EXPECT_EQ(outcome.output, "out\nhandled\n");
  EXPECT_TRUE(in_order(outcome.errors, {"error: data race", "[data-race]", "fletcher: 1 error, 0 warnings\n"}))
      << outcome.errors;
}

TEST_F(Robust, AProgramThatDestroysItsHeapHasToldWhatWasFound) {
  build("destroys_heap");
  for (const std::string way : {"signal", "malloc"}) {
    const Outcome outcome = run("env MALLOC_ARENA_MAX=1 ./destroys_heap " + way);
    EXPECT_GT(outcome.status, 128) << way;
    EXPECT_TRUE(in_order(
        outcome.errors, {"destroys_heap.c:26:10: error: data race", "of 'counter'", "fletcher: 1 error, 0 warnings\n"}))
        << way << "\n"
        << outcome.errors;
  }
}

// The Fortran runtime has a handler for that, which the kernel cannot call: there is no stack left.
TEST_F(Robust, AFortranProgramThatUsesUpItsStackHasToldWhatWasFound) {
  workshop_.write("deep.f90", R"(program deep
  integer :: total
  total = 0
!$omp parallel num_threads(2)
  total = total + 1
!$omp end parallel
  call dig(total)
contains
  recursive subroutine dig(below)
    integer, intent(inout) :: below
    integer :: level(100)
    level = below
    call dig(level(3))
    below = sum(level)
  end subroutine
end program
)");
  ASSERT_EQ(workshop_.run("fletcher-fc -g -O1 -fopenmp deep.f90 -o deep").status, 0);
  const Outcome outcome = run("./deep");
  EXPECT_EQ(outcome.status, 139);
  EXPECT_TRUE(in_order(outcome.errors, {"deep.f90:5:", "error: data race", "fletcher: 1 error, 0 warnings\n"}))
      << outcome.errors;
  EXPECT_EQ(outcome.errors.find("Backtrace"), std::string::npos) << outcome.errors;
}

struct Death {
  const char* arguments;
  int status;
  std::vector<std::string> lines; ///< in the report
};

TEST_F(Robust, AProgramThatDiesBeforeAnythingWasFoundHasToldWhere) {
  const std::string native = "./dies ", graph = "fletcher run -- ./unchecked ";
  build("dies");
  const Outcome built = workshop_.run("clang-19 -g -O1 -fopenmp " FLETCHER_TEST_PROGRAMS "/dies.c -o unchecked");
  ASSERT_EQ(built.status, 0) << built.errors;
  const std::vector<Death> deaths = {
      {"region segv", 139, {"died of SIGSEGV at", "dies.c:23, in thread 1 of the parallel region at", "dies.c:30\n"}},
      {"task segv", 139, {"died of SIGSEGV at", "dies.c:23, in the task created at", "dies.c:34\n", "dies.c:30; "}},
      {"task abort", 134, {"died of SIGABRT at", "dies.c:19, in the task created at", "dies.c:34\n", "dies.c:30; "}},
      {"task call", 139, {"died of SIGSEGV at", "dies.c:21,", "in the task created at", "dies.c:34\n", "dies.c:30; "}},
      {"task smash", 139, {"died of SIGSEGV at", "dies.c:1", "in the task created at", "dies.c:34\n", "dies.c:30; "}},
      {"region term", 143, {}},
      {"outside segv", 139, {}}};
  for (const std::string& program : {native, graph})
    for (const auto& [arguments, status, lines] : deaths) {
      const Outcome outcome = run(program + arguments);
      EXPECT_EQ(outcome.status, status) << program << arguments;
      EXPECT_TRUE(in_order(outcome.errors, lines)) << program << arguments << "\n" << outcome.errors;
      EXPECT_EQ(outcome.errors.find(": level ") == std::string::npos, lines.empty()) << program << arguments << "\n"
                                                                                     << outcome.errors;
    }
}

TEST_P(Ends, TellWhatWasFoundAndKeepTheStatus) {
  build("endings");
  for (const auto& [way, status] : {Ending{"exit", 66}, Ending{"_exit", 66}, Ending{"quick_exit", 66},
                                    Ending{"abort", 134}, Ending{"segv", 139}, Ending{"term", 143}})
    for (int i = 0; i < (long_form() ? 20 : 1); ++i) {
      const std::string line = std::string("./endings ") + GetParam() + " " + way;
      const Outcome outcome = run(line);
      EXPECT_EQ(outcome.status, status) << line;
      EXPECT_EQ(outcome.output, "out\n") << line;
      EXPECT_TRUE(in_order(outcome.errors, {"error: data race", "[data-race]", "fletcher: 1 error, 0 warnings\n"}))
          << line << "\n"
          << outcome.errors;
      EXPECT_EQ(outcome.errors.find("the program died"), std::string::npos) << outcome.errors;
    }
}

INSTANTIATE_TEST_SUITE_P(In, Ends, testing::Values("primary", "worker", "all", "task", "critical", "thread"),
                         [](const auto& tested) { return std::string(tested.param); });

class PastTheEnd : public Robust, public testing::WithParamInterface<const char*> {};

// The runtime's fault is not reported as the program's.
TEST_P(PastTheEnd, WaitsForNoIterationOfTheProgram) {
  build("past_the_end");
  const Outcome clang = run(std::string("env OMP_NUM_THREADS=4 ") + GetParam() + " ./past_the_end");
  EXPECT_EQ(clang.status, 66);
  EXPECT_TRUE(
      in_order(clang.errors, {"past_the_end.c:13:", "the OpenMP runtime, and not the program", "[dependence-cycle]",
                              "fix: nothing needs to change in the program", "fletcher: 1 error, 0 warnings\n"}))
      << clang.errors;
  build("past_the_end", "", "FLETCHER_CC=gcc fletcher-cc");
  expect_ok(std::string("env OMP_NUM_THREADS=4 ") + GetParam() + " ./past_the_end");
}

INSTANTIATE_TEST_SUITE_P(By, PastTheEnd, testing::Values("", "fletcher run --"),
                         [](const auto& tested) { return *tested.param == 0 ? "itself" : "run"; });

class LateLibrary : public Robust {
protected:
  void SetUp() override {
    build("opens_plugin");
    build("plugin", "-shared -fPIC");
  }
};

TEST_F(LateLibrary, IsCheckedToo) {
  expect_ok("./opens_plugin ./plugin");
  const Outcome racy = run("./opens_plugin ./plugin racy");
  EXPECT_EQ(racy.status, 66);
  EXPECT_EQ(racy.output, "ok\n");
  // It was closed long before the report.
  EXPECT_TRUE(in_order(racy.errors, {"plugin.c:24:", "error: data race", "'total'", "[data-race]", "in work"}))
      << racy.errors;
}

TEST_F(LateLibrary, DoesNoHarmToAnUncheckedProgram) {
  build("opens_plugin", "", "clang-19");
  expect_ok("./opens_plugin ./plugin");
}

} // namespace
} // namespace fletcher::test
