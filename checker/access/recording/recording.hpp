// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of recording an access that its short and its long ways share: which cells a granule has, what those of the
// strand itself come to, where in the code it is, and how the first cell is stored. Inlined: check.cpp's short ways
// need no stack frame.
#pragma once

#include "checker/access/check.hpp"
#include "checker/access/race_check.hpp"
#include "checker/constructs/strand.hpp"

namespace fletcher::access {

/// One cell may record both accesses of a strand, though they are at two places: each byte keeps its own.
constexpr bool may_stand_beside(Cell now, Cell cell) noexcept {
  return now.kind() == cell.kind() && !is_atomic(now.kind());
}

/// A loop has several such pairs: each is remembered in one of two slots.
constexpr Address other_slot = 0x55;

// A cell of `now` and of what `cell`, of the same strand and kind, records of other bytes, if the thread has asked for
// it before (with_place_beside): no bytes where it has not, `now` where there is none.
[[gnu::always_inline]] inline Cell RaceCheck::with_known_place_beside(ThreadState& thread, Cell cell,
                                                                      Cell now) noexcept {
  const Address key = CallTree::key_of_both(cell.mask(), now.site(), now.mask());
  const auto is_it = [&](const ThreadState::Site& memo) { return memo.pc == key && memo.context == cell.site(); };
  const ThreadState::Site* memo = &thread.remembered_both(key, cell.site());
  if (!is_it(*memo)) memo = &thread.remembered_both(key + other_slot, cell.site());
  if (!is_it(*memo)) return {};
  if (memo->site == ContextId::none) return now;
  return {now.strand(), memo->site, now.kind(), static_cast<std::uint8_t>(cell.mask() | now.mask())};
}

// What the strand did before comes first: all of it together may cover what others did.
[[gnu::always_inline]] inline RaceCheck::Own RaceCheck::own_cells(const std::uint64_t* cells, unsigned used,
                                                                  Cell now) const noexcept {
  Own own{.wide = now.mask()}; // not in `now`: gcc 12 stores that byte by byte and reads it back as a whole
  for (unsigned i = 0; i < used; ++i) {
    const Cell cell(cells[i]);
    if (cell.strand() != now.strand()) continue;
    if (cell.tells(Cell::strand_part(now.strand()), Cell::need(now.kind(), static_cast<std::uint8_t>(own.wide)))) {
      own.tell = true;
      return own;
    }
    const bool covered = (cell.mask() & ~own.wide) == 0 && covers(now.kind(), cell.kind());
    if (covered || same_place(now, cell)) {
      own.wide |= cell.mask();
    } else { // another part, or a stronger access: in its place its site would be lost
      if (own.beside == Shadow::planes && may_stand_beside(now, cell))
        own.beside = i;
      else
        own.kept |= 1u << i;
      own.told |= bytes_by_kind(cell);
    }
  }
  own.told |= own.wide * covered_kinds[static_cast<unsigned>(now.kind())];
  return own;
}

inline Found RaceCheck::look(Address granule) const noexcept {
  Found found;
  found.cells[0] = shadow_.cell(0, granule).load(std::memory_order_acquire);
  found.used = 1 + Cell(found.cells[0]).further();
  for (unsigned i = 1; i < found.used; ++i) found.cells[i] = shadow_.cell(i, granule).load(std::memory_order_acquire);
  return found;
}

// Before any of the cells is written: who sweeps shadow memory looks at what is filled only (Shadow::each_cell).
[[gnu::always_inline]] inline void RaceCheck::fill(Address address, std::size_t count, bool may_look) noexcept {
  const std::uint64_t* const cells = shadow_.row(0, address);
  const bool is_used = may_look && count == 1 && __atomic_load_n(cells, __ATOMIC_RELAXED) != 0;
  if (!is_used && !shadow_.filled(cells, count)) [[unlikely]]
    shadow_.fill(address, count);
}

// A cell of a joint strand records several strands' accesses.
template <class Each> void RaceCheck::each_reader(Cell cell, Each each) const {
  if (!tables_.is_joint(cell.strand())) return each(cell);
  const order::Joint& readers = tables_.joint_of(cell.strand());
  for (std::uint32_t i = 0; i < readers.count; ++i)
    if (const auto bytes = static_cast<std::uint8_t>(readers.bytes[i] & cell.mask()); bytes != 0)
      each(Cell(readers.strands[i], cell.site(), cell.kind(), bytes));
}

// The cell is of a read at the same line by the strand itself or one of its twins, or of several of them (join_twins).
[[gnu::always_inline]] inline bool RaceCheck::is_by_twin(const ThreadState& thread, Cell cell, Cell now) noexcept {
  return same_line(now, cell) &&
         (thread.alike.has(cell) || cell.strand() == thread.joint_reads.of_twins(thread.alike.first()));
}

// A cell of two places (together) records two accesses.
template <class Each> void RaceCheck::each_place(Cell cell, std::uint8_t bytes, Each each) const {
  const CallTree::Both places = calls_.places(cell.site());
  if (places.bytes_of_second == 0) return each(cell);
  const auto met = static_cast<std::uint8_t>(cell.mask() & bytes),
             of_second = static_cast<std::uint8_t>(met & places.bytes_of_second);
  const auto of_first = static_cast<std::uint8_t>(met & ~places.bytes_of_second);
  if (of_second != 0) each_place(Cell(cell.strand(), places.second, cell.kind(), of_second), bytes, each);
  if (of_first != 0) each_place(Cell(cell.strand(), places.first, cell.kind(), of_first), bytes, each);
}

// None where it would have to be looked up in the tree, or where more than one function was entered since the last
// recorded access.
[[gnu::always_inline]] inline ContextId RaceCheck::known_site(ThreadState& thread, Address pc) noexcept {
  Frame* const top = thread.stack.top();
  if (top == thread.stack.base()) return ContextId::none;
  ContextId context = top[-1].context;
  if (context == ContextId::none) { // a function's first recorded access
    const bool outermost = top - 1 == thread.stack.base();
    const ContextId caller = outermost ? thread.stack.root() : top[-2].context;
    const ThreadState::Site& memo = thread.remembered(top[-1].pc, caller);
    if (memo.pc != top[-1].pc || memo.context != caller || (caller == ContextId::none && !outermost))
      return ContextId::none;
    top[-1].context = context = memo.site;
  }
  const ThreadState::Site& memo = thread.remembered(pc, context);
  return memo.pc == pc && memo.context == context ? memo.site : ContextId::none;
}

/// To write an access of the running strand, in a section of a lock, over `past` would lose that this was in none: who
/// takes the same lock races with it alone.
inline bool is_less_protected(const ThreadState& thread, Cell past) noexcept {
  return thread.in_section && thread.tables->lockset_of(past.strand()) == LocksetId::empty;
}

// As far as the thread remembers it, or its clock says so. What is concurrent is remembered, too.
[[gnu::always_inline]] inline bool RaceCheck::comes_before_at_once(ThreadState& thread, StrandId past) noexcept {
  return thread.known_before(past) || thread.races->is_found_before(thread, past);
}

// The same line of code, where it stands in a deeper recursion too. A call here would give the short ways into shadow
// memory (check.cpp) a stack frame.
[[gnu::always_inline]] inline bool RaceCheck::same_place(Cell now, Cell cell) const noexcept {
  return same_line(now, cell) || (now.kind() == cell.kind() && calls_.pc(now.site()) == calls_.pc(cell.site()));
}

// Stores the first cell, in which `seen` was found. No locked instruction is needed, except for a strand's first
// accesses and a thread's first one at a place: threads leave a barrier together, and two that record their only access
// to a variable at the same moment must see each other. Later, such a moment loses at most one of two accesses that are
// nanoseconds apart. False where another thread changed the granule meanwhile: recording an access changes the
// first cell, last of all.
[[gnu::always_inline]] inline bool RaceCheck::put(ThreadState& thread, std::uint64_t* first, std::uint64_t seen,
                                                  Cell now) noexcept {
  if (thread.careful == 0) [[likely]] {
    __atomic_store_n(first, now.raw(), __ATOMIC_RELEASE);
    return true;
  }
  if (!__atomic_compare_exchange_n(first, &seen, now.raw(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
  --thread.careful;
  return true;
}

// False where the order of strands has to be asked for, or further cells are in use. What decide() in record.cpp does,
// for the frequent cases: nothing that still matters is recorded; or less of the same; or the access of a strand that
// is known to come before, as everywhere after a join; or another one of this strand. False, too, where the shadow has
// to be filled first.
[[gnu::always_inline]] inline bool RaceCheck::record_first(ThreadState& thread, std::uint64_t* cells,
                                                           Cell now) noexcept {
  const std::uint64_t seen = __atomic_load_n(cells, __ATOMIC_ACQUIRE);
  if (seen == 0 && !thread.races->shadow_.filled(cells, 1)) return false;
  Cell first(seen);
  bool beside = false;
  if (!all_dead(first, thread.horizon)) {
    if (first.further() != 0) return false;
    if (first.strand() == now.strand()) {
      beside = !covering(now, first) && !thread.races->same_place(now, first);
      if (!beside) {
        now = widened(now, first);
      } else if (may_stand_beside(now, first)) {
        const Cell both = with_known_place_beside(thread, first, now);
        if (both == Cell()) return false;
        beside = both == now;
        now = both;
      }
    } else {
      const bool before = thread.known_before(first.strand());
      if (!before && (first.mask() & now.mask()) != 0) return false;
      if (before) first = without(first, now);
      beside = first.mask() != 0;
    }
  }
  if (beside) {
    thread.races->shadow_.touch(1);
    __atomic_store_n(cells + thread.plane_distance, first.raw(), __ATOMIC_RELEASE);
    now = now.with_further(1);
  }
  return put(thread, cells, seen, now);
}

// The same, and: one further cell is in use, and this access is more of what the first one records, or covers it where
// it is of a strand that is known to come before. So tasks go on where others wrote and then read.
[[gnu::always_inline]] inline bool RaceCheck::record_known(ThreadState& thread, std::uint64_t* cells,
                                                           Cell now) noexcept {
  const Cell first(__atomic_load_n(cells, __ATOMIC_ACQUIRE));
  if (first.further() == 0 || first.older_than(thread.horizon)) return record_first(thread, cells, now);
  if (first.further() != 1) return false;
  const bool goes_on = first.strand() == now.strand();
  if (!goes_on && (!covering(now, first) || !thread.known_before(first.strand()))) return false;
  if (goes_on && !same_line(now, first)) {
    if (!may_stand_beside(now, first) || covering(now, first)) return false;
    const Cell both = with_known_place_beside(thread, first, now);
    if (both == Cell() || both == now) return false;
    now = both;
  }
  const Cell other(__atomic_load_n(cells + thread.plane_distance, __ATOMIC_ACQUIRE));
  const bool own = other.strand() == now.strand();
  if (own && !goes_on) return false;
  const bool ordered = own || thread.known_before(other.strand());
  const bool over = dead(other, thread.horizon);
  if (!over && !ordered && (other.mask() & now.mask()) != 0) return false;
  now = widened(now, first);
  return put(thread, cells, first.raw(), now.with_further(over || (ordered && covering(now, other)) ? 0 : 1));
}

// The same, but a read that the first two cells record, by whomever it was, is not recorded.
[[gnu::always_inline]] inline bool RaceCheck::told_or_recorded(ThreadState& thread, std::uint64_t* cells,
                                                               Cell now) noexcept {
  if (now.kind() == Kind::read && told_of_read(thread, cells, Cell::need(Kind::read, now.mask()))) return true;
  return record_known(thread, cells, now);
}

} // namespace fletcher::access
