// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each program under test/programs, in each configuration that applies, is a test: built once, run with each number of
// threads, and what the checker says is compared with the program's comments.
//
// Environment: FLETCHER_TEST_LONG=1 runs each 20 times, all instead of some built for ThreadSanitizer, and at level
// graph by each compiler instead of one by turns;
// FLETCHER_TEST_RUNS=50 that often, and tells the slowest run; FLETCHER_TEST_THREADS="2 4 8" replaces the numbers of
// threads that are not 1 where there are several; FLETCHER_TEST_OPTIMISATIONS="-O0 -O3" replaces the levels;
// FLETCHER_TEST_LOADING="run" or "tool_libraries" has all programs at level graph run so, instead of by turns;
// FLETCHER_TEST_PLAIN=1 builds and runs without Fletcher, to check the programs themselves; FLETCHER_TEST_BIN.
#include "build.hpp"
#include "diagnostics.hpp"
#include "expectation.hpp"
#include "process.hpp"
#include "verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <future>
#include <iostream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace fletcher::programs {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds time_limit{60};

struct Case {
  fs::path file;
  Configuration configuration;

  std::string name() const {
    std::string out = file.lexically_relative(FLETCHER_PROGRAMS).string() + "_" + configuration.compiler +
                      configuration.optimisation +
                      (configuration.graph  ? "_graph"
                       : configuration.tsan ? "_tsan"
                                            : "");
    std::replace_if(out.begin(), out.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return out;
  }
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name(); }

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

std::vector<std::string> optimisations(const fs::path& file) {
  if (const char* chosen = std::getenv("FLETCHER_TEST_OPTIMISATIONS")) {
    std::istringstream in{std::string(chosen)};
    return {std::istream_iterator<std::string>(in), {}};
  }
  const bool example = file.parent_path().parent_path().filename() == "examples";
  return example ? std::vector<std::string>{"-O0", "-O1", "-O2", "-O3"} : std::vector<std::string>{"-O1"};
}

std::vector<Case> all_cases() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(FLETCHER_PROGRAMS)) {
    const auto extension = entry.path().extension();
    const bool source = extension == ".c" || extension == ".cpp" || extension == ".f90";
    if (source && entry.path().parent_path().filename() != "runner") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  constexpr std::size_t every = 7; // of the programs, built for ThreadSanitizer: it takes its time
  for (std::size_t number = 0; number < files.size(); ++number) {
    const auto& file = files[number];
    const Expectation program = read_directives(file); // the rest takes time, and each test makes all cases
    const std::string& by_turns = program.compilers[number % program.compilers.size()];
    for (const auto& compiler : program.compilers) {
      for (const auto& optimisation : optimisations(file)) cases.push_back({file, {compiler, optimisation}});
      if (is_set("FLETCHER_TEST_PLAIN")) continue;
      if (program.graph_level && (is_set("FLETCHER_TEST_LONG") || compiler == by_turns))
        cases.push_back({file, {.compiler = compiler, .optimisation = "-O1", .graph = true}});
      if (compiler == "clang" && file.extension() != ".f90" && !program.needs_driver &&
          (is_set("FLETCHER_TEST_LONG") || program.always_stock || number % every == 0))
        cases.push_back({file, {.compiler = compiler, .optimisation = "-O1", .tsan = true}});
    }
  }
  return cases;
}

int number_of_runs() {
  if (const char* chosen = std::getenv("FLETCHER_TEST_RUNS")) return std::max(std::atoi(chosen), 1);
  return is_set("FLETCHER_TEST_LONG") ? 20 : 1;
}

std::vector<unsigned> numbers_of_threads(const Expectation& program) {
  std::vector<unsigned> out = program.threads;
  const char* const chosen = std::getenv("FLETCHER_TEST_THREADS");
  if (chosen == nullptr) return out;
  const auto is_replaced = [](unsigned n) { return n > 1; };
  if (std::count_if(out.begin(), out.end(), is_replaced) < 2) return out; // a program that is about one number
  std::erase_if(out, is_replaced);
  std::string numbers = chosen;
  std::replace(numbers.begin(), numbers.end(), ',', ' ');
  std::istringstream in{numbers};
  out.insert(out.end(), std::istream_iterator<unsigned>(in), {});
  return out;
}

/// Whether a program's time is mostly waiting, by what it is about: then its runs go on side by side.
bool waits(const Expectation& program) {
  return program.file.parent_path().filename() == "deadlock" ||
         std::any_of(program.findings.begin(), program.findings.end(), [](const auto& finding) {
           return finding.rule == "barrier-mismatch" || finding.rule == "dependence-cycle";
         });
}

