// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs, compiled and run: the races that are reported are those that the specification says they have.
// FLETCHER_PROPERTY_SEED picks the first program.
#include "answer.hpp"
#include "generate.hpp"
#include "shrink.hpp"
#include "source.hpp"

#include "test/programs/runner/diagnostics.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace fletcher::compiled {
namespace {

using programs::Reported;
using test::Outcome;
using test::Workshop;

constexpr std::uint32_t thread_counts[]{1, 2, 8};
constexpr std::size_t programs_per_source = 20;

/// Programs as one source file, built with one compiler at one level.
class Batch {
public:
  Batch(std::vector<Program>& programs, Compiler compiler, unsigned level) : source_(print(programs)) {
    shop_.write("source.c", source_);
    const std::string command = std::string("FLETCHER_CC=") + (compiler == Compiler::gcc ? "gcc" : "clang-19") +
                                " fletcher-cc -w -g -O" + std::to_string(level) + " -fopenmp source.c -o program";
    built_ = shop_.run(command);
  }
  const std::string& source() const { return source_; }
  const Outcome& built() const { return built_; }
  Outcome run(std::uint32_t threads) const {
    return shop_.run("export OMP_NUM_THREADS=" + std::to_string(threads) +
                     " OMP_MAX_ACTIVE_LEVELS=3 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive\n"
                     "FLETCHER_OPTIONS='group=0 max_findings=100000' timeout 60 ./program");
  }

private:
  Workshop shop_;
  std::string source_;
  Outcome built_;
};

/// gcc asks for the thread's number in static loops and masked constructs: heap blocks that tasks of one thread use may
/// be the thread's own then (docs/design/gaps.md).
bool may_be_the_threads_own(const std::string& source, Compiler compiler, const std::set<LinePair>& pairs) {
  if (compiler != Compiler::gcc) return false;
  return std::all_of(pairs.begin(), pairs.end(), [&](const LinePair& pair) {
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < pair.second; ++line) begin = source.find('\n', begin) + 1;
    return source.substr(begin, source.find('\n', begin) - begin).find("*heap_") != std::string::npos;
  });
}

/// What was reported against what is known; empty where they agree.
std::string difference(const Program& program, const std::string& source, Compiler compiler, std::uint32_t threads,
                       const std::vector<Reported>& reported) {
  const Answer known = answer(program, threads);
  // One thread's iterations are distinguished as those of several are. No loop has more than three.
  const Answer divided = compiler == Compiler::clang && threads < 3 ? answer(program, 3) : known;
  std::string text;
  const auto show = [](const LinePair& pair) {
    return ' ' + std::to_string(pair.first) + '-' + std::to_string(pair.second);
  };
  std::set<LinePair> told;
  for (const Reported& finding : reported) {
    const std::uint32_t line = finding.place.line;
    if (finding.rule != "data-race" || line < program.first_line || line > program.last_line) continue;
    const LinePair pair =
        finding.notes.empty() ? LinePair{0, line} : LinePair{std::minmax(line, finding.notes.front().line)};
    told.insert(pair);
    if (!known.races.contains(pair) && !divided.races.contains(pair)) text += " no race:" + show(pair);
  }
  for (const std::set<LinePair>& any : known.required) {
    if (std::any_of(any.begin(), any.end(), [&](const LinePair& pair) { return told.contains(pair); })) continue;
    if (may_be_the_threads_own(source, compiler, any)) continue;
    text += " missed: any of";
    for (const LinePair& pair : any) text += show(pair);
  }
  return text;
}

/// The first difference of a program that is built and run alone.
std::string difference(Program& program, Compiler compiler, unsigned level) {
  std::vector<Program> alone{program};
  const Batch batch(alone, compiler, level);
  program = alone.front();
  if (batch.built().status != 0) return "not built: " + batch.built().errors;
  for (const std::uint32_t threads : thread_counts) {
    const Outcome outcome = batch.run(threads);
    const std::string difference =
        compiled::difference(program, batch.source(), compiler, threads, programs::read_diagnostics(outcome.errors));
    if (!difference.empty()) return "OMP_NUM_THREADS=" + std::to_string(threads) + difference + '\n' + outcome.errors;
  }
  return "";
}

void explain(Program program, Compiler compiler, unsigned level, const std::string& found) {
  std::string last;
  const Program small = shrink(
      program,
      [&](Program& candidate) {
        const std::string now = difference(candidate, compiler, level);
        if (!now.empty()) last = now;
        return !now.empty();
      },
      60);
  std::vector<Program> alone{small};
  const std::string source = print(alone);
  ADD_FAILURE() << "seed " << program.seed << " -O" << level << found
                << "\nalone and smaller: " << (last.empty() ? "not always\n" : last) << excerpt(source, alone.front());
}

void run_batch(std::uint64_t seed, std::size_t count, Kind kind, unsigned level) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < count; ++i) programs.push_back(generate(seed + i, kind));
  const Batch batch(programs, kind.compiler, level);
  ASSERT_EQ(batch.built().status, 0) << "seed " << seed << '\n' << batch.built().errors;
  for (const std::uint32_t threads : thread_counts) {
    const Outcome outcome = batch.run(threads);
    const auto reported = programs::read_diagnostics(outcome.errors);
    ASSERT_TRUE(outcome.status == 66 || (outcome.status == 0 && reported.empty()))
        << "seed " << seed << " -O" << level << " OMP_NUM_THREADS=" << threads << ": status " << outcome.status << '\n'
        << outcome.errors;
    for (const Program& program : programs) {
      const std::string found = difference(program, batch.source(), kind.compiler, threads, reported);
      if (found.empty()) continue;
      explain(program, kind.compiler, level, " OMP_NUM_THREADS=" + std::to_string(threads) + found);
    }
  }
}

void run_programs(Compiler compiler) {
  const char* const chosen = std::getenv("FLETCHER_PROPERTY_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 0;
  const bool thorough = std::getenv("FLETCHER_TEST_LONG") != nullptr;
  const unsigned batches = thorough ? 25 : 6; // six: all levels with and without detached tasks
  for (unsigned i = 0; i < batches && !testing::Test::HasFailure(); ++i)
    run_batch(first + i * programs_per_source, programs_per_source,
              {compiler, compiler == Compiler::clang && i % 2 == 1}, i % 3);
}

TEST(CompiledPrograms, OfClangAreJudgedByTheSpecification) { run_programs(Compiler::clang); }
TEST(CompiledPrograms, OfGccAreJudgedByTheSpecification) { run_programs(Compiler::gcc); }

} // namespace
} // namespace fletcher::compiled
