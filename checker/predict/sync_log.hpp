// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prediction knows of a run since the last horizon: every critical section, per lock in the order of acquisition,
// and which strand read what another wrote without a guarantee that it came later. Bounded: when it is full, or a
// write's record was lost, nothing is predicted until the next horizon.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/append_log.hpp"
#include "checker/order/sweep.hpp"

namespace fletcher::predict {

/// What one holder did between an acquisition of a lock and its release.
struct Section {
  enum class State : std::uint8_t { absent, open, closed };
  std::atomic<State> state{State::absent}; ///< tells which of the following may be read
  // Open:
  std::uint32_t lock = 0;
  ChainId chain = ChainId::none;
  StrandId acquired = StrandId::none; ///< the acquisition's own place on the chain; none: before the last horizon
  order::Knowledge before;            ///< what is guaranteed to come before the acquisition
  // Closed:
  bool opaque = false;       ///< no access was seen inside: what it did is unknown
  order::Knowledge released; ///< what is guaranteed to come before the release, all of the section included
};

/// The strand `reader` read a value that `writer` may have written.
struct ReadsFrom {
  std::atomic<bool> filled{false};
  StrandId reader = StrandId::none;
  StrandId writer = StrandId::none;
};

/// Thread-safe, except for clear(): each operation O(1).
class SyncLog {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// A number for a lock that is met for the first time since the last horizon.
  std::uint32_t new_lock() noexcept { return locks_.fetch_add(1, std::memory_order_acq_rel); }
  /// The section that begins. The caller holds the lock: sections of one lock are numbered in their order.
  std::uint32_t acquired(std::uint32_t lock, ChainId chain, StrandId strand, order::Knowledge before);
  void released(std::uint32_t section, const order::Knowledge& known, bool opaque);
  /// On a thread whose own range this is.
  void read_from(memory::AppendRange& own, StrandId reader, StrandId writer);
  /// The record of a write that somebody may still read was given up.
  void lose() noexcept { complete_.store(false, std::memory_order_release); }
  /// The horizon passes: nothing else runs.
  void clear();
  /// All that it may report. No section begins or ends meanwhile.
  void name_past(order::Sweep& sweep);

  /// Some lock was taken since the last horizon: reads have to be reported.
  const std::atomic<bool>& active() const noexcept { return active_; }
  /// A section is about to begin.
  void prefetch() const noexcept { sections_.prefetch(); }
  bool complete() const noexcept { return complete_.load(std::memory_order_acquire); }

  std::uint32_t locks() const noexcept { return locks_.load(std::memory_order_acquire); }
  std::uint32_t sections() const noexcept { return sections_.size(); }
  std::uint32_t reads() const noexcept { return reads_.size(); }
  /// Null where the entry is not there yet: it began after the question that is being answered.
  const Section* section(std::uint32_t i) const noexcept {
    const Section* s = sections_.at(i);
    return s == nullptr || s->state.load(std::memory_order_acquire) == Section::State::absent ? nullptr : s;
  }
  const ReadsFrom* read(std::uint32_t i) const noexcept {
    const ReadsFrom* r = reads_.at(i);
    return r == nullptr || !r->filled.load(std::memory_order_acquire) ? nullptr : r;
  }

private:
  memory::AppendLog<Section, 1024, 32> sections_;
  memory::AppendLog<ReadsFrom, 1024, 64> reads_;
  // Asked at each atomic operation and seldom written: on a line apart from what each section writes.
  alignas(64) std::atomic<bool> active_{false};
  std::atomic<bool> complete_{true};
  std::atomic<std::uint32_t> locks_{0};
};

} // namespace fletcher::predict