class Program : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("fletcher-programs." + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  const Expectation& program() const { return program_; }
  const Configuration& configuration() const { return GetParam().configuration; }
  fs::path executable() const { return folder_ / program().file.stem(); }

  /// Builds the program; false, with the reason told, if that fails.
  bool build(bool plain) {
    for (const Command& command : build_commands(program(), configuration(), executable(), plain)) {
      const Outcome outcome = run(command, folder_, time_limit);
      built_with_ += "  " + command.text() + "\n";
      if (outcome.status == 0) continue;
      ADD_FAILURE() << "cannot be built:\n" << built_with_ << outcome.output << outcome.errors;
      return false;
    }
    return true;
  }

  /// At level graph: the runtime opens the library, instead of `fletcher run`. So with the last number of threads, and
  /// every other one before it.
  bool by_tool_libraries(unsigned threads) const {
    if (const char* const chosen = std::getenv("FLETCHER_TEST_LOADING")) return std::string_view(chosen) != "run";
    const auto all = numbers_of_threads(program());
    return (all.end() - std::find(all.begin(), all.end(), threads)) % 2 == 1;
  }

  Command run_command(unsigned threads, const std::string& options = "") const {
    Command command;
    command.environment = program().environment;
    command.environment.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
    // Marks are about pairs of lines.
    command.environment.push_back("FLETCHER_OPTIONS=" + (options.empty() ? "group=0" : options));
    // ThreadSanitizer would wait for a second at the end, in case that a thread still races.
    if (configuration().tsan) command.environment.push_back("TSAN_OPTIONS=atexit_sleep_ms=0");
    // With options it is a run without checks: a preloaded library still repairs what LLVM's runtime lacks for gcc.
    if (configuration().tsan || (configuration().graph && options.empty() && by_tool_libraries(threads)))
      command.environment.push_back("OMP_TOOL_LIBRARIES=" + library().string());
    else if (configuration().graph)
      command.arguments = {(binaries() / "fletcher").string(), "run", "--"};
    command.arguments.push_back(executable().string());
    return command;
  }

  /// What is wrong with one checked run; empty if nothing is.
  std::vector<std::string> faults(const Outcome& outcome) const {
    if (outcome.timed_out) return {"did not end within " + std::to_string(time_limit.count()) + " s"};
    const auto reported = read_diagnostics(outcome.errors);
    auto out = differences(program(), reported, configuration().graph ? Level::graph : Level::native);
    const bool errors = std::any_of(reported.begin(), reported.end(), [](const auto& one) { return one.error; });
    // A racy program's own status tells whether its result happened to be right.
    const bool status_fits =
        errors ? outcome.status == 66 : outcome.status == 0 || (!program().silent && outcome.status == 1);
    if (!status_fits) out.push_back("exit status " + std::to_string(outcome.status));
    if (program().silent && !outcome.errors.empty()) out.push_back("it is not silent");
    return out;
  }

  /// What came of the runs with one number of threads.
  struct Runs {
    int all = 0, bad = 0;
    std::chrono::duration<double> slowest{};
    std::string first_bad; ///< what was wrong with it, its command and all that it printed
    Outcome last;
  };

  Runs runs_with(unsigned threads, bool plain) const {
    Runs out;
    const Command command = run_command(threads);
    for (out.all = 0; out.all < number_of_runs(); ++out.all) {
      const auto begin = std::chrono::steady_clock::now();
      const Outcome outcome = out.last = run(command, folder_, time_limit);
      out.slowest = std::max<std::chrono::duration<double>>(out.slowest, std::chrono::steady_clock::now() - begin);
      std::vector<std::string> wrong;
      if (!plain)
        wrong = faults(outcome);
      else if (outcome.timed_out || outcome.status > (program().silent ? 0 : 1))
        wrong = {"exit status " + std::to_string(outcome.status)};
      if (wrong.empty() || ++out.bad != 1) continue;
      for (const auto& one : wrong) out.first_bad += one + "\n";
      out.first_bad += "built and run with\n" + built_with_ + "  " + command.text() + "\n";
      out.first_bad += "standard output:\n" + outcome.output + "standard error:\n" + outcome.errors;
    }
    return out;
  }

  const Expectation program_ = read_expectation(GetParam().file);
  std::string built_with_;
  fs::path folder_;
};

TEST_P(Program, IsJudgedAsItsCommentsSay) {
  ASSERT_EQ(program().mistakes, std::vector<std::string>{});
  for (const auto& file : program().needs)
    if (!fs::exists(file)) GTEST_SKIP() << "no " << file;
  const bool plain = is_set("FLETCHER_TEST_PLAIN");
  if (!build(plain || configuration().stock())) return;

  const auto policy = waits(program()) ? std::launch::async : std::launch::deferred;
  const auto numbers = numbers_of_threads(program());
  std::vector<std::future<Runs>> all;
  for (const unsigned threads : numbers)
    all.push_back(std::async(policy, [this, threads, plain] { return runs_with(threads, plain); }));
  // The results of a silent program are the same without the checker. ThreadSanitizer would report.
  std::future<Outcome> unchecked;
  if (!plain && !configuration().tsan && program().silent)
    unchecked = std::async(policy, [&] { return run(run_command(numbers.back(), "enabled=0"), folder_, time_limit); });

  Outcome checked; // the last run
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Runs runs = all[i].get();
    if (runs.all > 1)
      std::cout << runs.all - runs.bad << " of " << runs.all << " runs with " << numbers[i]
                << " threads, the slowest took " << runs.slowest.count() << " s\n";
    if (runs.bad != 0)
      ADD_FAILURE() << runs.bad << " of " << runs.all << " runs with OMP_NUM_THREADS=" << numbers[i]
                    << " went wrong, the first so:\n"
                    << runs.first_bad;
    checked = runs.last;
  }
  if (!unchecked.valid() || HasFailure()) return;
  const Outcome alone = unchecked.get();
  EXPECT_EQ(checked.output, alone.output);
  EXPECT_EQ(checked.status, alone.status);
  EXPECT_EQ(alone.errors, "") << "with FLETCHER_OPTIONS=enabled=0";
}

INSTANTIATE_TEST_SUITE_P(Programs, Program, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name(); });

} // namespace
} // namespace fletcher::programs
