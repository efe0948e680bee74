// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records accesses in shadow memory and finds those that no synchronisation orders: FastTrack's rules (Flanagan,
// Freund, PLDI 2009) over strands instead of threads, filtered by locksets. Relies on order/ for happens-before.
#pragma once

#include "checker/access/call_tree.hpp"
#include "checker/access/cell_row.hpp"
#include "checker/access/locksets.hpp"
#include "checker/access/shadow.hpp"
#include "checker/access/thread_state.hpp"
#include "checker/order/happens_before.hpp"

#include <map>

namespace fletcher::access {

/// A race as the access path met it; rules/ makes a finding of it.
struct Race {
  const ThreadState* thread;
  Address address; ///< first byte that both touch
  std::uint8_t bytes;
  StrandId later, earlier;
  ContextId later_site, earlier_site;
  Kind later_kind, earlier_kind;
  bool freed; ///< the later access is the end of a heap block's life
};

class RaceListener {
public:
  RaceListener() = default;
  RaceListener(const RaceListener&) = delete;
  RaceListener& operator=(const RaceListener&) = delete;
  virtual ~RaceListener() = default;
  virtual void race(const Race& race) = 0;
};

/// Thread-safe: each thread passes its own ThreadState.
class RaceCheck {
public:
  RaceCheck(order::StrandTables& tables, CallTree& calls, Locksets& locksets, RaceListener& listener,
            unsigned address_bits, bool observed_order_counts);
  bool ok() const noexcept { return shadow_.ok(); }

  /// Points the thread at the shadow.
  void attach(ThreadState& thread) noexcept;
  /// One access to `mask` of the bytes at `granule` (aligned to 8).
  void check(ThreadState& thread, Address granule, std::uint8_t mask, Kind kind, Address pc);
  /// The same where the place is known, and recording it is all that is left to do.
  void record(ThreadState& thread, Address granule, std::uint8_t mask, Kind kind, ContextId site);
  /// All bytes of `count` granules from `first` on. A few instructions for four granules where nobody else has been.
  void record_row(ThreadState& thread, Address first, std::size_t count, Kind kind, ContextId site);
  ContextId site(ThreadState& thread, Address pc);

  /// Memory whose accesses belong to the runtime (reduction copies that a thread shares among its tasks).
  void ignore(Address address, std::size_t size);
  void end_of_life(ThreadState& thread, Address address, std::size_t size, MemoryKind kind, Address pc);
  Shadow& shadow() noexcept { return shadow_; }

private:
  /// A cell of the granule tells that the running strand has made the access. Where several strands read the same
  /// memory, it is often not the first one.
  bool told(const ThreadState& thread, Address granule, std::uint64_t need) const noexcept;
  ContextId known_site(const ThreadState& thread, Address pc) const noexcept;
  void record_among_others(ThreadState& thread, Address granule, Cell now);
  bool record_alone(ThreadState& thread, Address granule, Cell now) noexcept;
  enum class Verdict { ordered, harmless, race };
  Verdict judge(ThreadState& thread, Cell past, Address granule);
  bool before(ThreadState& thread, StrandId past);
  bool still_concurrent(ThreadState& thread, StrandId past);
  bool ignored(Address address) const;
  bool per_thread_data(const ThreadState& thread, StrandId past, Address address) const;
  void report(ThreadState& thread, Address granule, Cell past, Cell now);

  order::StrandTables& tables_;
  CallTree& calls_;
  Locksets& locksets_;
  RaceListener& listener_;
  Shadow shadow_;
  CellRow row_;
  bool observed_order_counts_;
  mutable memory::SpinLock ignored_lock_;
  std::map<Address, Address> ignored_; // begin -> end
  std::atomic<bool> any_ignored_{false};
};

} // namespace fletcher::access
