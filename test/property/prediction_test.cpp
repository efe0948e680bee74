// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prediction against all sync-preserving reorderings of small random traces: whatever is predicted, one of these brings
// together, and little of what one brings together is missed. FLETCHER_PROPERTY_SCALE multiplies the number of traces,
// FLETCHER_PROPERTY_SEED picks the first.
#include "reordering.hpp"

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace fletcher::property {
namespace {

using test::Driver;
using Op = TraceEvent::Op;

constexpr Address first_place = 100; ///< of event 0

/// Gives the trace to a checker: members on a thread each, and created tasks on one each as well, of members that do
/// nothing else.
class Play {
public:
  explicit Play(const Trace& trace) : left_(trace.tasks), ids_(trace.tasks) {
    for (const TraceEvent& e : trace.events) ++left_[e.task];
    const TeamId team = driver_.fork(1, trace.tasks);
    for (std::size_t i = 0; i < trace.events.size(); ++i) perform(trace.events[i], first_place + i);
    driver_.join(team);
  }
  /// The events of each finding's two accesses.
  std::set<std::pair<std::size_t, std::size_t>> races(bool predicted_only) const {
    std::set<std::pair<std::size_t, std::size_t>> result;
    for (const Finding& f : driver_.recorder.findings)
      if (f.rule == Rule::data_race && (f.predicted || !predicted_only))
        result.insert(
            std::minmax(f.accesses[0].stack.front() - first_place, f.accesses[1].stack.front() - first_place));
    return result;
  }

private:
  void perform(const TraceEvent& e, Address place) {
    constexpr Address locks = 0x3000, variables = 0x1000;
    const unsigned thread = e.task + 1;
    if (ids_[e.task] && !started_.contains(e.task)) {
      started_.insert(e.task);
      driver_.start(thread, *ids_[e.task]);
    }
    switch (e.op) {
    case Op::acquire:
      driver_.lock(thread, locks + 8 * e.object);
      break;
    case Op::release:
      driver_.unlock(thread, locks + 8 * e.object);
      break;
    case Op::create:
      ids_[e.object] = driver_.create(thread);
      if (left_[e.object] == 0) {
        driver_.start(e.object + 1, *ids_[e.object]);
        driver_.end(e.object + 1);
      }
      break;
    case Op::wait:
      driver_.taskwait(thread);
      break;
    default:
      driver_.access(thread, variables + 16 * e.object, kind(e), place);
    }
    if (--left_[e.task] == 0 && ids_[e.task]) driver_.end(thread);
  }
  static access::Kind kind(TraceEvent e) {
    if (is_atomic(e)) return is_write(e) ? access::Kind::atomic_write : access::Kind::atomic_read;
    return is_write(e) ? access::Kind::write : access::Kind::read;
  }

  std::vector<std::size_t> left_;          ///< by task: events to come
  std::vector<std::optional<TaskId>> ids_; ///< of created tasks
  std::set<unsigned> started_;
  Driver driver_;
};

/// A prediction that no reordering bears out.
std::optional<std::pair<std::size_t, std::size_t>> false_prediction(const Trace& trace) {
  const auto predictions = Play(trace).races(true);
  if (predictions.empty()) return std::nullopt;
  const Reorderings reorderings(trace);
  for (const auto& [a, b] : predictions)
    if (!reorderings.adjacent(a, b)) return std::pair(a, b);
  return std::nullopt;
}

/// The variables with a pair of accesses that some reordering brings together.
std::set<unsigned> racy_variables(const Trace& trace) {
  const Reorderings reorderings(trace);
  std::set<unsigned> result;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (in_conflict(trace.events[i], trace.events[j]) && reorderings.adjacent(j, i))
        result.insert(trace.events[i].object);
  return result;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(PredictionAgainstAllReorderings, RandomTraces) {
  const std::uint64_t first = from_environment("FLETCHER_PROPERTY_SEED", 0),
                      traces = 3000 * from_environment("FLETCHER_PROPERTY_SCALE", 1);
  std::size_t told = 0, racy = 0, found = 0;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_trace(seed);
    if (false_prediction(trace)) {
      const Trace small = shrink(trace, [](const Trace& t) { return false_prediction(t).has_value(); });
      const auto [a, b] = *false_prediction(small);
      FAIL() << "seed " << seed << ": no reordering brings " << a << " and " << b << " together\n" << small.text();
    }
    const Play play(trace);
    told += play.races(true).size();
    std::set<unsigned> reported;
    for (const auto& [a, b] : play.races(false)) reported.insert(trace.events[a].object);
    for (const unsigned variable : racy_variables(trace)) {
      ++racy;
      found += reported.contains(variable);
    }
  }
  RecordProperty("told", static_cast<int>(told));
  EXPECT_GT(told, traces / 10);
  EXPECT_GT(found * 100, racy * 92) << found << " of " << racy;
}

} // namespace
} // namespace fletcher::property
