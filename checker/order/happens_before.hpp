// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one question that the access path asks: does a past strand come before a task's current strand? Answered by the
// task's clock and, where the past strand's chain was waited for, by the waiter's chain. Relies on strands.hpp,
// clock.hpp.
#pragma once

#include "checker/order/knowledge.hpp"
#include "checker/order/strands.hpp"

namespace fletcher::order {

/// Work that the runtime could have given to another thread of the team (constructs/teams/work.cpp): what its thread
/// did before it, on `chain` before `since`, comes before it in this run only, except for what is known up to `floor`.
struct WorkUnit {
  ChainId chain = ChainId::none;
  StrandId since = StrandId::none;
  StrandId floor = StrandId::none;
  friend bool operator==(const WorkUnit&, const WorkUnit&) = default;
};

/// Where a task stands: its knowledge, its own chain up to now, and the unit of work that it belongs to.
struct Position {
  const Knowledge& knowledge;
  ChainId chain;
  WorkUnit unit = {};
};

/// A fork-join program climbs one forward per level of nesting between the two strands. A caller that does not need the
/// answer asks so many levels only, and takes what is further for concurrent.
enum class Levels : std::uint32_t { near = 32, all = ~std::uint32_t{0} };

namespace detail {
template <class Knows>
bool reaches(const StrandTables& tables, StrandId past, Knows knows, Levels levels = Levels::all) noexcept {
  Forward at{tables.block_of(past).chain, past};
  for (auto left = static_cast<std::uint32_t>(levels); at.chain != ChainId::none && left > 0; --left) {
    if (knows(at.chain, at.strand)) return true;
    at = tables.forward_of(at.chain);
  }
  return false;
}

} // namespace detail

/// `past` is of `chain`, where a task is that does no unit of work on it, or of one that it waited for, as mostly: it
/// comes before, and no clock has to be looked up. O(1).
inline bool of_own(const StrandTables& tables, StrandId past, ChainId own) noexcept {
  if (own == ChainId::none) return false;
  const ChainId chain = tables.block_of(past).chain;
  return chain == own || tables.forward_of(chain).chain == own;
}

namespace detail {
inline bool of_own(const StrandTables& tables, StrandId past, const Position& now) noexcept {
  return now.unit.chain != now.chain && order::of_own(tables, past, now.chain);
}
} // namespace detail

/// `past` happens before everything at `now`, by what OpenMP guarantees. O(depth of joins), mostly O(1).
inline bool happens_before(const StrandTables& tables, StrandId past, const Position& now,
                           Levels levels = Levels::all) noexcept {
  const auto knows = [&](ChainId chain, StrandId strand) {
    if (chain == now.unit.chain && number(strand) < number(now.unit.since))
      return number(strand) <= number(now.unit.floor);
    return chain == now.chain || number(now.knowledge.get(chain)) >= number(strand);
  };
  return detail::of_own(tables, past, now) || detail::reaches(tables, past, knows, levels);
}

/// Like happens_before, but this run's order of lock acquisitions counts too.
inline bool observed_before(const StrandTables& tables, StrandId past, const Position& now) noexcept {
  return detail::of_own(tables, past, now) || detail::reaches(tables, past, [&](ChainId chain, StrandId strand) {
           if (number(now.knowledge.get_observed(chain)) >= number(strand)) return true;
           if (chain == now.unit.chain && number(strand) < number(now.unit.since))
             return number(strand) <= number(now.unit.floor);
           return chain == now.chain || number(now.knowledge.get(chain)) >= number(strand);
         });
}

/// Like observed_before, but what tasks of one thread left for each other in its own memory counts, too.
inline bool passed_before(const StrandTables& tables, StrandId past, const Position& now) noexcept {
  return detail::reaches(tables, past, [&](ChainId chain, StrandId strand) {
    if (number(now.knowledge.get_passed(chain)) >= number(strand)) return true;
    if (number(now.knowledge.get_observed(chain)) >= number(strand)) return true;
    if (chain == now.unit.chain && number(strand) < number(now.unit.since))
      return number(strand) <= number(now.unit.floor);
    return chain == now.chain || number(now.knowledge.get(chain)) >= number(strand);
  });
}

} // namespace fletcher::order
