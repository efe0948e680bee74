// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/race_check.hpp"

#include "checker/access/check.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::access {

RaceCheck::RaceCheck(order::StrandTables& tables, CallTree& calls, Locksets& locksets, RaceListener& listener,
                     unsigned address_bits, bool observed_order_counts)
    : tables_(tables), calls_(calls), locksets_(locksets), listener_(listener), shadow_(address_bits),
      observed_order_counts_(observed_order_counts) {}

void RaceCheck::attach(ThreadState& thread) noexcept {
  thread.races = this;
  thread.shadow = shadow_.base();
  thread.shadow_mask = shadow_.mask();
}

inline ContextId RaceCheck::site(ThreadState& thread, Address pc) {
  const Frame* top = thread.stack.top();
  const bool known = top != thread.stack.base() && top[-1].context != ContextId::none;
  const ContextId context = known ? top[-1].context : calls_.context(thread.stack);
  ThreadState::Site& memo = thread.sites[(pc ^ (pc >> 6)) % thread.sites.size()];
  if (memo.pc != pc || memo.context != context) memo = {pc, context, calls_.child(context, pc)};
  return memo.site;
}

bool RaceCheck::before(ThreadState& thread, StrandId past) {
  StrandId& memo = thread.ordered[number(past) % thread.ordered.size()];
  if (memo == past) return true;
  if (!order::happens_before(tables_, past, constructs::position(*thread.task))) return false;
  memo = past;
  return true;
}

RaceCheck::Verdict RaceCheck::judge(ThreadState& thread, Cell past, Address granule) {
  if (before(thread, past.strand())) return Verdict::ordered;
  const order::StrandBlock& block = tables_.block_of(past.strand());
  if (locksets_.intersect(block.lockset, thread.task->lockset)) return Verdict::harmless;
  if (observed_order_counts_ && thread.task->known.has_observed() &&
      order::observed_before(tables_, past.strand(), constructs::position(*thread.task)))
    return Verdict::harmless;
  if (per_thread_data(thread, past.strand(), granule) || ignored(granule)) return Verdict::harmless;
  return Verdict::race;
}

// Data that only one thread touches is never raced for, whatever its tasks: tied tasks do not change threads.
bool RaceCheck::per_thread_data(const ThreadState& thread, StrandId past, Address address) const {
  const order::TaskRecord& other = tables_.task(tables_.block_of(past).task);
  if (other.thread != thread.id) return false;
  if (address - thread.tls_low < thread.tls_high - thread.tls_low) return true;
  return thread.task->asked_thread_number && other.asked_thread_number.load(std::memory_order_relaxed);
}

// The granule tells of nothing, or of this strand only: true when the access is recorded. Nearly all accesses of a
// program that streams through its data end here, so it costs no locked instruction, but for a strand's first accesses:
// threads leave a barrier together, and two that record their only access to a variable at the same moment must see
// each other. Later, such a moment loses at most one of two accesses that are nanoseconds apart.
inline bool RaceCheck::record_alone(ThreadState& thread, Address granule, Cell now) noexcept {
  std::atomic<std::uint64_t>& first = shadow_.cell(0, granule);
  std::uint64_t seen = first.load(std::memory_order_acquire);
  const Cell cell(seen);
  if (cell.more()) return false;
  if (cell.mask() != 0 && !cell.older_than(thread.horizon)) {
    if (cell.strand() != now.strand()) return false;
    const bool covered = (cell.mask() & now.mask()) == now.mask();
    if (covered && covers(cell.kind(), now.kind())) return true;
    const bool covering = (cell.mask() & now.mask()) == cell.mask() && covers(now.kind(), cell.kind());
    if (!covering && (cell.kind() != now.kind() || cell.site() != now.site())) return false; // its place would be lost
    now = now.with_mask(static_cast<std::uint8_t>(cell.mask() | now.mask()));
  }
  if (thread.careful == 0) {
    first.store(now.raw(), std::memory_order_release);
    return true;
  }
  --thread.careful;
  return first.compare_exchange_strong(seen, now.raw(), std::memory_order_acq_rel);
}

inline void RaceCheck::record(ThreadState& thread, Address granule, std::uint8_t mask, Kind kind, ContextId site) {
  const Cell now(thread.strand, site, kind, mask);
  if (!record_alone(thread, granule, now)) [[unlikely]]
    record_among_others(thread, granule, now);
}

