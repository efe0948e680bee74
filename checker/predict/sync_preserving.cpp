// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/predict/sync_preserving.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace fletcher::predict {

namespace {

using order::Knowledge;

constexpr std::uint64_t max_steps = std::uint64_t{1} << 21; // tens of milliseconds

bool knows(const order::StrandTables& tables, StrandId past, const Knowledge& known) {
  return order::detail::reaches(
      tables, past, [&](ChainId chain, StrandId strand) { return number(known.get(chain)) >= number(strand); });
}

/// The set of events that a run needs which brings the two accesses together. It is closed under
/// - what is guaranteed to come before: what a task knows is such a set;
/// - the writes that its reads read from, as control flow may depend on the values;
/// - the ends of critical sections: of two sections of one lock, the earlier one ends before the later one begins;
/// - sections that nobody saw inside of, and theirs of the same lock, all in this run's order.
/// What the set leaves out had not happened yet, what it has happens in this run's order.
class Closure {
public:
  Closure(const order::StrandTables& tables, const SyncLog& log, const Question& question)
      : tables_(tables), log_(log), earlier_(question.earlier), earlier_chain_(tables.block_of(question.earlier).chain),
        needed_(question.now) {
    needed_.raise(question.chain, question.later);
  }

  Decision decide() {
    if (!log_.complete()) return {Answer::unknown, 0};
    in_.assign(log_.sections(), false);
    ended_.assign(in_.size(), false);
    states_.resize(log_.locks());
    index_sections();
    const Section* const after = release_after(earlier_);
    if (after == nullptr) return {Answer::unknown, steps_};
    // All that comes before that release, but not what comes after the access on its own chain.
    before_earlier_ = after->released;
    for (std::uint32_t i = 0; i < log_.reads(); ++i)
      if (const ReadsFrom* r = log_.read(i)) pending_.push_back(r);
    Answer answer = Answer::unknown;
    do {
      changed_ = false;
      answer = close_sections();
      if (answer == Answer::race) answer = close_reads();
      if (steps_ > max_steps) answer = Answer::unknown;
    } while (changed_ && answer == Answer::race);
    return {answer, steps_};
  }

private:
  /// The event at `strand` is in the set. What the earlier access's strand did before the access and what it did after
  /// it is not told apart.
  bool contains(StrandId strand) const {
    if (strand == StrandId::none || knows(tables_, strand, needed_)) return true;
    return order::detail::reaches(tables_, strand, [&](ChainId at, StrandId s) {
      return number(at == earlier_chain_ ? earlier_ : before_earlier_.get(at)) >= number(s);
    });
  }

  const Section* closed(std::uint32_t i) const {
    const Section* const s = log_.section(i);
    return s != nullptr && s->state.load(std::memory_order_acquire) == Section::State::closed ? s : nullptr;
  }

  /// The sections of each chain, in order.
  void index_sections() {
    for (std::uint32_t i = 0; i < in_.size(); ++i, ++steps_)
      if (const Section* const s = log_.section(i)) by_chain_[s->chain].push_back(i);
  }

  /// A release that is guaranteed to come after `strand`: the next one on its own chain if there is one, because it
  /// tells most exactly what came before the strand.
  const Section* release_after(StrandId strand) {
    const ChainId chain = tables_.block_of(strand).chain;
    if (const auto at = by_chain_.find(chain); at != by_chain_.end()) {
      const std::vector<std::uint32_t>& own = at->second;
      auto i = std::partition_point(
          own.begin(), own.end(), [&](std::uint32_t s) { return number(log_.section(s)->acquired) <= number(strand); });
      constexpr int nesting = 8;
      const Section* next = i != own.end() ? closed(*i) : nullptr;
      for (int depth = 0; depth < nesting && i != own.begin(); ++depth) {
        const Section* const around = closed(*--i);
        if (around != nullptr && number(around->released.get(chain)) >= number(strand) &&
            (next == nullptr || number(around->released.get(chain)) <= number(next->released.get(chain))))
          next = around;
      }
      if (next != nullptr) return next;
    }
    for (std::uint32_t i = 0; i < in_.size(); ++i, ++steps_)
      if (const Section* const s = closed(i); s != nullptr && knows(tables_, strand, s->released)) return s;
    return nullptr;
  }

  /// False where the set now has the earlier access itself.
  bool add(const Knowledge& known) {
    needed_.join(known);
    changed_ = true;
    return !knows(tables_, earlier_, needed_);
  }

  Answer close_sections() {
    std::fill(states_.begin(), states_.end(), Lock{});
    for (std::uint32_t i = static_cast<std::uint32_t>(in_.size()); i-- > 0; ++steps_) {
      const Section* const s = log_.section(i);
      if (s == nullptr || s->lock >= states_.size()) continue;
      const bool over = closed(i) != nullptr;
      const bool opaque = over && s->opaque;
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
    return Answer::race;
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
      const Section* const after = release_after(r.writer);
      if (after == nullptr) return Answer::unknown;
      if (!add(after->released)) return Answer::held;
    }
    return Answer::race;
  }

  /// What a pass from the last section to the first has met of a lock: sections of the set that come later.
  struct Lock {
    bool taken = false, taken_opaquely = false;
  };

  const order::StrandTables& tables_;
  const SyncLog& log_;
  const StrandId earlier_;
  const ChainId earlier_chain_;
  Knowledge needed_;         ///< the set, but for
  Knowledge before_earlier_; ///< what comes before the earlier access
  std::vector<Lock> states_;
  std::vector<bool> in_, ended_; ///< by section: its acquisition, its release is in the set
  std::vector<const ReadsFrom*> pending_;
  std::unordered_map<ChainId, std::vector<std::uint32_t>> by_chain_;
  bool changed_ = false;
  std::uint64_t steps_ = 0;
};

} // namespace

Decision sync_preserving_race(const order::StrandTables& tables, const SyncLog& log, const Question& question) {
  return Closure(tables, log, question).decide();
}

} // namespace fletcher::predict
