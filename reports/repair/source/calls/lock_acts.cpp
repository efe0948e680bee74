// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/calls/lock_acts.hpp"

#include "reports/repair/source/calls/lock_call.hpp"

#include <algorithm>
#include <iterator>
#include <regex>

namespace fletcher::reports {
namespace {

LockAct::Kind kind_of(const std::string& verb) {
  if (verb == "set" || verb == "lock") return LockAct::Kind::sets;
  if (verb == "unset" || verb == "unlock") return LockAct::Kind::unsets;
  return verb == "init" ? LockAct::Kind::initialises : LockAct::Kind::destroys;
}

std::string name_of(const DirectiveText& critical) { return "critical " + critical.argument(); }

} // namespace

std::vector<LockAct> lock_acts(std::string_view text) {
  static const std::regex call(
      R"(\b(?:omp_(set|unset|init|destroy)(_nest)?_lock(?:_with_hint)?|(?:pthread_mutex|mtx)_(lock|unlock|init|destroy))\s*\(\s*(?:\(\s*omp_\w+\s*\*\s*\)\s*)?([^(),;]+))");
  std::vector<LockAct> out;
  for (std::cregex_iterator one(text.data(), text.data() + text.size(), call), end; one != end; ++one) {
    const auto& found = *one;
    out.push_back({kind_of(found[1].matched ? found[1].str() : found[3].str()), without_blanks(found[4].str()),
                   found[2].matched});
  }
  if (const std::string mutex = guarded_mutex(text); !mutex.empty()) out.push_back({LockAct::Kind::sets, mutex, false});
  return out;
}

bool LocksHeld::holds(const std::string& lock) const { return std::ranges::find(held, lock) != held.end(); }

LocksHeld locks_held(const Way& way) {
  LocksHeld out;
  const auto take = [&](const std::string& lock) {
    const auto one = std::find(out.held.rbegin(), out.held.rend(), lock);
    if (one == out.held.rend()) return false;
    out.held.erase(std::next(one).base());
    return true;
  };
  for (const Act& act : way) {
    if (act.kind == Act::Kind::enters && act.directive->is("critical")) out.held.push_back(name_of(*act.directive));
    if (act.kind == Act::Kind::leaves && act.directive->is("critical")) take(name_of(*act.directive));
    if (act.kind == Act::Kind::lets_go) take(guarded_mutex(act.text));
    if (act.kind != Act::Kind::statement) continue;
    for (LockAct& one : lock_acts(act.text)) {
      if (one.kind == LockAct::Kind::sets)
        out.held.push_back(std::move(one.lock));
      else if (one.kind == LockAct::Kind::unsets && !take(one.lock))
        out.unset_of_others.push_back(std::move(one.lock));
    }
  }
  return out;
}

std::optional<std::string> lock_at_end(const Way& way) {
  if (way.empty() || way.back().kind != Act::Kind::arrives) return std::nullopt;
  const Act& last = way.back();
  if (last.directive) return last.directive->is("critical") ? std::optional(name_of(*last.directive)) : std::nullopt;
  auto acts = lock_acts(last.text);
  return acts.empty() ? std::nullopt : std::optional(std::move(acts.front().lock));
}

} // namespace fletcher::reports
