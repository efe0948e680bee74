// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/sweeper.hpp"

#include "checker/checker.hpp"
#include "lib/tool/gate.hpp"
#include "lib/tool/session.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>

namespace fletcher::tool {

namespace {
constexpr std::int64_t share = 50; ///< the program stands still for one part of its time at most
constexpr std::int64_t least_patience = 10, most_patience = 160; ///< milliseconds
/// Nanoseconds of processor time in which any access comes to its end.
constexpr std::int64_t longest_access = 20'000'000;

std::int64_t now_in_microseconds() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1000;
}
} // namespace

void Sweeper::look() {
  const std::int64_t begin = now_in_microseconds();
  if (begin < not_before_ || !the_.checker().worth_sweeping()) return;
  const bool closed = gate::close(std::chrono::milliseconds(patience_));
  const bool swept = closed && the_.checker().sweep(all_moved_on());
  if (closed) gate::open();
  not_before_ = now_in_microseconds() + share * (now_in_microseconds() - begin);
  patience_ = closed ? least_patience : std::min(2 * patience_, most_patience);
  if (swept) remember();
}

// An access that was under way at the last sweep is over: the thread has told an event, or it sleeps, which no access
// does, or it has worked for longer than any access takes.
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
