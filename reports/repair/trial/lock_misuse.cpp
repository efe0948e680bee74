// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to the lock of a misuse on the ways of the task that misuses it.
#include "reports/repair/source/calls/lock_acts.hpp"
#include "reports/repair/trial/versions.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

const std::vector<std::string_view> words{"lock"};

class Misuse {
public:
  Misuse(const Diagnostic& finding, std::vector<TracedStep> steps, const Version& version)
      : finding_(finding), version_(version), steps_(std::move(steps)), route_(version.route(steps_.front())) {}

  std::optional<bool> happens() {
    const Version before = version_.unedited();
    const auto recorded = before.route(steps_.front());
    const auto found = recorded ? before.ways(*recorded, {}, words) : std::nullopt;
    const auto lock = found && !found->empty() ? lock_at_end(found->front()) : std::nullopt;
    if (!lock) return std::nullopt;
    lock_ = *lock;
    if (says("a routine for ")) return kinds_differ();
    if (says("ends without unsetting it")) return stays_set();
    if (says("without having been initialised")) return is_not_initialised();
    if (says("is initialised again")) return is_initialised_again();
    if (says("after it was destroyed")) return is_used_late();
    if (says("is destroyed while it is set")) {
      Misuse unedited(finding_, steps_, before);
      unedited.lock_ = lock_;
      return unedited.is_held().value_or(false) ? is_held() : was_left_set();
    }
    if (says("which it holds already") || says("that it has set already")) return is_set_again();
    if (says("which another task has set") || says("which is not set")) return is_unset_by_another();
    return std::nullopt;
  }

private:
  bool says(std::string_view what) const { return finding_.message.find(what) != std::string::npos; }

  /// Where the same task has been before.
  std::vector<Route> others() const {
    std::vector<Route> out;
    for (std::size_t i = 1; i < steps_.size(); ++i)
      if (steps_[i].message.find("it ") == 0)
        if (auto route = version_.route(steps_[i])) out.push_back(std::move(*route));
    return out;
  }

  /// On one of the ways to the place.
  template <class Test> std::optional<bool> to_place(const Test& test) const {
    const auto found = route_ ? version_.ways(*route_, others(), words) : std::nullopt;
    if (!found || found->empty()) return std::nullopt;
    return std::ranges::any_of(*found, test);
  }

  /// Where what the place is in ends, the lock is set, or was unset by who had not set it. Of a function, where it
  /// returns.
  std::optional<bool> ends_wrong(const Route& route) const {
    const Route own{route.back()}; // the function alone
    const auto found = version_.ways(own, {}, words, true);
    if (!found || found->empty()) return std::nullopt;
    return std::ranges::any_of(*found, [&](const Way& way) {
      const LocksHeld held = locks_held(way);
      const std::string lock = name_in(route.back());
      return held.holds(lock) || std::ranges::find(held.unset_of_others, lock) != held.unset_of_others.end();
    });
  }

  /// As the function itself calls the lock.
  std::string name_in(std::uint32_t line) const {
    const auto acts = lock_acts(version_.code().line(line));
    return acts.empty() ? lock_ : acts.front().lock;
  }

  std::optional<bool> is_held() const {
    return to_place([&](const Way& way) { return locks_held(way).holds(lock_); });
  }

  /// Where it was set, in a function that does not destroy it.
  std::optional<bool> was_left_set() const {
    const auto set = steps_.size() > 1 ? version_.route(steps_[1]) : std::nullopt;
    return set ? ends_wrong(*set) : std::nullopt;
  }

  std::optional<bool> stays_set() const { return route_ ? ends_wrong(*route_) : std::nullopt; }

