// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cell of a full granule makes room for an access: two that one can stand for are joined, or one gives way.
// Relies on record.cpp, which asks where the access takes the first cell and that still matters.
#include "checker/access/recording/recording.hpp"

#include <bit>

namespace fletcher::access {

// The access takes the first cell, and what that records still matters: it goes to another one, or the access does.
// `mask`: what is accessed now; `now` stands for more.
void RaceCheck::make_room(ThreadState& thread, const Found& found, std::uint8_t mask, Cell& now, unsigned& kept,
                          Change& change) {
  unsigned to = static_cast<unsigned>(std::countr_one(kept));
  if (to == Shadow::planes) to = told_twice(found, now);
  if (to == Shadow::planes) {
    if (join(thread, found, change)) {
      to = change.joined_from == 0 ? Shadow::planes : change.joined_from;
      change.trims &= ~(1u << change.joined | 1u << change.joined_from);
      change.alike = false;
    } else if (to = own_part(found, now); to < Shadow::planes) {
      now = together(Cell(found.cells[to]), now);
      change.alike = false; // elsewhere the cell may be of another place
    } else {
      to = give_way(found, now);
      if (to <= Shadow::planes && loses_write(found, to, now.with_mask(mask))) prediction_.log().lose();
    }
  }
  change.moved = to % Shadow::planes;
  change.nothing = change.unrecorded = to > Shadow::planes;
  kept |= 1u << change.moved;
}

// All cells are in use, but one records reads by tasks of which other cells record later ones that stand for them
// (renew_first), or this access does: that cell. Shadow::planes where there is none.
unsigned RaceCheck::told_twice(const Found& found, Cell now) const noexcept {
  const auto chain = [&](Cell cell) { return tables_.block_of(cell.strand()).chain; };
  const auto stands_for = [&](Cell later, Cell earlier, bool elsewhere) {
    if (earlier.kind() != later.kind() || !covering(later, earlier)) return false;
    if (earlier.strand() == later.strand()) return elsewhere || same_line(earlier, later);
    return number(earlier.strand()) < number(later.strand()) && chain(earlier) == chain(later);
  };
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    const bool several = tables_.is_joint(cell.strand());
    bool all = !writes(cell.kind());
    each_reader(cell, [&](Cell earlier) {
      bool told = several && stands_for(now, earlier, true);
      for (unsigned more = 0; all && !told && more < found.used; ++more)
        if (more != i)
          each_reader(Cell(found.cells[more]), [&](Cell later) { told = told || stands_for(later, earlier, several); });
      all = all && told;
    });
    if (all) return i;
  }
  return Shadow::planes;
}

// Too few cells for all: two of one strand that comes before this one may be joined, which are recorded with others
// only, if at all. Of the same kind and as near as possible in the code: the same two again, then, as elsewhere.
// Whether there are such.
bool RaceCheck::join(const ThreadState& thread, const Found& found, Change& change) const noexcept {
  Address nearest = ~Address{0};
  for (unsigned to = 1; to < found.used; ++to)
    for (unsigned from = 0; from < to; ++from) {
      const Cell a(found.cells[from]), b(found.cells[to]);
      if (a.strand() != b.strand() || a.kind() != b.kind() || !thread.known_before(a.strand())) continue;
      const Address here = calls_.pc(a.site()), there = calls_.pc(b.site());
      const Address distance = there < here ? here - there : there - here;
      if (distance >= nearest) continue;
      nearest = distance;
      change.joined = to, change.joined_from = from;
    }
  return change.joined != 0;
}

// One cell in place of two of one strand and kind. Each byte keeps its place.
Cell RaceCheck::together(Cell first, Cell second) noexcept {
  const auto bytes = static_cast<std::uint8_t>(first.mask() | second.mask());
  if (first.site() == second.site()) return second.with_mask(bytes);
  const ContextId both = calls_.both(first.site(), first.mask(), second.site(), second.mask());
  return {second.strand(), both != ContextId::none ? both : second.site(), second.kind(), bytes};
}

