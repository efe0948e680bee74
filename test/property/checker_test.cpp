// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker against the task graph on random programs: every race that it reports is one, and no variable with a race
// goes unreported. FLETCHER_PROPERTY_SCALE multiplies the number of programs, FLETCHER_PROPERTY_SEED picks the first.
#include "event_text.hpp"
#include "generate.hpp"
#include "oracle.hpp"
#include "shrink.hpp"

#include "checker/access/check.hpp"
#include "checker/checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

namespace fletcher::property {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Findings final : public FindingSink {
public:
  void found(std::uint64_t, Finding finding) override { all.push_back(std::move(finding)); }
  void again(std::uint64_t) override {}
  std::vector<Finding> all;
};

std::string describe(const RecordedAccess& access) {
  return to_text(access.construct->access) + " // " + std::to_string(access.construct->id) + " (task " +
         std::to_string(number(access.task)) + ')';
}

enum class Kind : std::uint8_t { false_alarm, missed_variable, missed_first, malformed, stuck };

struct Difference {
  Kind kind;
  std::string text;
};

/// Makes the access in one of the ways that the access path tells apart: first of its strand and from an unknown place,
/// or neither of them; at once or in two halves.
void perform(Checker& checker, const SimulatedAccess& access, std::uint64_t way) {
  access::ThreadState& thread = checker.thread(access.thread);
  const Address address = variable_address(access.construct->variable), pc = pc_of(access.construct->id);
  const access::Kind kind = access.construct->access;
  if ((way & 1) != 0) {
    constexpr Address nobody_elses = 0x40'0000'0000;
    thread.stack.push(1, 0);
    access::check(thread, nobody_elses + (way << 3), 8, kind, pc);
    thread.careful = 0;
  }
  const std::size_t size = (way & 2) != 0 ? 4 : 8;
  for (Address part = 0; part < 8; part += size) access::check(thread, address + part, size, kind, pc);
  if ((way & 1) != 0) thread.stack.pop();
}

/// After how many events and accesses the checker looks for ids to use again; 0: never.
unsigned sweeps_every = 0;

class Sweeper {
public:
  explicit Sweeper(Checker& checker) : checker_(checker) {}
  void step() {
    if (sweeps_every != 0 && ++steps_ % sweeps_every == 0) checker_.sweep(true);
  }

private:
  Checker& checker_;
  unsigned steps_ = 0;
};

/// Runs the program once under both; the first difference.
std::optional<Difference> difference(const Program& program, const Schedule& schedule, std::ostream* events = nullptr) {
  Findings findings;
  Checker checker(CheckerConfig{.address_bits = 36, .ids_at_once = sweeps_every != 0 ? 1u : 64u}, findings);
  Sweeper sweeper(checker);
  std::vector<Listener*> also{&checker};
  std::optional<EventText> text;
  if (events != nullptr) also.push_back(&text.emplace(*events));
  std::uint64_t accesses_made = 0;
  const Recording run(program, schedule, also, [&](const SimulatedAccess& access) {
    if (events != nullptr)
      *events << "  [" << number(access.thread) << "]   " << to_text(access.construct->access) << ' '
              << static_cast<char>('a' + access.construct->variable) << "  // " << access.construct->id << '\n';
    ++accesses_made;
    sweeper.step();
    perform(checker, access, accesses_made * 4 + (schedule.seed + access.construct->id) % 4);
    sweeper.step();
  });
  if (!run.ended()) return Difference{Kind::stuck, "the program did not end"};
  const auto& accesses = run.accesses();

  const auto recorded = [&](const AccessDescription& access) -> const RecordedAccess* {
    if (access.stack.empty()) return nullptr;
    const auto found = std::find_if(accesses.begin(), accesses.end(), [&](const RecordedAccess& a) {
      return pc_of(a.construct->id) == access.stack.front();
    });
    return found == accesses.end() ? nullptr : &*found;
  };
  std::set<std::uint32_t> reported;
  std::set<const RecordedAccess*> reported_later;
  for (const Finding& finding : findings.all) {
    if (finding.rule != Rule::data_race) continue;
    const RecordedAccess* const later = finding.accesses.empty() ? nullptr : recorded(finding.accesses[0]);
    const RecordedAccess* const earlier = finding.accesses.size() < 2 ? nullptr : recorded(finding.accesses[1]);
    if (later == nullptr || earlier == nullptr) return Difference{Kind::malformed, "a finding without its accesses"};
    if (!run.race(*earlier, *later))
      return Difference{Kind::false_alarm, "false alarm: " + describe(*earlier) + " and " + describe(*later)};
    reported.insert(later->construct->variable);
    reported_later.insert(later);
  }

  for (std::uint32_t variable = 0; variable < program.variables; ++variable) {
    for (auto later = accesses.begin(); later != accesses.end(); ++later) {
      if (later->construct->variable != variable) continue;
      // Shadow memory keeps four accesses of a variable; beyond that it may forget the one that matters.
      constexpr int remembered = 4;
      const auto on_variable = [&](const RecordedAccess& a) { return a.construct->variable == variable; };
      if (std::count_if(accesses.begin(), later, on_variable) > remembered) break;
      const auto earlier =
          std::find_if(accesses.begin(), later, [&](const RecordedAccess& a) { return run.race_in_run(a, *later); });
      if (earlier == later) continue;
      const std::string pair = describe(*earlier) + " and " + describe(*later);
      if (!reported.contains(variable)) return Difference{Kind::missed_variable, "missed: " + pair};
      if (!reported_later.contains(&*later)) return Difference{Kind::missed_first, "first race missed: " + pair};
      break;
    }
  }
  return std::nullopt;
}

/// All that a schedule is follows from its seed.
Schedule schedule_of(std::uint64_t seed) {
  Random random(seed);
  return {seed, random.below(90), random.below(99), random.percent(50) ? random.below(100) : 0};
}

constexpr unsigned schedules_per_program = 3;

struct Failure {
  Schedule schedule;
  Difference difference;
};

std::optional<Failure> failure(const Program& program, std::uint64_t seed, unsigned schedules,
                               std::optional<Kind> only = std::nullopt) {
  Random random(seed);
  for (unsigned i = 0; i < schedules; ++i) {
    const Schedule schedule = schedule_of(random.seed());
    if (const auto found = difference(program, schedule); found && (!only || found->kind == *only))
      return Failure{schedule, *found};
  }
  return std::nullopt;
}

void explain(std::uint64_t seed, const Program& program, Kind kind) {
  constexpr unsigned schedules = 25;
  std::optional<Failure> last;
  const Program small = shrink(program, [&](const Program& p) {
    const auto found = failure(p, seed, schedules, kind);
    if (found) last = found;
    return found.has_value();
  });
  if (!last) last = failure(program, seed, schedules, kind);
  if (!last) return;
  std::ostringstream text, events;
  print(text, small);
  // A checker whose answer depends on addresses may give another one now.
  const bool again = difference(small, last->schedule, &events).has_value();
  ADD_FAILURE() << "program seed " << seed << ": " << last->difference.text << (again ? "" : " (not always)") << "\n"
                << text.str() << "schedule " << last->schedule.seed << ":\n"
                << events.str();
}

void run_programs(std::uint64_t count, const GeneratorOptions& options) {
  const std::uint64_t first = from_environment("FLETCHER_PROPERTY_SEED", 0);
  count *= from_environment("FLETCHER_PROPERTY_SCALE", 1);
  unsigned failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 3; ++seed) {
    Random random(seed);
    const Program program = generate(random, options);
    const auto found = failure(program, seed, schedules_per_program);
    if (!found) continue;
    ++failures;
    explain(seed, program, found->difference.kind);
  }
}

