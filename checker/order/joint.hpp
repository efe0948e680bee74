// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joint strands: an id that stands for several strands, so that one shadow cell records the same read by all of them
// (FastTrack's read-shared state, with the sets of readers interned). Relies on memory/.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::order {

/// Strands, each once, in the order of their ids, and which bytes of a granule each has read, of those that a cell
/// records.
struct Joint {
  static constexpr std::uint32_t most = 64; ///< as many members as teams mostly have
  std::array<StrandId, most> strands{};
  std::array<std::uint8_t, most> bytes{};
  std::uint32_t count = 0;

  /// False where there is no room.
  bool add(StrandId strand, std::uint8_t read) noexcept {
    std::uint32_t at = 0;
    while (at < count && number(strands[at]) < number(strand)) ++at;
    if (at < count && strands[at] == strand) {
      bytes[at] |= read;
      return true;
    }
    if (count == most) return false;
    for (std::uint32_t i = count++; i > at; --i) {
      strands[i] = strands[i - 1];
      bytes[i] = bytes[i - 1];
    }
    strands[at] = strand;
    bytes[at] = read;
    return true;
  }
  /// A cell will record the bytes `told`. Where each strand has read them all, each counts as having read whatever a
  /// cell records: so the same strands are one joint strand everywhere, of halves of granules and of whole ones.
  /// Whether they have.
  bool tell(std::uint8_t told) noexcept {
    const auto has_all = [=](std::uint8_t read) { return read == told; };
    if (!std::all_of(bytes.begin(), bytes.begin() + count, has_all)) return false;
    std::fill_n(bytes.begin(), count, std::uint8_t{0xff});
    return true;
  }
  /// What strands from `first` to `last` have read.
  std::uint8_t bytes_of(StrandId first, StrandId last) const noexcept {
    std::uint8_t read = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (strands[i] >= first && strands[i] <= last) read |= bytes[i];
    return read;
  }
  friend bool operator==(const Joint&, const Joint&) = default;
};

/// The joints since the last horizon, each once as far as a small table of them remembers. Thread-safe; O(1).
class Joints {
public:
  explicit Joints(std::uint32_t most) noexcept : joints_(most) {}
  explicit operator bool() const noexcept { return static_cast<bool>(joints_); }

  struct Found {
    StrandId strand = StrandId::none;
    bool is_new = false;
  };
  /// The strand of an equal one, or what `make(index)` gives a new one: none where that does, or there is no room.
  template <class Make> Found find_or_add(const Joint& joint, Make make) noexcept {
    const memory::SpinGuard guard(lock_);
    Known& known = known_[slot(joint)];
    if (known.strand != StrandId::none && joints_[known.index] == joint) return {known.strand};
    if (next_ == joints_.capacity()) return {};
    const StrandId made = make(next_);
    if (made == StrandId::none) return {};
    joints_[next_] = joint;
    known = {made, next_++};
    return {made, true};
  }
  const Joint& operator[](std::uint32_t index) const noexcept { return joints_[index]; }
  /// A sweep begins: a request for an equal one from now on gets a strand that is not named by this table alone. The
  /// caller has the lock.
  void begin_sweep() noexcept { known_.fill({}); }
  /// How often all of them were forgotten: what refers to them by an earlier number means nothing.
  std::uint32_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }
  /// No thread accesses anything.
  void clear() noexcept {
    const memory::SpinGuard guard(lock_);
    if (next_ == 0) return;
    constexpr std::uint32_t worth_a_call = 4096;
    if (next_ > worth_a_call) joints_.discard(0, next_);
    known_.fill({});
    next_ = 0;
    generation_.fetch_add(1, std::memory_order_release);
  }
  memory::SpinLock& lock() noexcept { return lock_; }

private:
  struct Known {
    StrandId strand = StrandId::none;
    std::uint32_t index = 0;
  };
  static std::size_t slot(const Joint& joint) noexcept {
    std::uint64_t hash = joint.count;
    for (std::uint32_t i = 0; i < joint.count; ++i)
      hash = memory::spread(hash ^ number(joint.strands[i]) ^ std::uint64_t{joint.bytes[i]} << 32);
    return hash >> 55;
  }
  memory::ReservedArray<Joint> joints_;
  std::array<Known, 512> known_{};
  std::uint32_t next_ = 0;
  std::atomic<std::uint32_t> generation_{0};
  memory::SpinLock lock_;
};

} // namespace fletcher::order
