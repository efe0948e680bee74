// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/recycled_ids.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::memory {

namespace {
constexpr std::uint64_t ones(unsigned from, unsigned count) noexcept {
  return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << from;
}
} // namespace

RecycledIds::Run RecycledIds::take(std::uint32_t most, std::uint32_t least) noexcept {
  const SpinGuard guard(lock_);
  if (!open_.load(std::memory_order_relaxed)) return {};
  for (; cursor_ < free_.size(); ++cursor_)
    for (std::uint64_t left = free_[cursor_]; left != 0;) {
      const auto from = static_cast<unsigned>(std::countr_zero(left));
      const auto there = static_cast<unsigned>(std::countr_one(left >> from));
      left &= ~ones(from, there);
      if (there < least) continue;
      const unsigned count = std::min<unsigned>(there, most);
      free_[cursor_] &= ~ones(from, count);
      unneeded_[cursor_] &= ~ones(from, count); // its present owner may need it before the next sweep sees that
      const std::uint32_t first = base_ + static_cast<std::uint32_t>(cursor_) * 64 + from;
      return {first, first + count};
    }
  open_.store(false, std::memory_order_relaxed);
  return {};
}

void RecycledIds::begin(std::uint32_t first, std::uint32_t end) {
  const SpinGuard guard(lock_);
  open_.store(false, std::memory_order_relaxed);
  base_ = first / 64 * 64;
  first_ = first;
  end_ = std::max(first, end);
  const std::size_t words = (end_ - base_ + 63) / 64;
  needed_.assign(words, 0);
  unneeded_.resize(words, 0);
  free_.resize(words, 0);
}

void RecycledIds::need(Run run) noexcept {
  run.first = std::max(run.first, first_);
  run.end = std::min(run.end, end_);
  for (std::uint32_t id = run.first; id < run.end; ++id) need(id);
}

std::uint32_t RecycledIds::end(bool certain) {
  const SpinGuard guard(lock_);
  std::uint32_t count = 0;
  has_freed_ = false;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    const auto id = base_ + static_cast<std::uint32_t>(i) * 64;
    std::uint64_t unneeded = ~needed_[i];
    if (id < first_) unneeded &= ~ones(0, first_ - id);
    if (end_ - id < 64) unneeded &= ones(0, end_ - id);
    const std::uint64_t before = free_[i];
    free_[i] = unneeded & (certain ? unneeded_[i] : before);
    has_freed_ |= (free_[i] & ~before) != 0;
    unneeded_[i] = unneeded;
    count += static_cast<std::uint32_t>(std::popcount(free_[i]));
  }
  cursor_ = 0;
  return count;
}

void RecycledIds::open() noexcept {
  const SpinGuard guard(lock_);
  open_.store(true, std::memory_order_relaxed);
}

void RecycledIds::clear() noexcept {
  const SpinGuard guard(lock_);
  open_.store(false, std::memory_order_relaxed);
  needed_ = unneeded_ = free_ = {};
  first_ = end_ = base_ = 0;
}

} // namespace fletcher::memory
