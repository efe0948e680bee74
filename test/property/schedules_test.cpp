// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph builder against the simulator, which knows nothing of graphs: what the graph of one schedule orders, every
// schedule obeys; what it calls concurrent, some schedule turns round.
#include "generate.hpp"
#include "oracle.hpp"
#include "shrink.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

namespace fletcher::property {
namespace {

unsigned scale() {
  const char* text = std::getenv("FLETCHER_PROPERTY_SCALE");
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : 1;
}

/// Everything in it is ordered by OpenMP alone, whatever the schedule.
GeneratorOptions deterministic() {
  GeneratorOptions options;
  options.budget = 16;
  options.foreign_order = false;
  options.cancel = false;
  options.serial_tasks = false;
  options.moving = false; // the order of siblings would depend on who creates them
  return options;
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Of a program under many schedules: pairs of accesses (by construct) that the graph orders in any schedule, and those
/// that happened one after the other in all of them. Empty if a schedule did not end.
struct Orders {
  std::map<Pair, unsigned> by_graph, by_time;
  unsigned schedules = 0;
};

Orders orders_of(const Program& program, unsigned schedules, std::uint64_t seed) {
  Orders orders;
  Random random(seed);
  for (unsigned i = 0; i < schedules; ++i) {
    const Schedule schedule{random.seed(), random.below(90), random.below(99), i % 2 * random.below(100)};
    const Recording run(program, schedule);
    if (!run.ended()) return {};
    ++orders.schedules;
    const auto& accesses = run.accesses();
    for (std::size_t later = 0; later < accesses.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const Pair pair{accesses[earlier].construct->id, accesses[later].construct->id};
        ++orders.by_time[pair];
        if (run.before(accesses[earlier], accesses[later]) || run.same_strand(accesses[earlier], accesses[later]))
          ++orders.by_graph[pair];
        // Against time: never right.
        if (run.before(accesses[later], accesses[earlier])) ++orders.by_graph[{pair.second, pair.first}];
      }
    }
  }
  return orders;
}

/// An order in the graph of one schedule that another schedule does not have, or does not obey.
bool too_strong(const Program& program, unsigned schedules, std::uint64_t seed) {
  const Orders orders = orders_of(program, schedules, seed);
  for (const auto& [pair, count] : orders.by_graph) {
    const auto time = orders.by_time.find(pair);
    if (count != orders.schedules || time == orders.by_time.end() || time->second != orders.schedules) return true;
  }
  return orders.schedules == 0;
}

/// An order that all schedules have and no graph.
std::optional<Pair> too_weak(const Program& program, unsigned schedules, std::uint64_t seed) {
  const Orders orders = orders_of(program, schedules, seed);
  for (const auto& [pair, count] : orders.by_time)
    if (count == orders.schedules && !orders.by_graph.contains(pair)) return pair;
  return std::nullopt;
}

std::string shown(const Program& program) {
  std::ostringstream text;
  print(text, program);
  return text.str();
}

TEST(Schedules, ObeyTheGraphOfEachOther) {
  for (std::uint64_t seed = 0; seed < 300 * scale(); ++seed) {
    Random random(seed);
    GeneratorOptions options = deterministic();
    options.budget = 30;
    const Program program = generate(random, options);
    if (!too_strong(program, 12, seed)) continue;
    const Program small = shrink(program, [&](const Program& p) { return too_strong(p, 60, seed); });
    FAIL() << "seed " << seed << "\n" << shown(small);
  }
}

TEST(Schedules, TurnRoundWhatTheGraphLeavesOpen) {
  for (std::uint64_t seed = 0; seed < 60 * scale(); ++seed) {
    Random random(seed);
    const Program program = generate(random, deterministic());
    if (!too_weak(program, 300, seed) || !too_weak(program, 4000, seed)) continue;
    const Program small = shrink(program, [&](const Program& p) { return too_weak(p, 3000, seed).has_value(); });
    const Pair pair = too_weak(small, 3000, seed).value_or(Pair{});
    FAIL() << "seed " << seed << ": " << pair.first << " is always before " << pair.second << "\n" << shown(small);
  }
}

/// With everything that may occur: time never contradicts the graph, and every program ends.
TEST(Schedules, NeverContradictTheirOwnGraph) {
  for (std::uint64_t seed = 0; seed < 1000 * scale(); ++seed) {
    Random random(seed);
    const Program program = generate(random, GeneratorOptions{});
    const Recording run(program, {random.seed(), random.below(90), random.below(99), random.below(100)});
    ASSERT_TRUE(run.ended()) << "seed " << seed << "\n" << shown(program);
    const auto& accesses = run.accesses();
    for (std::size_t later = 0; later < accesses.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        ASSERT_FALSE(run.before(accesses[later], accesses[earlier])) << "seed " << seed << "\n" << shown(program);
  }
}

} // namespace
} // namespace fletcher::property
