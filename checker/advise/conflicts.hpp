// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of a run that conflict: which pairs its constructs ordered, and which locks and atomic operations kept
// apart what nothing orders. A pair stands for those that follow from it and another one.
#pragma once

#include "checker/advise/replay.hpp"
#include "checker/graph/reachability.hpp"

#include <map>
#include <set>

namespace fletcher::advise {

/// Of two segments, the earlier first, and the bytes that both access.
struct ConflictingPair {
  SegmentId first = 0, second = 0;
  Address low = 0, high = 0;
};

class Conflicts {
public:
  Conflicts(const Run& run, const Replay& order);

  /// In the order that the graph gives.
  const std::vector<ConflictingPair>& ordered() const noexcept { return ordered_; }
  /// The lock taken there kept apart two accesses that nothing else does.
  bool needs_lock(Address taken_at) const { return locks_.contains(taken_at); }
  bool needs_atomic(Address pc) const { return atomics_.contains(pc); }
  /// There were too many to look at all of them.
  bool incomplete() const noexcept { return steps_ > most_steps; }

private:
  struct Entry {
    SegmentId segment;
    access::Kind kind;
    Address pc;
  };
  struct Bytes {
    Address high;
    std::vector<Entry> entries; ///< the strands that accessed them, except for those that a later one stands for
  };
  static constexpr std::size_t most_steps = 200'000'000, most_pairs = 4'000'000;
  std::map<Address, Bytes>::iterator split(Address at);
  void access(const Access& access);
  void meet(Bytes& bytes, Address low, const Access& access);
  bool stands_for(const Access& later, const Entry& earlier, bool ordered, bool conflict) const;
  void unordered(const Entry& earlier, const Access& later);
  void pair(SegmentId first, SegmentId second, Address low, Address high);
  std::uint32_t locks_of(SegmentId segment) const { return run_.segments[segment].locks; }

  const Run& run_;
  const Replay& order_;
  const graph::Reachability reach_;
  std::map<Address, Bytes> memory_;
  std::vector<ConflictingPair> ordered_;
  std::set<Address> locks_, atomics_;
  std::size_t steps_ = 0;
};

} // namespace fletcher::advise
