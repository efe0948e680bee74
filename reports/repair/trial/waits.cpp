// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits that do not end: whether the one who waits holds a lock, has fulfilled the event, or names an iteration that
// comes before its own.
#include "reports/repair/source/calls/lock_acts.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/trial/versions.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

bool says(const TracedStep& step, std::string_view words) { return step.message.find(words) != std::string::npos; }

const TracedStep* step_that_says(const std::vector<TracedStep>& steps, std::string_view words) {
  const auto found = std::ranges::find_if(steps, [&](const TracedStep& one) { return says(one, words); });
  return found == steps.end() ? nullptr : &*found;
}

// ---- locks
// -----------------------------------------------------------------------------------------------------

struct HeldWait {
  const TracedStep* held = nullptr;
  const TracedStep* wait = nullptr;
  bool for_itself = false; ///< it waits for the lock itself
};

std::optional<HeldWait> held_wait(const std::vector<TracedStep>& steps, bool predicted) {
  HeldWait out;
  if (predicted) return steps.size() == 3 ? std::optional(HeldWait{&steps[1], &steps[0], false}) : std::nullopt;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TracedStep& one = steps[i];
    const bool wants = i + 1 < steps.size() && says(steps[i + 1], "acquired it here");
    if (says(one, "acquired it here")) {
      if (out.held != nullptr) return std::nullopt;
      out.held = &one;
    } else if (!wants || says(one, "which it holds itself")) {
      if (out.wait != nullptr) return std::nullopt;
      out.wait = &one;
      out.for_itself = wants;
    }
  }
  return out.held != nullptr && out.wait != nullptr ? std::optional(out) : std::nullopt;
}

std::optional<std::string> lock_taken(const TracedStep& step, const Version& version) {
  const auto route = version.route(step);
  const auto found = route ? version.ways(*route, {}, {"lock"}) : std::nullopt;
  return found && !found->empty() ? lock_at_end(found->front()) : std::nullopt;
}

std::optional<bool> waits_with_lock(const HeldWait& wait, const Version& version) {
  auto lock = lock_taken(*wait.held, version);
  if (!lock) lock = lock_taken(*wait.held, version.unedited()); // who took it there does so no more
  const auto route = version.route(*wait.wait);
  std::vector<Route> others;
  if (const auto held = version.route(*wait.held)) others.push_back(*held);
  const auto found = route && lock ? version.ways(*route, others, {"lock"}) : std::nullopt;
  if (!found || found->empty()) return std::nullopt;
  return std::ranges::any_of(*found, [&](const Way& way) {
    const LocksHeld held = locks_held(way);
    return held.holds(wait.for_itself ? lock_at_end(way).value_or(*lock) : *lock);
  });
}

/// It waits at the end of the construct in which it has set the lock.
bool waits_behind(const HeldWait& wait, const Version& version) {
  const Code& code = version.unedited().code();
  const auto construct =
      wait.wait->place.file == code.file() ? DirectiveText::at(code, wait.wait->place.line) : std::nullopt;
  const auto body = construct && !construct->stands_alone() ? construct->body(code) : std::nullopt;
  return body && wait.held->place.file == code.file() && body->contains(wait.held->place.line) &&
         lock_call(code.line(wait.held->place.line)).has_value();
}

// ---- events
// -----------------------------------------------------------------------------------------------------

std::optional<DirectiveText> task_of(const TracedStep& step, const Version& version) {
  const auto line = step.place.file == version.code().file() ? version.line(step.place.line) : std::nullopt;
  return line ? DirectiveText::at(version.code(), *line) : std::nullopt;
}

std::optional<bool> waits_for_event(const std::vector<TracedStep>& steps, const TracedStep& of_event,
                                    const Version& version) {
  const auto detached = task_of(of_event, version);
  const Clause* const event = detached ? detached->clause("detach") : nullptr;
  if (event == nullptr) return std::nullopt;
  if (const TracedStep* const dependent = step_that_says(steps, "cannot start: it depends on")) {
    const auto task = task_of(*dependent, version);
    if (!task) return std::nullopt;
    for (const DependClause& clause : depend_clauses(*task))
      for (const std::string& item : clause.items)
        if (!type_of(*detached, item).empty()) return true;
    return false;
  }
  const TracedStep* const wait = step_that_says(steps, "waits here");
  const auto route = wait != nullptr ? version.route(*wait) : std::nullopt;
  const auto found = route ? version.ways(*route, {}, {"omp_fulfill_event"}) : std::nullopt;
  if (!found || found->empty()) return std::nullopt;
  return !std::ranges::all_of(*found, [&](const Way& way) {
    return std::ranges::any_of(way, [&](const Act& act) {
      return act.kind == Act::Kind::statement && mentions(act.text, "omp_fulfill_event") &&
             mentions(act.text, trimmed(event->arguments));
    });
  });
}

// ---- iterations
// -----------------------------------------------------------------------------------------------------

/// The sink's first distance that is not zero is of an iteration that comes later. The loop counts up.
std::optional<bool> names_later_sink(const TracedStep& step, const Version& version) {
  const auto line = version.line(step.place.line);
  const auto wait = line ? DirectiveText::at(version.code(), *line) : std::nullopt;
  if (!wait || !wait->is("ordered")) return std::nullopt;
  for (const DirectiveText& one : DirectiveText::around(version.code(), *line)) {
    const auto loop = one.clause("ordered") != nullptr ? one.body(version.code()) : std::nullopt;
    const auto body = loop ? version.code().behind_head(*loop) : std::nullopt;
    if (!body) continue;
    const std::string head = version.code().text({loop->begin, body->begin});
    if (head.find("++") == std::string::npos && head.find("+=") == std::string::npos) return std::nullopt;
    for (const Clause& clause : wait->clauses())
      if (const auto sink = clause.arguments.find("sink"); sink != std::string::npos) {
        const auto sign = clause.arguments.find_first_of("+-", sink);
        return sign == std::string::npos || clause.arguments[sign] == '+';
      }
  }
  return std::nullopt;
}

} // namespace

std::optional<bool> waits_for_ever(const Diagnostic& finding, const Version& version) {
  const std::vector<TracedStep> steps = steps_of(finding);
  for (const std::string_view words : {"waits here for an iteration", "waits here for its turn"})
    if (const TracedStep* const sink = step_that_says(steps, words)) return names_later_sink(*sink, version);
  if (const TracedStep* const event = step_that_says(steps, "its event is not fulfilled"))
    return waits_for_event(steps, *event, version);
  if (const TracedStep* const left = step_that_says(steps, "it was set here")) return lock_stays_set(*left, version);
  if (const auto wait = held_wait(steps, finding.predicted))
    return waits_behind(*wait, version) ? lock_stays_set(*wait->held, version) : waits_with_lock(*wait, version);
  return locks_make_a_circle(finding, version);
}

} // namespace fletcher::reports
