// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where chains of strands went whose tasks have ended, and lists of those that nobody has waited for yet.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/reserved.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fletcher::order {

/// A chain whose last task was waited for: everything on it comes before `strand` of `chain`.
struct Forward {
  ChainId chain = ChainId::none;
  StrandId strand = StrandId::none;
};

/// Chains that ended and were not waited for yet, linked through the table of chains: no memory of their own.
struct ChainList {
  ChainId first = ChainId::none, last = ChainId::none;
  bool empty() const noexcept { return first == ChainId::none; }
};

/// Thread-safe, except for the lists, whose owners synchronise; each operation O(1) where it says nothing else.
class Chains {
public:
  Forward forward_of(ChainId chain) const noexcept {
    const std::uint64_t f = chains_[number(chain)].forward.load(std::memory_order_acquire);
    return {ChainId{static_cast<std::uint32_t>(f >> 32)}, StrandId{static_cast<std::uint32_t>(f)}};
  }
  /// A task that held the chain up to `last` ended. The chain can then be waited for or inherited.
  void end_chain(ChainId chain, StrandId last) noexcept {
    chains_[number(chain)].tail.store(number(last), std::memory_order_release);
  }
  /// Its last owner ended, and nobody has inherited it since.
  bool has_ended(ChainId chain) const noexcept {
    return chains_[number(chain)].tail.load(std::memory_order_relaxed) != 0;
  }
  /// The chain's end was waited for by `to`. Nothing where it was waited for before (that says more), or where a task
  /// that inherited it has not ended yet.
  void forward(ChainId chain, Forward to) noexcept {
    Chain& c = chains_[number(chain)];
    // An heir that starts at this moment would be a task that the waiter waits for too; so plain checks are enough.
    if (chain == to.chain || c.tail.load(std::memory_order_acquire) == 0 ||
        c.forward.load(std::memory_order_relaxed) != 0)
      return;
    c.forward.store((std::uint64_t{number(to.chain)} << 32) | number(to.strand), std::memory_order_release);
  }
  /// The task that holds the chain goes on in another one, which begins with that strand.
  void go_on(ChainId chain, Forward in) noexcept {
    chains_[number(chain)].forward.store((std::uint64_t{number(in.chain)} << 32) | number(in.strand),
                                         std::memory_order_release);
  }
  /// Takes over a chain that ended at `last`: its owner comes before the heir. The heir's end must be waited
  /// for by the same construct.
  bool inherit(ChainId chain, StrandId last) noexcept {
    Chain& c = chains_[number(chain)];
    std::uint32_t expected = number(last);
    return c.forward.load(std::memory_order_acquire) == 0 &&
           c.tail.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
  }

  /// Adds an ended chain to a list. Nothing where it is in one already: its heir ended.
  void append(ChainList& to, ChainId chain) noexcept {
    std::atomic<std::uint32_t>& next = chains_[number(chain)].next;
    if (next.load(std::memory_order_relaxed) != 0) return;
    next.store(number(chain), std::memory_order_relaxed);
    append(to, ChainList{chain, chain});
  }
  void append(ChainList& to, ChainList from) noexcept {
    if (from.empty()) return;
    if (to.empty())
      to.first = from.first;
    else
      chains_[number(to.last)].next.store(number(from.first), std::memory_order_relaxed);
    to.last = from.last;
  }
  /// The same for a list of which only the first chain is kept.
  void push(ChainId& first, ChainId chain) noexcept {
    std::atomic<std::uint32_t>& next = chains_[number(chain)].next;
    if (next.load(std::memory_order_relaxed) != 0) return;
    next.store(number(first == ChainId::none ? chain : first), std::memory_order_relaxed);
    first = chain;
  }
  template <class F> void take(ChainId& list, F f) noexcept {
    for (ChainId chain = std::exchange(list, ChainId::none); chain != ChainId::none;) {
      std::atomic<std::uint32_t>& link = chains_[number(chain)].next;
      const ChainId next{link.load(std::memory_order_relaxed)};
      link.store(0, std::memory_order_relaxed);
      f(chain);
      chain = next == chain ? ChainId::none : next;
    }
  }
  /// All of such a list. O(its length).
  ChainList whole(ChainId first) const noexcept {
    ChainId last = first;
    for (ChainId next = first; next != ChainId::none;) {
      last = next;
      next = ChainId{chains_[number(last)].next.load(std::memory_order_relaxed)};
      if (next == last) break;
    }
    return {first, last};
  }
  /// The last strand of each chain of the list, which has ended, meets the condition.
  template <class F> bool all_ends(const ChainList& list, F meets) const noexcept {
    for (ChainId chain = list.first; chain != ChainId::none;) {
      const Chain& c = chains_[number(chain)];
      if (!meets(StrandId{c.tail.load(std::memory_order_acquire)})) return false;
      if (chain == list.last) break;
      chain = ChainId{c.next.load(std::memory_order_relaxed)};
    }
    return true;
  }
  /// Empties the list; `f(chain)` for each chain.
  template <class F> void take(ChainList& list, F f) noexcept {
    for (ChainId chain = list.first; chain != ChainId::none;) {
      std::atomic<std::uint32_t>& link = chains_[number(chain)].next;
      const ChainId next{link.load(std::memory_order_relaxed)};
      link.store(0, std::memory_order_relaxed);
      const bool last = chain == list.last;
      f(chain);
      chain = last ? ChainId::none : next;
    }
    list = {};
  }

protected:
  struct Chain {
    std::atomic<std::uint64_t> forward;
    std::atomic<std::uint32_t> tail; ///< last strand of the last owner; 0 while a task owns the chain
    std::atomic<std::uint32_t> next; ///< in the ChainList that it is in; itself at the end; 0 in none
  };
  static_assert(sizeof(std::atomic<std::uint64_t>) + 2 * sizeof(std::atomic<std::uint32_t>) == 16);

  explicit Chains(std::size_t most) noexcept : chains_(most) {}
  void begin_chain(ChainId chain) noexcept {
    Chain& c = chains_[number(chain)];
    c.forward.store(0, std::memory_order_relaxed);
    c.tail.store(0, std::memory_order_relaxed);
    c.next.store(0, std::memory_order_relaxed);
  }

  memory::ReservedArray<Chain> chains_;
};

} // namespace fletcher::order
