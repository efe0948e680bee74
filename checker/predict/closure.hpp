// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sync-preserving closure: what a run needs that reaches given points of this one, cut short and without some of
// its critical sections (Mathur, Pavlogiannis and Viswanathan, "Optimal Prediction of Synchronization-Preserving
// Races", POPL 2021). Which points, and what must not be among it, is its users' business.
#pragma once

#include "checker/order/happens_before.hpp"
#include "checker/predict/sync_log.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::predict {

enum class Answer : std::uint8_t {
  reached, ///< this run, cut short and without some of its critical sections, is a run that comes there
  held,    ///< whatever leads there brings about what must not have happened
  unknown, ///< the log does not tell
};

struct Decision {
  Answer answer = Answer::unknown;
  std::uint64_t steps = 0; ///< how many entries of the log were looked at
};

inline bool knows(const order::StrandTables& tables, StrandId past, const order::Knowledge& known) {
  return order::detail::reaches(
      tables, past, [&](ChainId chain, StrandId strand) { return number(known.get(chain)) >= number(strand); });
}

/// The critical sections of a log, as they were when it was made.
class Sections {
public:
  Sections(const order::StrandTables& tables, const SyncLog& log)
      : tables_(tables), log_(log), count_(log.sections()), locks_(log.locks()) {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (const Section* const s = log_.section(i)) by_chain_[s->chain].push_back(i);
  }

  std::uint32_t count() const noexcept { return count_; }
  std::uint32_t locks() const noexcept { return locks_; }
  /// Null where it was not there yet.
  const Section* at(std::uint32_t i) const noexcept {
    const Section* const s = log_.section(i);
    return s != nullptr && s->lock < locks_ ? s : nullptr;
  }
  const Section* closed(std::uint32_t i) const noexcept {
    const Section* const s = log_.section(i);
    return s != nullptr && s->state.load(std::memory_order_acquire) == Section::State::closed ? s : nullptr;
  }
  /// What comes before some acquisition or release that is guaranteed to come after `strand`: the next one on its own
  /// chain if there is one, because that tells most exactly what came before the strand; else the first acquisition,
  /// before which no other one came after the strand. Null for none.
  const order::Knowledge* known_after(StrandId strand, std::uint64_t& steps) const {
    if (const order::Knowledge* const own = known_on_chain(strand)) return own;
    for (std::uint32_t i = 0; i < count_; ++i, ++steps)
      if (const Section* const s = log_.section(i); s != nullptr && knows(tables_, strand, s->before))
        return &s->before;
    for (std::uint32_t i = 0; i < count_; ++i, ++steps)
      if (const Section* const s = closed(i); s != nullptr && knows(tables_, strand, s->released)) return &s->released;
    return nullptr;
  }

private:
  const order::Knowledge* known_on_chain(StrandId strand) const {
    const ChainId chain = tables_.block_of(strand).chain;
    const auto at = by_chain_.find(chain);
    if (at == by_chain_.end()) return nullptr;
    const std::vector<std::uint32_t>& own = at->second;
    auto i = std::partition_point(own.begin(), own.end(),
                                  [&](std::uint32_t s) { return number(log_.section(s)->acquired) <= number(strand); });
    const order::Knowledge* next = i != own.end() ? &log_.section(*i)->before : nullptr;
    constexpr int nesting = 8;
    for (int depth = 0; depth < nesting && i != own.begin(); ++depth) {
      const Section* const around = closed(*--i);
      if (around != nullptr && number(around->released.get(chain)) >= number(strand) &&
          (next == nullptr || number(around->released.get(chain)) <= number(next->get(chain))))
        next = &around->released;
    }
    return next;
  }

  const order::StrandTables& tables_;
  const SyncLog& log_;
  const std::uint32_t count_, locks_;
  std::unordered_map<ChainId, std::vector<std::uint32_t>> by_chain_; ///< of each chain, in order
};

