// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/strands.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace fletcher::order {

namespace {
// Giving pages back is a system call: done for ranges of this many blocks (1 MB).
constexpr std::uint32_t worth_discarding = 1u << 16;
constexpr std::size_t dependence_capacity = std::size_t{1} << 31;
} // namespace

StrandTables::StrandTables(unsigned strand_bits)
    : capacity_(static_cast<std::uint32_t>((std::uint64_t{1} << strand_bits) / strands_per_block - 1)),
      blocks_(capacity_), chains_(capacity_), tasks_(capacity_), details_(capacity_),
      dependences_(std::min(dependence_capacity, std::size_t{capacity_})) {}

std::uint32_t StrandTables::next_single_block(Ranges& own) noexcept {
  --own.blocks.next;
  Range single;
  return next(single, next_block_, blocks_, 1);
}

std::pair<StrandId, StrandId> StrandTables::reserve_strands(Ranges& own, std::uint64_t count) noexcept {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  const auto blocks = static_cast<std::uint32_t>(std::min(count, most) / strands_per_block + 1);
  refresh(own);
  const auto is_room_after = [&](std::uint32_t first) { return std::uint64_t{first} + blocks < capacity_; };
  if (own.blocks.end - own.blocks.next < blocks && is_room_after(next_block_.load(std::memory_order_relaxed)))
    if (const std::uint32_t first = next_block_.fetch_add(blocks, std::memory_order_relaxed); is_room_after(first))
      own.blocks = {first, first + blocks};
  return {StrandId{own.blocks.next * strands_per_block}, StrandId{own.blocks.end * strands_per_block}};
}

void StrandTables::append(ChainList& to, ChainId chain) noexcept {
  std::atomic<std::uint32_t>& next = chains_[number(chain)].next;
  if (next.load(std::memory_order_relaxed) != 0) return;
  next.store(number(chain), std::memory_order_relaxed);
  append(to, ChainList{chain, chain});
}

void StrandTables::append(ChainList& to, ChainList from) noexcept {
  if (from.empty()) return;
  if (to.empty())
    to.first = from.first;
  else
    chains_[number(to.last)].next.store(number(from.first), std::memory_order_relaxed);
  to.last = from.last;
}

bool StrandTables::inherit(ChainId chain, StrandId last) noexcept {
  Chain& c = chains_[number(chain)];
  std::uint32_t expected = number(last);
  return c.forward.load(std::memory_order_acquire) == 0 &&
         c.tail.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

void StrandTables::add_details(RecordId id, std::uint16_t index, std::span<const PackedDependence> list) noexcept {
  const auto count =
      static_cast<std::uint32_t>(std::min<std::size_t>(list.size(), std::numeric_limits<std::uint16_t>::max()));
  TaskDetails& details = details_[static_cast<std::uint32_t>(id)];
  details = {0, 0, index};
  task(id).detailed = true;
  if (count == 0) return;
  const std::uint32_t first = next_dependence_.fetch_add(count, std::memory_order_relaxed);
  if (std::size_t{first} + count > dependences_.capacity()) return;
  std::copy_n(list.begin(), count, &dependences_[first]);
  details.first_dependence = first;
  details.dependences = static_cast<std::uint16_t>(count);
}

StrandTables::Mark StrandTables::mark() const noexcept {
  return {next_block_.load(std::memory_order_relaxed), next_chain_.load(std::memory_order_relaxed),
          next_task_.load(std::memory_order_relaxed), next_dependence_.load(std::memory_order_relaxed)};
}

void StrandTables::pass_horizon(StrandId horizon) noexcept {
  generation_.fetch_add(1, std::memory_order_acq_rel); // what threads took before is older than the horizon
  const std::uint32_t last = number(horizon) / strands_per_block;
  if (last - discarded_block_ < worth_discarding) return;
  blocks_.discard(discarded_block_, last);
  discarded_block_ = last;
}

bool StrandTables::worth_rewinding(const Mark& to) const noexcept {
  const Mark now = mark();
  return std::max({now.chain - to.chain, now.task - to.task, now.dependence - to.dependence}) >= worth_discarding;
}

void StrandTables::rewind(const Mark& to) noexcept {
  const Mark now = mark();
  generation_.fetch_add(1, std::memory_order_acq_rel);
  next_chain_.store(to.chain, std::memory_order_relaxed);
  next_task_.store(to.task, std::memory_order_relaxed);
  next_dependence_.store(to.dependence, std::memory_order_relaxed);
  if (now.chain - to.chain >= worth_discarding) chains_.discard(to.chain, now.chain);
  if (now.task - to.task >= worth_discarding) {
    tasks_.discard(to.task, now.task);
    details_.discard(to.task, now.task);
  }
  if (now.dependence - to.dependence >= worth_discarding) dependences_.discard(to.dependence, now.dependence);
}

void StrandTables::restart_strands() noexcept {
  blocks_.discard(0, next_block_.load(std::memory_order_relaxed));
  next_block_.store(blocks_at_once, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  discarded_block_ = blocks_at_once;
}

} // namespace fletcher::order
