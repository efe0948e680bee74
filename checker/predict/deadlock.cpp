// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/predict/deadlock.hpp"

namespace fletcher::predict {

namespace {

/// No wait is over: nothing that comes after it has happened.
template <bool with_unseen> struct AllWait {
  static constexpr bool keeps_unseen = with_unseen;
  const order::StrandTables& tables;
  std::span<const Approach> waits;

  static bool has(StrandId) { return false; }
  bool is_lost(const order::Knowledge& needed) const {
    return std::any_of(waits.begin(), waits.end(), [&](const Approach& wait) {
      return order::detail::reaches(tables, wait.strand, [&](ChainId chain, StrandId strand) {
        const auto known = number(needed.get(chain));
        return chain == wait.chain ? known > number(wait.strand) : known >= number(strand);
      });
    });
  }
};

} // namespace

DeadlockAnswer sync_preserving_deadlock(const order::StrandTables& tables, const SyncLog& log,
                                        std::span<const Approach> waits) {
  DeadlockAnswer result;
  if (!log.complete()) return result;
  const Sections sections(tables, log);
  order::Knowledge needed;
  for (const Approach& wait : waits) {
    needed.join(wait.known.guaranteed());
    needed.raise(wait.chain, wait.strand);
  }
  const auto close = [&](const auto& goal) {
    Closure closure(tables, log, sections, goal, needed);
    const Decision decision = closure.decide();
    result.steps += sections.count() + decision.steps;
    if (decision.answer == Answer::reached) result.needed = closure.needed();
    return decision.answer;
  };
  switch (close(AllWait<false>{tables, waits})) {
  case Answer::unknown:
    return result;
  case Answer::held:
    result.certainty = Certainty::refuted;
    return result;
  case Answer::reached:
    result.certainty = close(AllWait<true>{tables, waits}) == Answer::reached ? Certainty::certain : Certainty::unseen;
    return result;
  }
  return result;
}

} // namespace fletcher::predict
