// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether two accesses that only this run's order of lock acquisitions kept apart race in another run: the
// sync-preserving closure of Mathur, Pavlogiannis and Viswanathan, "Optimal Prediction of Synchronization-Preserving
// Races", POPL 2021, with OpenMP's guaranteed order in place of program order. Relies on closure.hpp.
#pragma once

#include "checker/predict/closure.hpp"

namespace fletcher::predict {

/// The earlier access's strand, and where the later access's task stands now.
struct Question {
  StrandId earlier = StrandId::none;
  const order::Knowledge& now;   ///< what is guaranteed to come before the later access
  ChainId chain = ChainId::none; ///< of the later access
  StrandId later = StrandId::none;
};

/// Reached: the run, cut short and without some of its critical sections, is a run in which the two are next. Held:
/// whatever brings the later access about brings the earlier one about before it. Thread-safe. O(passes * (sections +
/// reads)); each pass but the last adds a critical section or a write.
Decision sync_preserving_race(const order::StrandTables& tables, const SyncLog& log, const Question& question);

} // namespace fletcher::predict
