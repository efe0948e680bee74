// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/conflicts.hpp"

#include <algorithm>

namespace fletcher::advise {

Conflicts::Conflicts(const Run& run, const Replay& order) : run_(run), order_(order), reach_(order.graph()) {
  std::size_t next = 0;
  for (const Access& one : run.accesses) {
    for (; next < run.renewals.size() && run.renewals[next].before <= one.segment; ++next)
      memory_.erase(split(run.renewals[next].low), split(run.renewals[next].high));
    access(one);
    if (incomplete()) return;
  }
  memory_.clear();
}

/// Makes `at` a border, and gives the first piece from there on.
std::map<Address, Conflicts::Bytes>::iterator Conflicts::split(Address at) {
  const auto after = memory_.lower_bound(at);
  if (after == memory_.begin() || (after != memory_.end() && after->first == at)) return after;
  const auto before = std::prev(after);
  if (before->second.high <= at) return after;
  const Bytes rest = before->second;
  before->second.high = at;
  return memory_.emplace_hint(after, at, rest);
}

void Conflicts::access(const Access& access) {
  const Address end = access.address + access.size;
  auto piece = split(access.address);
  split(end);
  for (Address at = access.address; at < end;) {
    if (piece == memory_.end() || piece->first > at) {
      const Address gap_end = piece == memory_.end() ? end : std::min(end, piece->first);
      piece = memory_.emplace_hint(piece, at, Bytes{gap_end, {}});
    }
    meet(piece->second, at, access);
    at = piece->second.high;
    ++piece;
  }
}

void Conflicts::meet(Bytes& bytes, Address low, const Access& access) {
  const graph::Vertex here = order_.strand(access.segment);
  bool known = false;
  const auto over = [&](const Entry& entry) {
    ++steps_;
    const graph::Vertex there = order_.strand(entry.segment);
    const bool conflict = writes(entry.kind) || writes(access.kind);
    const bool same = here == there;
    if (same && entry.kind == access.kind && entry.pc == access.pc &&
        locks_of(entry.segment) == locks_of(access.segment))
      known = true;
    if (same) return false;
    const bool ordered = reach_.reaches(there, here);
    if (conflict && ordered) pair(entry.segment, access.segment, low, bytes.high);
    if (conflict && !ordered) unordered(entry, access);
    return stands_for(access, entry, ordered, conflict);
  };
  std::erase_if(bytes.entries, over);
  if (!known) bytes.entries.push_back({access.segment, access.kind, access.pc});
}

// What meets the earlier one after that meets the later one as well, in any order of those that are compared.
bool Conflicts::stands_for(const Access& later, const Entry& earlier, bool ordered, bool conflict) const {
  if (!ordered || is_atomic(later.kind) != is_atomic(earlier.kind) ||
      locks_of(later.segment) != locks_of(earlier.segment))
    return false;
  if (conflict) return writes(later.kind);
  return order_.task(later.segment) == order_.task(earlier.segment) && later.pc == earlier.pc;
}

void Conflicts::unordered(const Entry& earlier, const Access& later) {
  const std::vector<HeldLock>&one = run_.locksets[locks_of(earlier.segment)],
        &other = run_.locksets[locks_of(later.segment)];
  bool excluded = false;
  for (const HeldLock& a : one)
    for (const HeldLock& b : other)
      if (a.mutex.kind == b.mutex.kind && a.mutex.address == b.mutex.address) {
        excluded = true;
        locks_.insert({a.pc, b.pc});
      }
  if (excluded) return;
  for (const auto& [pc, kind] : {std::pair(earlier.pc, earlier.kind), std::pair(later.pc, later.kind)})
    if (is_atomic(kind)) atomics_.insert(pc);
  if (is_atomic(earlier.kind) && is_atomic(later.kind) && later.address != output_stream) return;
  // A race, or something that keeps the two apart and is not known here: each lock may have to do with it.
  for (const auto* set : {&one, &other})
    for (const HeldLock& held : *set) locks_.insert(held.pc);
}

void Conflicts::pair(SegmentId first, SegmentId second, Address low, Address high) {
  if (!ordered_.empty()) {
    ConflictingPair& last = ordered_.back();
    if (last.first == first && last.second == second && last.high == low) {
      last.high = high;
      return;
    }
  }
  if (ordered_.size() >= most_pairs) steps_ = most_steps + 1;
  ordered_.push_back({first, second, low, high});
}

} // namespace fletcher::advise
