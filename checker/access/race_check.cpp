// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/race_check.hpp"

#include "checker/access/check.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fletcher::access {

static_assert(Cell::strand_bits == order::StrandTables::most_strand_bits);

namespace {

/// What every recorded access needs: a strand, and to know how deep the stack was touched. False: not checked.
bool begin_access(ThreadState& thread, Address address) {
  if (thread.task == nullptr) return false;
  if (thread.strand == StrandId::none && !constructs::open_strand(thread)) return false;
  thread.touch_stack(address);
  return true;
}

} // namespace

RaceCheck::RaceCheck(order::StrandTables& tables, CallTree& calls, Locksets& locksets, RaceListener& listener,
                     unsigned address_bits, bool observed_order_counts)
    : tables_(tables), calls_(calls), locksets_(locksets), listener_(listener), shadow_(address_bits),
      observed_order_counts_(observed_order_counts) {}

void RaceCheck::attach(ThreadState& thread) noexcept {
  thread.races = this;
  thread.shadow = shadow_.base();
  thread.shadow_mask = shadow_.mask();
}

ContextId RaceCheck::site(ThreadState& thread, Address pc) {
  const Frame* top = thread.stack.top();
  const bool known = top != thread.stack.base() && top[-1].context != ContextId::none;
  const ContextId context = known ? top[-1].context : calls_.context(thread.stack);
  ThreadState::Site& memo = thread.sites[(pc ^ (pc >> 6)) % thread.sites.size()];
  if (memo.pc != pc || memo.context != context) memo = {pc, context, calls_.child(context, pc)};
  return memo.site;
}

// None where it would have to be looked up in the tree.
inline ContextId RaceCheck::known_site(const ThreadState& thread, Address pc) const noexcept {
  const Frame* top = thread.stack.top();
  if (top == thread.stack.base()) return ContextId::none;
  const ThreadState::Site& memo = thread.sites[(pc ^ (pc >> 6)) % thread.sites.size()];
  return memo.pc == pc && memo.context == top[-1].context ? memo.site : ContextId::none;
}

bool RaceCheck::before(ThreadState& thread, StrandId past) {
  StrandId& memo = thread.ordered[number(past) % thread.ordered.size()];
  if (memo == past) return true;
  if (!order::happens_before(tables_, past, constructs::position(*thread.task))) return false;
  memo = past;
  return true;
}

