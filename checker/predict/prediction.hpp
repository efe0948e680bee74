// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races that another order of locks brings about: keeps the log that the decision needs, and asks it about each pair of
// places a few times only, however often the pair is met. Relies on sync_preserving.hpp.
#pragma once

#include "checker/memory/spin_lock.hpp"
#include "checker/predict/sync_preserving.hpp"

#include <unordered_map>

namespace fletcher::predict {

/// A place in the code, and what called its function: not the whole context, of which a recursion makes many.
struct Place {
  Address pc = 0, caller = 0;
};

/// Thread-safe, except for the log's clear().
class Prediction {
public:
  explicit Prediction(const order::StrandTables& tables) : tables_(tables) {}

  SyncLog& log() noexcept { return log_; }

  /// The access at `place` races with the earlier one at `earlier_place`, which it comes after by this run's order of
  /// locks only. The first such answer for two places counts; later ones are false. Mostly O(1), else a decision.
  bool race(const Question& question, Place place, Place earlier_place);

private:
  struct Pair {
    std::uint32_t asked = 0;
    bool told = false;
  };

  const order::StrandTables& tables_;
  SyncLog log_;
  memory::SpinLock lock_;
  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::atomic<std::uint64_t> steps_{0};
};

} // namespace fletcher::predict