/// It is closed under
/// - what is guaranteed to come before: what a task knows is such a set;
/// - the writes that its reads read from, as control flow may depend on the values;
/// - the ends of critical sections: of two sections of one lock, the earlier one ends before the later one begins;
/// - where the goal says so, sections that nobody saw inside of, and theirs of the same lock, all in this run's order.
/// What the set leaves out had not happened yet, what it has happens in this run's order.
///
/// `Goal::has(strand)`: the strand is in the set besides what is needed. `Goal::is_lost(needed)`: what must not have
/// happened is in it. `Goal::keeps_unseen`: the last of these rules.
template <class Goal> class Closure {
public:
  Closure(const order::StrandTables& tables, const SyncLog& log, const Sections& sections, const Goal& goal,
          order::Knowledge needed)
      : tables_(tables), sections_(sections), goal_(goal), needed_(std::move(needed)), states_(sections.locks()),
        in_(sections.count()), ended_(sections.count()) {
    for (std::uint32_t i = 0; i < log.reads(); ++i)
      if (const ReadsFrom* r = log.read(i)) pending_.push_back(r);
  }

  Decision decide() {
    if (goal_.is_lost(needed_)) return {Answer::held, steps_};
    Answer answer = Answer::unknown;
    do {
      changed_ = false;
      answer = close_sections();
      if (answer == Answer::reached) answer = close_reads();
      if (steps_ > max_steps) answer = Answer::unknown;
    } while (changed_ && answer == Answer::reached);
    return {answer, steps_};
  }
  /// After decide() has said that it is reached: all that is needed.
  const order::Knowledge& needed() const noexcept { return needed_; }

private:
  static constexpr std::uint64_t max_steps = std::uint64_t{1} << 21; // tens of milliseconds

  bool contains(StrandId strand) const {
    return strand == StrandId::none || knows(tables_, strand, needed_) || goal_.has(strand);
  }

  /// False where that is the goal's end.
  bool add(const order::Knowledge& known) {
    needed_.join(known);
    changed_ = true;
    return !goal_.is_lost(needed_);
  }

  Answer close_sections() {
    std::fill(states_.begin(), states_.end(), Lock{});
    for (std::uint32_t i = sections_.count(); i-- > 0; ++steps_) {
      const Section* const s = sections_.at(i);
      if (s == nullptr) continue;
      const bool over = sections_.closed(i) != nullptr;
      const bool opaque = goal_.keeps_unseen && over && s->opaque;
      Lock& lock = states_[s->lock];
      if (!in_[i]) in_[i] = contains(s->acquired);
      if (!ended_[i] && ((lock.taken && (in_[i] || opaque)) || lock.taken_opaquely)) {
        if (!over) return Answer::unknown;
        in_[i] = ended_[i] = true;
        if (!add(s->released)) return Answer::held;
      }
      lock.taken |= in_[i];
      lock.taken_opaquely |= in_[i] && opaque;
    }
    return Answer::reached;
  }

  Answer close_reads() {
    for (std::size_t i = 0; i < pending_.size(); ++steps_) {
      const ReadsFrom& r = *pending_[i];
      if (!contains(r.reader)) {
        ++i;
        continue;
      }
      pending_[i] = pending_.back();
      pending_.pop_back();
      if (steps_ > max_steps) return Answer::unknown;
      if (knows(tables_, r.writer, needed_)) continue;
      const order::Knowledge* const after = sections_.known_after(r.writer, steps_);
      if (after == nullptr) return Answer::unknown;
      if (!add(*after)) return Answer::held;
    }
    return Answer::reached;
  }

  /// What a pass from the last section to the first has met of a lock: sections of the set that come later.
  struct Lock {
    bool taken = false, taken_opaquely = false;
  };

  const order::StrandTables& tables_;
  const Sections& sections_;
  const Goal& goal_;
  order::Knowledge needed_; ///< the set, except for what the goal has besides
  std::vector<Lock> states_;
  std::vector<bool> in_, ended_; ///< by section: its acquisition, its release is in the set
  std::vector<const ReadsFrom*> pending_;
  bool changed_ = false;
  std::uint64_t steps_ = 0;
};

} // namespace fletcher::predict
