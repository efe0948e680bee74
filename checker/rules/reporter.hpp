// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way out for findings: gives each distinct one a serial, counts repetitions, and stops describing at the limit.
#pragma once

#include "checker/constructs/stack_variables.hpp"
#include "checker/finding.hpp"
#include "checker/memory/spin_lock.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <vector>

namespace fletcher::rules {

/// What makes two findings the same: the rule and the two places; of a race, whether it is between teams of a league,
/// where other means help than within one. Reports tell both as one.
struct FindingKey {
  Rule rule;
  Address first, second;
  bool between_teams = false;
  bool doubtful = false; ///< a warning, which does not stand for an error of the same places

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// Who called the functions that two places are in. One place may be of many objects, if it is in a function that many
/// call; but a recursion calls from many contexts, so only a few are distinguished (Reporter::most_callers).
struct Callers {
  ContextId first = ContextId::none, second = ContextId::none;

  friend bool operator==(const Callers&, const Callers&) = default;
};

/// Thread-safe.
class Reporter {
public:
  /// `locks`: the frames of locks that are variables of functions.
  Reporter(FindingSink& sink, std::size_t limit, const constructs::StackVariables& locks)
      : sink_(sink), limit_(limit), locks_(locks) {}

  /// Of one key.
  static constexpr std::size_t most_callers = 8;

  /// `make` describes the finding; called once per key and callers, while the sink is held.
  template <class Make> void report(const FindingKey& key, Make make) { report(key, {}, make); }
  /// Whether all later ones with this key, whatever their callers, will only be counted.
  template <class Make> bool report(const FindingKey& key, const Callers& callers, Make make) {
    const memory::SpinGuard guard(lock_);
    std::vector<Told>& told = told_[key];
    const auto known = std::find_if(told.begin(), told.end(), [&](const Told& t) { return t.callers == callers; });
    if (known != told.end() || told.size() == most_callers) {
      const std::uint64_t serial = known != told.end() ? known->serial : told.front().serial;
      if (serial <= limit_) sink_.again(serial);
      return told.size() == most_callers;
    }
    const std::uint64_t serial = count_.load(std::memory_order_relaxed) + 1;
    told.push_back({callers, serial});
    count_.store(serial, std::memory_order_relaxed);
    if (serial <= limit_) sink_.found(serial, with_locks(make()));
    return told.size() == most_callers;
  }
  /// Without a lock: also asked when the process dies, which may be in the midst of a report.
  std::uint64_t findings() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
  Finding with_locks(Finding f) const {
    const auto name = [&](const Mutex& mutex) {
      if (mutex.kind != MutexKind::lock && mutex.kind != MutexKind::nest_lock) return;
      if (const StackFrame frame = locks_.find(mutex.address); frame.call.known())
        f.stack_variables.push_back({mutex.address, frame});
    };
    for (const Step& step : f.steps)
      if (step.mutex) name(*step.mutex);
    for (const AccessDescription& access : f.accesses)
      for (const HeldLock& held : access.locks) name(held.mutex);
    return f;
  }

  FindingSink& sink_;
  std::size_t limit_;
  const constructs::StackVariables& locks_;
  memory::SpinLock lock_;
  std::atomic<std::uint64_t> count_{0};
  struct Told {
    Callers callers;
    std::uint64_t serial;
  };
  std::map<FindingKey, std::vector<Told>> told_;
};

} // namespace fletcher::rules