// The same for an access and for what its strand did to other bytes at another place, as far as there are not too many
// such pairs; else `now`.
Cell RaceCheck::with_place_beside(ThreadState& thread, Cell cell, Cell now) noexcept {
  constexpr std::uint32_t most = 1 << 16;
  constexpr Address mark = CallTree::key_of_both(0, ContextId::none, 0);
  if (const Cell known = with_known_place_beside(thread, cell, now); known != Cell()) return known;
  // A copy for a reduction and what lies beside it are judged each by itself.
  const bool may = calls_.boths() < most && !any_copies_.load(std::memory_order_relaxed);
  const ContextId both = may ? calls_.both(cell.site(), cell.mask(), now.site(), now.mask()) : ContextId::none;
  const Address key = CallTree::key_of_both(cell.mask(), now.site(), now.mask());
  ThreadState::Site &one = thread.remembered_both(key, cell.site()),
                    &other = thread.remembered_both(key + other_slot, cell.site());
  // Rather in place of another pair than of a place of its own, which would come back.
  const auto is_free = [](const ThreadState::Site& memo) { return memo.pc == 0 || (memo.pc & mark) != 0; };
  const bool first = is_free(one) && (!is_free(other) || one.pc == 0 || (other.pc != 0 && (key >> 32 & 1) != 0));
  (first ? one : other) = {key, cell.site(), both};
  return with_known_place_beside(thread, cell, now);
}

// The same for a cell of this strand and the access itself: the cell; Shadow::planes where there is none.
unsigned RaceCheck::own_part(const Found& found, Cell now) const noexcept {
  unsigned best = Shadow::planes;
  Address nearest = ~Address{0};
  const Address pc = calls_.pc(now.site());
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (cell.strand() != now.strand() || cell.kind() != now.kind()) continue;
    const Address there = calls_.pc(cell.site()), distance = there < pc ? pc - there : there - pc;
    if (distance < nearest) {
      nearest = distance;
      best = i;
    }
  }
  return best;
}

// All of what was written has been written again by the last one there: nobody will read it.
bool RaceCheck::overwritten(const Found& found, Cell cell) noexcept {
  const Cell last(found.cells[0]);
  return writes(last.kind()) && last != cell && (cell.mask() & ~last.mask()) == 0;
}

// The cell that gives way is of a write of which somebody may still read something. Who reads what `now` wrote depends
// on what was there before, too: that was noted.
bool RaceCheck::loses_write(const Found& found, unsigned to, Cell now) noexcept {
  const Cell lost(found.cells[to % Shadow::planes]);
  const bool noted = (writes(now.kind()) && (lost.mask() & ~now.mask()) == 0) || overwritten(found, lost);
  return writes(lost.kind()) && !noted;
}

// All cells record accesses that still matter, and of other strands or kinds: which one is dropped? One that another
// strand made at the same line, so that each line is recorded as long as possible. Else a read gives way, and goes
// unrecorded rather than push out a write: a later write meets the reads that are there. Among writes to different
// bytes, the place changes with the strand. 0 and `planes` drop the first cell, more than that the new access.
unsigned RaceCheck::give_way(const Found& found, Cell now) const noexcept {
  const auto alike = [&](Cell a, Cell b) {
    return same_line(a, b) && a.mask() == b.mask() && !tables_.is_joint(a.strand());
  };
  for (const unsigned i : {3U, 2U, 1U, Shadow::planes}) {
    const Cell cell(found.cells[i % Shadow::planes]);
    if (writes(cell.kind()) && !writes(now.kind()) && !overwritten(found, cell)) continue; // somebody may read it
    if (alike(cell, now)) return i;
    for (unsigned other = 0; other < i % Shadow::planes; ++other)
      if (alike(cell, Cell(found.cells[other]))) return i;
  }
  for (const unsigned i : {3U, 2U, 1U, Shadow::planes}) {
    const Kind there = Cell(found.cells[i % Shadow::planes]).kind();
    if (there == Kind::atomic_read || (there == Kind::read && now.kind() != Kind::atomic_read)) return i;
  }
  return writes(now.kind()) ? 1 + number(now.strand()) % (Shadow::planes - 1) : Shadow::planes + 1;
}

} // namespace fletcher::access
