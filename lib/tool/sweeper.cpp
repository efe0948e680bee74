// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/sweeper.hpp"

#include "checker/checker.hpp"
#include "lib/tool/gate.hpp"
#include "lib/tool/session.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fletcher::tool {

namespace {
/// The program stands still for one part of its time at most; for more where that would let more and more pile up: each
/// sweep takes as long as what has come since.
constexpr std::int64_t share = 50, urgent_share = 10;
constexpr std::size_t urgent = 8;                                ///< so many times what is worth a sweep
constexpr std::int64_t least_patience = 10, most_patience = 160; ///< milliseconds
constexpr std::int64_t shortest_pause = 1, longest_pause = 100;  ///< the same
constexpr std::int64_t microseconds_in_one = 1000;
/// Nanoseconds of processor time in which any access comes to its end.
constexpr std::int64_t longest_access = 20'000'000;

std::int64_t now_in_microseconds() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1000;
}
} // namespace

// Ids are free that were not needed at two sweeps in a row: these come in pairs, the second one as soon as all threads
// have moved on, so that what has come in between is little.
std::int64_t Sweeper::look() {
  const std::int64_t begin = now_in_microseconds();
  if (begin < not_before_ && (begin < soon_ || !the_.checker().worth_sweeping(urgent)))
    return std::min((not_before_ - begin) / microseconds_in_one + 1, longest_pause);
  if (first_done_ ? !all_moved_on() : !the_.checker().worth_sweeping()) {
    pause_ = first_done_ ? std::min(2 * pause_, longest_pause) : longest_pause;
    return pause_;
  }
  gate::prepare();
  const std::int64_t stop = now_in_microseconds();
  const bool closed = gate::close(std::chrono::milliseconds(patience_));
  const bool swept = closed && the_.checker().sweep(first_done_);
  if (closed) gate::open();
  const std::int64_t end = now_in_microseconds();
  patience_ = closed ? least_patience : std::min(2 * patience_, most_patience);
  stood_still_ += end - stop;
  pause_ = shortest_pause;
  if (swept) {
    remember();
    first_done_ = !first_done_;
    if (first_done_) return pause_;
  }
  soon_ = end + urgent_share * stood_still_;
  not_before_ = end + share * std::exchange(stood_still_, 0);
  return std::min((not_before_ - end) / microseconds_in_one + 1, longest_pause);
}

// An access that was under way at the last sweep is over: the thread has reported an event, or it sleeps, which no
// access does, or it has worked for longer than any access takes.
bool Sweeper::all_moved_on() const {
  const auto slots = gate::slots();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const pid_t thread = slots[i].thread.load(std::memory_order_acquire);
    if (thread == 0 || thread != seen_[i].thread || slots[i].count.load(std::memory_order_acquire) != seen_[i].count)
      continue;
    const kernel::Progress progress = kernel::progress(thread);
    const bool rests = progress.sleeps && !progress.may_fault;
    if (progress.processor_time < 0 ||
        (!rests && progress.processor_time - seen_[i].progress.processor_time < longest_access))
      return false;
  }
  return true;
}

void Sweeper::remember() {
  seen_.clear();
  for (const gate::Slot& slot : gate::slots()) {
    const pid_t thread = slot.thread.load(std::memory_order_acquire);
    seen_.push_back({slot.count.load(std::memory_order_acquire), thread,
                     thread == 0 ? kernel::Progress{} : kernel::progress(thread)});
  }
}

} // namespace fletcher::tool
