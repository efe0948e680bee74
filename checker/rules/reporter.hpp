// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way out for findings: gives each distinct one a serial, counts repetitions, and stops describing at the limit.
#pragma once

#include "checker/constructs/stack_variables.hpp"
#include "checker/finding.hpp"
#include "checker/memory/spin_lock.hpp"

#include <compare>
#include <map>

namespace fletcher::rules {

/// What makes two findings the same: the rule and the two places; of a race, whether it is between teams of a league,
/// where other means help than within one. Reports tell both as one.
struct FindingKey {
  Rule rule;
  Address first, second;
  bool between_teams = false;

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// Thread-safe.
class Reporter {
public:
  /// `locks`: the frames of locks that are variables of functions.
  Reporter(FindingSink& sink, std::size_t limit, const constructs::StackVariables& locks)
      : sink_(sink), limit_(limit), locks_(locks) {}

  /// `make` describes the finding; called once per key, while the sink is held.
  template <class Make> void report(const FindingKey& key, Make make) {
    const memory::SpinGuard guard(lock_);
    const auto [at, is_new] = serials_.try_emplace(key, serials_.size() + 1);
    if (!is_new) return at->second <= limit_ ? sink_.again(at->second) : void();
    count_.store(serials_.size(), std::memory_order_relaxed);
    if (at->second <= limit_) sink_.found(at->second, with_locks(make()));
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
  std::map<FindingKey, std::uint64_t> serials_;
};

} // namespace fletcher::rules
