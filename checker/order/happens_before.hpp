// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one question that the access path asks: does a past strand come before a task's current strand? Answered by the
// task's clock and, where the past strand's chain was waited for, by the waiter's chain. Relies on strands.hpp,
// clock.hpp.
#pragma once

#include "checker/order/knowledge.hpp"
#include "checker/order/strands.hpp"

namespace fletcher::order {

/// Where a task stands: its knowledge and its own chain up to now.
struct Position {
  const Knowledge& knowledge;
  ChainId chain;
};

namespace detail {
template <class Knows> bool reaches(const StrandTables& tables, StrandId past, Knows knows) noexcept {
  // A fork-join program climbs one forward per level of nesting between the two strands.
  Forward at{tables.block_of(past).chain, past};
  while (at.chain != ChainId::none) {
    if (knows(at.chain, at.strand)) return true;
    at = tables.forward_of(at.chain);
  }
  return false;
}

/// `past` is of the task's own chain, or of one that it waited for, as mostly: no clock has to be looked up.
inline bool of_own(const StrandTables& tables, StrandId past, ChainId own) noexcept {
  const ChainId chain = tables.block_of(past).chain;
  return own != ChainId::none && (chain == own || tables.forward_of(chain).chain == own);
}
} // namespace detail

/// `past` happens before everything at `now`, by what OpenMP guarantees. O(depth of joins), mostly O(1).
inline bool happens_before(const StrandTables& tables, StrandId past, const Position& now) noexcept {
  return detail::of_own(tables, past, now.chain) || detail::reaches(tables, past, [&](ChainId chain, StrandId strand) {
           return chain == now.chain || number(now.knowledge.get(chain)) >= number(strand);
         });
}

/// Like happens_before, but this run's order of lock acquisitions counts too.
inline bool observed_before(const StrandTables& tables, StrandId past, const Position& now) noexcept {
  return detail::of_own(tables, past, now.chain) || detail::reaches(tables, past, [&](ChainId chain, StrandId strand) {
           return chain == now.chain || number(now.knowledge.get(chain)) >= number(strand) ||
                  number(now.knowledge.get_observed(chain)) >= number(strand);
         });
}

} // namespace fletcher::order