// Remembers the answer for as long as the strand runs, so it may be outdated where the strand has learned of more since
// then: good enough to decide what gives way, not to call something a race.
bool RaceCheck::still_concurrent(ThreadState& thread, StrandId past) {
  ThreadState::Concurrent& memo = thread.concurrent[number(past) % thread.concurrent.size()];
  if (memo.past == past && memo.now == thread.strand) return true;
  if (before(thread, past)) return false;
  memo = {past, thread.strand};
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

inline bool RaceCheck::told(const ThreadState& thread, Address granule, std::uint64_t need) const noexcept {
  const std::uint64_t mine = Cell::strand_part(thread.strand);
  const Cell first(shadow_.cell(0, granule).load(std::memory_order_relaxed));
  if (first.tells(mine, need)) return true;
  for (unsigned i = 1; i <= first.further(); ++i)
    if (Cell(shadow_.cell(i, granule).load(std::memory_order_relaxed)).tells(mine, need)) return true;
  return false;
}

// The granule tells of nothing that still matters, or of this strand only: true when the access is recorded. Nearly all
// accesses of a program that streams through its data end here, so it costs no locked instruction, but for a strand's
// first accesses: threads leave a barrier together, and two that record their only access to a variable at the same
// moment must see each other. Later, such a moment loses at most one of two accesses that are nanoseconds apart.
inline bool RaceCheck::record_alone(ThreadState& thread, Address granule, Cell now) noexcept {
  std::atomic<std::uint64_t>& first = shadow_.cell(0, granule);
  std::uint64_t seen = first.load(std::memory_order_acquire);
  const Cell cell(seen);
  const unsigned further = cell.further();
  if (cell.mask() == 0 || cell.older_than(thread.horizon)) {
    for (unsigned i = 1; i <= further; ++i)
      if (!Cell(shadow_.cell(i, granule).load(std::memory_order_acquire)).older_than(thread.horizon)) return false;
    // Where parts of a granule are used one by one, the second cell will soon be needed again.
    if (now.mask() != 0xff) now = now.with_further(further);
  } else {
    if (cell.strand() != now.strand() || further > 1) return false;
    const bool covering = (cell.mask() & now.mask()) == cell.mask() && covers(now.kind(), cell.kind());
    if (further == 0 && (covering || (cell.kind() == now.kind() && cell.site() == now.site()))) {
      now = now.with_mask(static_cast<std::uint8_t>(cell.mask() | now.mask()));
    } else { // in place of the first cell its place would be lost
      std::atomic<std::uint64_t>& second = shadow_.cell(1, granule);
      if (thread.careful != 0) return false;
      if (further == 1 && !Cell(second.load(std::memory_order_acquire)).older_than(thread.horizon)) return false;
      shadow_.touch(1);
      second.store(now.raw(), std::memory_order_release);
      if (further == 0) first.store(cell.with_further(1).raw(), std::memory_order_release);
      return true;
    }
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

void RaceCheck::record_row(ThreadState& thread, Address first, std::size_t count, Kind kind, ContextId site) {
  constexpr std::uint8_t all = 0xff;
  const Cell now(thread.strand, site, kind, all);
  const std::uint64_t mine = Cell::strand_part(thread.strand), need = Cell::need(kind, all);
  const std::uint64_t horizon = Cell::strand_part(thread.horizon);
  while (count > 0) {
    const std::size_t here = std::min(count, shadow_.neighbours(first));
    std::size_t done = row_.told(shadow_.row(0, first), here, mine, need);
    // A strand's first accesses are recorded one by one, by compare-and-swap (record_alone).
    if (done == 0 && thread.careful == 0) done = row_.record(shadow_.row(0, first), here, horizon, now);
    for (unsigned plane = 1; done == 0 && plane < Shadow::planes && shadow_.touched(plane); ++plane)
      done = row_.told(shadow_.row(plane, first), here, mine, need);
    if (done == 0) {
      record(thread, first, all, kind, site);
      done = 1;
    }
    first += done * 8;
    count -= done;
  }
}

// FastTrack's rules on the cells of a granule that several strands touched.
void RaceCheck::record_among_others(ThreadState& thread, Address granule, Cell now) {
  const std::uint8_t mask = now.mask();
  const Kind kind = now.kind();
retry:
  std::uint64_t seen[Shadow::planes];
  int slot = -1;     // where the access goes
  bool keep = false; // an own cell already says it
  unsigned used = 1; // planes in use
  unsigned live = 0; // the last plane that has something to say
  Cell stored = now;
  for (unsigned i = 0; i < used; ++i) {
    seen[i] = shadow_.cell(i, granule).load(std::memory_order_acquire);
    const Cell cell(seen[i]);
    if (i == 0) used = 1 + cell.further();
    if (cell.mask() == 0 || cell.older_than(thread.horizon)) {
      if (slot < 0) slot = static_cast<int>(i);
      continue;
    }
    const unsigned live_before = std::exchange(live, i);
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
    const Verdict verdict = conflicts                                 ? judge(thread, cell, granule)
                            : still_concurrent(thread, cell.strand()) ? Verdict::harmless
                                                                      : Verdict::ordered;
    if (verdict == Verdict::race) report(thread, granule, cell, now);
    // What comes before this access and is covered by it says nothing more about the future. A reported race is said.
    if (!replaceable || verdict == Verdict::harmless) continue;
    if (stored == now && (slot < 0 || slot > static_cast<int>(i)))
      slot = static_cast<int>(i);
    else if (i != 0 && shadow_.cell(i, granule).compare_exchange_strong(seen[i], 0, std::memory_order_acq_rel))
      live = live_before;
  }
  if (keep) return;
  if (slot < 0 && used < Shadow::planes) {
    slot = static_cast<int>(used);
    seen[slot] = shadow_.cell(used, granule).load(std::memory_order_acquire);
  }
  if (slot < 0) {
    // All cells tell of accesses that still matter. A read gives way, and goes unrecorded rather than push out a write:
    // a later write meets the reads that are there. Among writes to different bytes, the place changes with the strand.
    if (kind == Kind::write || kind == Kind::atomic_write)
      slot = 1 + static_cast<int>(number(thread.strand) % (Shadow::planes - 1));
    for (unsigned i = 1; i < Shadow::planes; ++i) {
      const Kind there = Cell(seen[i]).kind();
      if (there == Kind::atomic_read || (there == Kind::read && kind != Kind::atomic_read)) slot = static_cast<int>(i);
    }
    if (slot < 0) return;
  }
  // Another thread may record its access at this moment: then both must look again, or a race could be lost. Every
  // change is validated by the first cell, which tells how many of the other planes count.
  if (slot != 0) {
    const auto plane = static_cast<unsigned>(slot);
    shadow_.touch(plane);
    if (!shadow_.cell(plane, granule).compare_exchange_strong(seen[slot], stored.raw(), std::memory_order_acq_rel))
      goto retry;
    stored = Cell(seen[0]);
    live = std::max(live, plane);
    if (stored.further() >= plane && shadow_.cell(0, granule).load(std::memory_order_acquire) == seen[0]) return;
  }
  if (!shadow_.cell(0, granule)
           .compare_exchange_strong(seen[0], stored.with_further(live).raw(), std::memory_order_acq_rel))
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

// What a program does that goes through its data for the first time since a barrier ends in the first half of this: a
// strand is open, the place is known, and nobody else has been there.
void RaceCheck::check(ThreadState& thread, Address granule, std::uint8_t mask, Kind kind, Address pc) {
  if (told(thread, granule, Cell::need(kind, mask))) return;
  if (thread.strand != StrandId::none) [[likely]] {
    const ContextId site = known_site(thread, pc);
    if (site != ContextId::none) [[likely]] {
      thread.touch_stack(granule);
      if (record_alone(thread, granule, Cell(thread.strand, site, kind, mask))) return;
    }
  }
  if (thread.in_checker) return;
  const InChecker inside(thread);
  if (begin_access(thread, granule)) record(thread, granule, mask, kind, site(thread, pc));
}

void check_granule(ThreadState& thread, Address granule, std::uint8_t mask, Kind kind, Address pc) {
  if (thread.races != nullptr) thread.races->check(thread, granule, mask, kind, pc);
}

void check_pair(ThreadState& thread, Address granule, Kind kind, Address pc) {
  if (thread.races == nullptr) return;
  thread.races->check(thread, granule, 0xff, kind, pc);
  thread.races->check(thread, granule + 8, 0xff, kind, pc);
}

void check_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  if (thread.off > 0 || size == 0 || thread.in_checker) return;
  const InChecker inside(thread);
  if (!begin_access(thread, address)) return;
  RaceCheck& races = *thread.races;
  const ContextId site = races.site(thread, pc);
  const Address end = address + size;
  Address granule = address & ~Address{7};
  if (granule < address || end - granule < 8) { // the first granule in part
    const Address last = std::min(end - granule, Address{8});
    races.record(thread, granule, static_cast<std::uint8_t>((1u << last) - (1u << (address - granule))), kind, site);
    granule += 8;
    if (granule >= end) return;
  }
  const std::size_t whole = (end - granule) / 8;
  races.record_row(thread, granule, whole, kind, site);
  granule += whole * 8;
  if (granule < end) // the last one in part
    races.record(thread, granule, static_cast<std::uint8_t>((1u << (end - granule)) - 1), kind, site);
}

} // namespace fletcher::access
