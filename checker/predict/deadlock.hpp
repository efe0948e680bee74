// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether waits that happened one after the other in this run can all be begun in another one, with none of
// them over: Tunç, Mathur, Pavlogiannis and Viswanathan, "Sound Dynamic Deadlock Prediction in Linear Time", PLDI 2023,
// with OpenMP's guaranteed order in place of program order. Relies on closure.hpp.
#pragma once

#include "checker/predict/closure.hpp"

#include <span>

namespace fletcher::predict {

/// How sure it is that another run comes to a deadlock.
enum class Certainty : std::uint8_t {
  certain, ///< it does: a part of this run in which each read finds what it found here
  unseen,  ///< it does unless sections of locks in which no access was seen have to be in this run's order
  refuted, ///< not one in which each read finds what it found here
  unknown, ///< the log does not tell
};

/// What leads to one of the waits.
struct Approach {
  order::Knowledge known; ///< what comes before it
  ChainId chain = ChainId::none;
  StrandId strand = StrandId::none; ///< the last one on its chain before what it waits for
};

/// Thread-safe. O(passes * (sections + reads)), as for races.
struct DeadlockAnswer {
  Certainty certainty = Certainty::unknown;
  order::Knowledge needed; ///< where it is certain: all that comes before the waits then
  std::uint64_t steps = 0;
};
DeadlockAnswer sync_preserving_deadlock(const order::StrandTables& tables, const SyncLog& log,
                                        std::span<const Approach> waits);

} // namespace fletcher::predict