// FastTrack's rules on the cells of a granule that several strands touched.
void RaceCheck::record_among_others(ThreadState& thread, Address granule, Cell now) {
  const std::uint8_t mask = now.mask();
  const Kind kind = now.kind();
retry:
  std::uint64_t seen[Shadow::planes];
  int slot = -1;        // where the access goes
  bool keep = false;    // an own cell already says it
  unsigned used = 1;    // planes in use
  bool further = false; // another plane has something to say
  Cell stored = now;
  for (unsigned i = 0; i < used; ++i) {
    seen[i] = shadow_.cell(i, granule).load(std::memory_order_acquire);
    const Cell cell(seen[i]);
    if (i == 0 && cell.more()) used = Shadow::planes;
    if (cell.mask() == 0 || cell.older_than(thread.horizon)) {
      if (slot < 0) slot = static_cast<int>(i);
      continue;
    }
    further |= i != 0;
    const bool overlaps = (cell.mask() & mask) != 0;
    if (cell.strand() == thread.strand) {
      if (covers(cell.kind(), kind) && (cell.mask() & mask) == mask)
        keep = true;
      else if ((covers(kind, cell.kind()) && (mask & cell.mask()) == cell.mask()) ||
               (kind == cell.kind() && now.site() == cell.site())) {
        slot = static_cast<int>(i); // widened or strengthened in place
        stored = now.with_mask(static_cast<std::uint8_t>(mask | cell.mask()));
      }
      continue;
    }
    const bool conflicts = overlaps && conflict(cell.kind(), kind);
    const bool replaceable = overlaps && covers(kind, cell.kind()) && (mask & cell.mask()) == cell.mask();
    if (!conflicts && !replaceable) continue;
    const Verdict verdict = conflicts                       ? judge(thread, cell, granule)
                            : before(thread, cell.strand()) ? Verdict::ordered
                                                            : Verdict::harmless;
    if (verdict == Verdict::race) report(thread, granule, cell, now);
    // What comes before this access and is covered by it says nothing more about the future. A reported race is said.
    if (!replaceable || verdict == Verdict::harmless) continue;
    if (stored == now && (slot < 0 || slot > static_cast<int>(i)))
      slot = static_cast<int>(i);
    else if (i != 0)
      shadow_.cell(i, granule).compare_exchange_strong(seen[i], 0, std::memory_order_acq_rel);
  }
  if (keep) return;
  if (slot < 0) {
    // All cells tell of accesses that still matter. A read gives way, and goes unrecorded rather than push out a write:
    // a later write meets the reads that are there. Among writes to different bytes, the place changes with the strand.
    slot = 1;
    if (used < Shadow::planes) {
      seen[1] = shadow_.cell(1, granule).load(std::memory_order_acquire);
    } else {
      slot = kind == Kind::write || kind == Kind::atomic_write
                 ? 1 + static_cast<int>(number(thread.strand) % (Shadow::planes - 1))
                 : -1;
      for (unsigned i = 1; i < Shadow::planes; ++i) {
        const Kind there = Cell(seen[i]).kind();
        if (there == Kind::atomic_read || (there == Kind::read && kind != Kind::atomic_read))
          slot = static_cast<int>(i);
      }
      if (slot < 0) return;
    }
  }
  // Another thread may record its access at this moment: then both must look again, or a race could be lost. Every
  // change is validated by the first cell, whose `more` bit tells whether the other planes count.
  if (slot != 0) {
    shadow_.touch(static_cast<unsigned>(slot));
    if (!shadow_.cell(static_cast<unsigned>(slot), granule)
             .compare_exchange_strong(seen[slot], stored.raw(), std::memory_order_acq_rel))
      goto retry;
    stored = Cell(seen[0]);
    further = true;
  }
  if (!shadow_.cell(0, granule)
           .compare_exchange_strong(seen[0], stored.with_more(further).raw(), std::memory_order_acq_rel))
    goto retry;
}

void RaceCheck::report(ThreadState& thread, Address granule, Cell past, Cell now) {
  const auto both = static_cast<std::uint8_t>(past.mask() & now.mask());
  const Race race{.thread = &thread,
                  .address = granule + static_cast<unsigned>(std::countr_zero(both)),
                  .bytes = static_cast<std::uint8_t>(std::popcount(now.mask())),
                  .later = now.strand(),
                  .earlier = past.strand(),
                  .later_site = now.site(),
                  .earlier_site = past.site(),
                  .later_kind = now.kind(),
                  .earlier_kind = past.kind(),
                  .freed = thread.freeing};
  listener_.race(race);
}

void RaceCheck::ignore(Address address, std::size_t size) {
  const memory::SpinGuard guard(ignored_lock_);
  ignored_[address] = address + size;
  any_ignored_.store(true, std::memory_order_release);
}

bool RaceCheck::ignored(Address address) const {
  if (!any_ignored_.load(std::memory_order_acquire)) return false;
  const memory::SpinGuard guard(ignored_lock_);
  const auto after = ignored_.upper_bound(address + 7);
  return after != ignored_.begin() && address < std::prev(after)->second;
}

void RaceCheck::end_of_life(ThreadState& thread, Address address, std::size_t size, MemoryKind kind, Address pc) {
  if (kind == MemoryKind::runtime) {
    const memory::SpinGuard guard(ignored_lock_);
    ignored_.erase(address);
  }
  if (kind == MemoryKind::heap && thread.off <= 0) {
    // Freeing is a write to every byte: a concurrent access is a use after free, in another schedule or still to come.
    // So it stays recorded until the memory has a new owner.
    constexpr std::size_t most = 64 * 1024;
    const std::size_t looked_at = std::min(size, most);
    thread.freeing = true;
    check_range(thread, address, looked_at, Kind::write, pc);
    thread.freeing = false;
    address += looked_at;
    size -= looked_at;
  }
  shadow_.clear(address, size);
}

void check_slow(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  check_range(thread, address, size, kind, pc);
}

void check_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  if (thread.off > 0 || size == 0 || thread.task == nullptr) return;
  const InChecker inside(thread);
  if (thread.strand == StrandId::none && !constructs::open_strand(thread)) return;
  if (address - thread.stack_low < thread.stack_high - thread.stack_low)
    thread.stack_touched = std::min(thread.stack_touched, address);
  const ContextId site = thread.races->site(thread, pc);
  if ((address & 7) + size <= 8) [[likely]]
    return thread.races->record(thread, address & ~Address{7},
                                static_cast<std::uint8_t>(((1u << size) - 1) << (address & 7)), kind, site);
  const Address end = address + size;
  for (Address granule = address & ~Address{7}; granule < end; granule += 8) {
    const unsigned first = granule < address ? static_cast<unsigned>(address - granule) : 0;
    const unsigned last = end - granule < 8 ? static_cast<unsigned>(end - granule) : 8;
    const auto mask = static_cast<std::uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
    thread.races->record(thread, granule, mask, kind, site);
  }
}

} // namespace fletcher::access
