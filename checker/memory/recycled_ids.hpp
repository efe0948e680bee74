// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ids of a table are given out again: those that a mark-and-sweep collection (McCarthy, CACM 3(4), 1960) finds
// unneeded twice in a row. Twice, because a thread that is not stopped may have one in a register the first time.
#pragma once

#include "checker/memory/spin_lock.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace fletcher::memory {

/// A bit for each id. begin(), need()…, end(), open() are called by one thread at a time; take() by any, also
/// meanwhile.
class RecycledIds {
public:
  /// Ids that follow each other.
  struct Run {
    std::uint32_t first = 0, end = 0;
    bool empty() const noexcept { return first == end; }
  };

  /// There may be ids to take. One load.
  bool any() const noexcept { return open_.load(std::memory_order_relaxed); }
  /// Between `least` and `most` of them (64 at most), the lowest since the last sweep; none where there are no such.
  Run take(std::uint32_t most, std::uint32_t least = 1) noexcept;

  /// A sweep begins: nothing is needed yet of [first, end), the ids that were ever given out. `first` changes after a
  /// clear() only. Until open() nothing can be taken.
  void begin(std::uint32_t first, std::uint32_t end);
  bool covers(std::uint32_t id) const noexcept { return id >= first_ && id < end_; }
  /// An id that is covered. True the first time.
  bool need(std::uint32_t id) noexcept {
    std::uint64_t& word = needed_[(id - base_) / 64];
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    const bool first_time = (word & bit) == 0;
    word |= bit;
    return first_time;
  }
  /// Those of [first, end) that are covered.
  void need(Run run) noexcept;
  template <class F> void each_needed(F f) const {
    for (std::size_t i = 0; i < needed_.size(); ++i)
      for (std::uint64_t word = needed_[i]; word != 0; word &= word - 1)
        f(base_ + static_cast<std::uint32_t>(i) * 64 + static_cast<std::uint32_t>(__builtin_ctzll(word)));
  }
  /// All that is needed has been named. `certain`: every thread has let go since the sweep before of what it had in
  /// registers then. Tells how many ids are free now.
  std::uint32_t end(bool certain);
  /// The last end() found some that were not free before.
  bool has_freed() const noexcept { return has_freed_; }
  bool is_free(std::uint32_t id) const noexcept { return covers(id) && (free_[(id - base_) / 64] >> id % 64 & 1) != 0; }
  void open() noexcept;
  /// Other reasons have ended the life of ids: starts afresh.
  void clear() noexcept;

private:
  std::atomic<bool> open_{false};
  SpinLock lock_; ///< guards `free_`, `unneeded_` and `cursor_` against take()
  std::uint32_t base_ = 0, first_ = 0, end_ = 0;
  std::vector<std::uint64_t> needed_, unneeded_, free_; ///< by id - base_; `unneeded_` as of the last sweep
  std::size_t cursor_ = 0;                              ///< all before it has been taken
  bool has_freed_ = false;
};

} // namespace fletcher::memory