TEST(CheckerAgainstGraph, SmallPrograms) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 14;
  options.variables = 2;
  run_programs(2000, options);
}

TEST(CheckerAgainstGraph, LargePrograms) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 60;
  options.variables = 14;
  run_programs(500, options);
}

TEST(CheckerAgainstGraph, OrderOnly) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 30;
  options.variables = 8;
  options.locks = options.atomics = 0;
  run_programs(1000, options);
}

TEST(CheckerAgainstGraph, WorkUnderLocks) {
  GeneratorOptions options;
  options.budget = 20;
  options.variables = 3;
  options.locks = 50;
  options.work_under_locks = 40;
  options.serial_tasks = false;
  run_programs(1000, options);
}

// Ids come to mean other strands all the time.
class Swept : public testing::Test {
protected:
  void SetUp() override { sweeps_every = 1; }
  void TearDown() override { sweeps_every = 0; }
};

TEST_F(Swept, SmallPrograms) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 14;
  options.variables = 2;
  run_programs(1000, options);
}

TEST_F(Swept, LargePrograms) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 60;
  options.variables = 14;
  run_programs(500, options);
}

TEST_F(Swept, OrderOnly) {
  GeneratorOptions options;
  options.serial_tasks = false;
  options.budget = 30;
  options.variables = 8;
  options.locks = options.atomics = 0;
  run_programs(500, options);
}

TEST(CheckerAgainstGraph, TasksOutsideOfRegions) {
  GeneratorOptions options;
  options.budget = 20;
  options.variables = 4;
  run_programs(1000, options);
}

} // namespace
} // namespace fletcher::property
