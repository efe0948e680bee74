// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which strands of a chain are twins (access/cells/alike.hpp): units of work that its thread executed one after the
// other without releasing or learning anything. Others that make a joint strand of readers name the first of them, so
// that readers of many pieces of two loops make one set, and not one for each pair of pieces.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::order {

/// As far as a small table remembers. Thread-safe; O(1).
class Twins {
public:
  struct Run {
    StrandId first = StrandId::none, last = StrandId::none;
    bool has(StrandId strand) const noexcept { return first <= strand && strand <= last; }
  };

  /// By the chain's thread: all of the chain's strands in the run are twins.
  void note(ChainId chain, Run run) noexcept {
    slots_[slot(chain)].run.store(std::uint64_t{number(run.first)} << 32 | number(run.last), std::memory_order_relaxed);
  }
  /// Of this chain, or of another one that has its slot.
  Run latest(ChainId chain) const noexcept {
    const std::uint64_t run = slots_[slot(chain)].run.load(std::memory_order_relaxed);
    return {StrandId{static_cast<std::uint32_t>(run >> 32)}, StrandId{static_cast<std::uint32_t>(run)}};
  }
  template <class F> void each_first(F f) const {
    for (const Slot& slot : slots_)
      if (const std::uint64_t run = slot.run.load(std::memory_order_relaxed); run != 0)
        f(StrandId{static_cast<std::uint32_t>(run >> 32)});
  }
  /// No thread accesses anything.
  void clear() noexcept {
    for (Slot& slot : slots_) slot.run.store(0, std::memory_order_relaxed);
  }

private:
  /// Its thread writes there for each unit of work: on a line of its own.
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> run{0};
  };
  static constexpr std::size_t slots = 128;
  static std::size_t slot(ChainId chain) noexcept { return number(chain) % slots; }
  std::array<Slot, slots> slots_{};
};

} // namespace fletcher::order