  std::optional<bool> is_set_again() const {
    // By another call of the function that has left it set.
    if (steps_.size() > 1 && steps_[1].place.line == steps_[0].place.line &&
        steps_[1].place.file == steps_[0].place.file)
      return was_left_set();
    if (!route_) { // the call is gone: the first one is unset as before
      const auto first = steps_.size() > 1 ? version_.route(steps_[1]) : std::nullopt;
      return first ? ends_wrong(*first) : std::nullopt;
    }
    return to_place([&](const Way& way) {
      const auto acts = lock_acts(way.back().text);
      return !acts.empty() && !acts.front().nestable && locks_held(way).holds(acts.front().lock);
    });
  }

  std::optional<bool> is_unset_by_another() const {
    const auto own = to_place([&](const Way& way) { return !locks_held(way).holds(lock_at_end(way).value_or(lock_)); });
    if (!own || *own) return own;
    for (std::size_t i = 1; i < steps_.size(); ++i) {
      const auto route = version_.route(steps_[i]);
      const auto wrong = route ? ends_wrong(*route) : std::nullopt;
      if (!wrong || *wrong) return wrong;
    }
    return false;
  }

  std::optional<bool> is_used_late() const {
    return to_place([&](const Way& way) {
      bool destroyed = false;
      for (const Act& act : way)
        for (const LockAct& one : act.kind == Act::Kind::statement ? lock_acts(act.text) : std::vector<LockAct>()) {
          if (one.lock != lock_) continue;
          destroyed = one.kind == LockAct::Kind::destroys || (destroyed && one.kind != LockAct::Kind::initialises);
        }
      return destroyed;
    });
  }

  /// By each thread of a region, or by one that comes behind another call.
  std::optional<bool> is_initialised_again() const {
    if (!route_) return !is_initialised_anywhere();
    const auto around = DirectiveText::around(version_.code(), route_->back());
    return around.empty() || !around.front().is("single");
  }

  bool is_initialised_anywhere() const {
    for (std::uint32_t line = 1; line <= version_.code().lines(); ++line)
      for (const LockAct& one : lock_acts(version_.code().line(line)))
        if (one.kind == LockAct::Kind::initialises && one.lock == lock_) return true;
    return false;
  }

  std::optional<bool> is_not_initialised() const {
    const auto region = std::ranges::find_if(finding_.notes, [](const Note& one) {
      return one.kind == Note::Kind::creation && one.message.find("parallel region") != std::string::npos;
    });
    const auto route =
        region == finding_.notes.end() ? std::nullopt : version_.route({region->place, region->stack, {}, {}});
    const auto found = route ? version_.ways(*route, {}, words) : std::nullopt;
    if (!found || found->empty()) return std::nullopt;
    return !std::ranges::all_of(*found, [&](const Way& way) {
      return std::ranges::any_of(way, [&](const Act& act) {
        const auto acts = act.kind == Act::Kind::statement ? lock_acts(act.text) : std::vector<LockAct>();
        return std::ranges::any_of(
            acts, [&](const LockAct& one) { return one.kind == LockAct::Kind::initialises && one.lock == lock_; });
      });
    });
  }

  /// In the whole file.
  std::optional<bool> kinds_differ() const {
    std::optional<bool> nestable;
    for (std::uint32_t line = 1; line <= version_.code().lines(); ++line)
      for (const LockAct& one : lock_acts(version_.code().line(line))) {
        if (one.lock != lock_) continue;
        if (nestable && *nestable != one.nestable) return true;
        nestable = one.nestable;
      }
    return nestable ? std::optional(false) : std::nullopt;
  }

  const Diagnostic& finding_;
  const Version& version_;
  std::vector<TracedStep> steps_;
  std::optional<Route> route_;
  std::string lock_;
};

} // namespace

std::optional<bool> lock_stays_set(const TracedStep& step, const Version& version) {
  Diagnostic finding;
  finding.message = "ends without unsetting it";
  return Misuse(finding, {step}, version).happens();
}

std::optional<bool> lock_is_misused(const Diagnostic& finding, const Version& version) {
  return Misuse(finding, steps_of(finding), version).happens();
}

} // namespace fletcher::reports
