// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/predict/sync_preserving.hpp"

namespace fletcher::predict {

namespace {

/// The earlier access has not happened yet, but all that comes before it has.
struct NextTo {
  static constexpr bool keeps_unseen = true;
  const order::StrandTables& tables;
  const StrandId earlier;
  const ChainId chain; ///< the earlier access's
  order::Knowledge before;

  /// What the earlier access's strand did before the access and what it did after it is not distinguished.
  bool has(StrandId strand) const {
    return order::detail::reaches(tables, strand, [&](ChainId at, StrandId s) {
      return number(at == chain ? earlier : before.get(at)) >= number(s);
    });
  }
  bool is_lost(const order::Knowledge& needed) const { return knows(tables, earlier, needed); }
};

} // namespace

Decision sync_preserving_race(const order::StrandTables& tables, const SyncLog& log, const Question& question) {
  Decision decision;
  if (!log.complete()) return decision;
  const Sections sections(tables, log);
  decision.steps = sections.count();
  const order::Knowledge* const after = sections.known_after(question.earlier, decision.steps);
  if (after == nullptr) return decision;
  order::Knowledge needed = question.now;
  needed.raise(question.chain, question.later);
  // All that comes before that point, but not what comes after the access on its own chain.
  const NextTo goal{tables, question.earlier, tables.block_of(question.earlier).chain, *after};
  const Decision closed = Closure(tables, log, sections, goal, std::move(needed)).decide();
  return {closed.answer, decision.steps + closed.steps};
}

} // namespace fletcher::predict
