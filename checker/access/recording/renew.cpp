// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task goes on reading after it took or left a lock, or told others what it had done (by an atomic operation, by
// creating a task). It goes on in a new strand, which has to record its reads anew: others come after the strand before
// that do not come after this one. So such a read is written over one like it, in its place, without asking who comes
// before whom.
#include "checker/access/recording/recording.hpp"

namespace fletcher::access {

namespace {

/// The cell of a read at the same line: it records all bytes that `now` does, or others record what else it does.
bool may_give_way(Cell cell, Cell now, std::uint8_t others) noexcept {
  return (now.mask() & ~cell.mask()) == 0 || (cell.mask() & ~now.mask() & ~others) == 0;
}

/// Between the numbers of a task's strands there are others.
bool same_task(const ThreadState& thread, Cell cell) noexcept {
  return thread.tables->block_of(cell.strand()).chain == thread.tables->block_of(thread.strand()).chain;
}

} // namespace

// What the strand read before and `now` become one cell.
bool RaceCheck::go_on(ThreadState& thread, Cell cell, Cell& now) const noexcept {
  if (!same_place(now, cell)) {
    const Cell both = may_stand_beside(now, cell) ? with_known_place_beside(thread, cell, now) : now;
    if (both == now || both == Cell()) return false;
    now = both;
  }
  now = widened(now, cell);
  return true;
}

// A read takes the place of one like it: of one that the same strand made at the same line; of one that an earlier
// strand of the task made, whose past is the same; or, where all cells are in use, of one that a later one of its task
// makes needless. Where that is not so it is a fifth one, of which one has to be lost: where tasks take turns, one at
// the same line, as long as no cell is known to have to give way to this read. Each thread then prefers a cell of its
// own: those who read the same memory by turns leave each other's cells, and their cache lines, alone. False where
// there is no such read, or where a question has to be asked.
bool RaceCheck::renew(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept {
  if (thread.has_to_remember(granule)) return false;
  const Kind kind = Cell(need).kind();
  const Found all = thread.races->look(granule);
  const auto& found = all.cells;
  const unsigned used = all.used;
  if (Cell(found[0]).older_than(thread.horizon)) return false;

  const auto noted = [&](Cell written) { // nothing conflicts, and what is read is said (note_reads)
    return is_atomic(kind) ? is_atomic(written.kind()) && thread.has_read_from(written.strand())
                           : comes_before_at_once(thread, written.strand());
  };
  unsigned of_strand = Shadow::planes, of_task = Shadow::planes;
  bool written = false;
  for (unsigned i = 0; i < used; ++i) {
    const Cell cell(found[i]);
    if (cell.strand() == thread.strand())
      of_strand = i;
    else if (const bool write = writes(cell.kind()); write && !noted(cell))
      return false;
    else if (write)
      written = true;
    else if (same_task(thread, cell) ? cell.strand() < thread.past_since : thread.known_before(cell.strand()))
      return false;
    else if (same_task(thread, cell) && covering(Cell(need), cell))
      of_task = i;
  }

  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  Cell now(thread.strand(), place, kind, Cell(need).mask());
  const bool full = used == Shadow::planes;
  // What else it records gives way to the read: other cells tell the same, or this one tells all that the read does.
  const auto told_beside = [&](unsigned plane) {
    unsigned bytes = 0;
    for (unsigned i = 0; i < used; ++i)
      if (i != plane && thread.races->same_place(now, Cell(found[i]))) bytes |= Cell(found[i]).mask();
    return static_cast<std::uint8_t>(bytes);
  };
  const auto gives_way = [&](unsigned plane) {
    const Cell cell(found[plane]);
    return may_give_way(cell, now, 0) || may_give_way(cell, now, told_beside(plane));
  };
  unsigned at = Shadow::planes;
  if (of_strand < used) {
    const Cell cell(found[of_strand]);
    if (!thread.races->go_on(thread, cell, now)) return false;
    at = of_strand;
  } else if (of_task < used) {
    at = of_task;
  } else if (full) {
    at = thread.races->told_twice(all, now);
    for (unsigned tries = 0; thread.by_turns() && tries < Shadow::planes - 1 && at == Shadow::planes; ++tries) {
      const unsigned i = 1 + (number(thread.id) + tries) % (Shadow::planes - 1);
      if (thread.races->same_place(now, Cell(found[i])) && gives_way(i) &&
          !thread.tables->is_joint(Cell(found[i]).strand()))
        at = i;
    }
  }
  if (at == Shadow::planes) return false;
  if (at == 0) return thread.races->renew_first(granule, found[0], now);
  thread.settled_at(granule) = {granule, found[0], written ? thread.turn : 0, static_cast<std::uint8_t>(at),
                                told_beside(at)};
  thread.races->shadow_.cell(at, granule).store(now.raw(), std::memory_order_release);
  return true;
}

// Everybody who reads the memory looks at the first cell. Where there is room, and somebody else reads, the task's own
// one before is moved from there to another cell, over which its next such reads are written (told_twice()).
bool RaceCheck::renew_first(Address granule, std::uint64_t found, Cell now) noexcept {
  const Cell first(found);
  unsigned further = first.further();
  if (further != 0 && further != Shadow::planes - 1 && first.strand() != now.strand()) {
    ++further;
    shadow_.touch(further);
    shadow_.cell(further, granule).store(first.with_further(0).raw(), std::memory_order_release);
  }
  return shadow_.cell(0, granule)
      .compare_exchange_strong(found, now.with_further(further).raw(), std::memory_order_acq_rel);
}

// What renew() has found out about the other cells holds as long as the first one is the same: recording an
// access changes that, except for such reads. So neither those cells, which other threads write, nor theirs are read.
bool RaceCheck::renew_settled(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept {
  const ThreadState::Settled& settled = thread.settled_at(granule);
  std::uint64_t* const cells = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cells, __ATOMIC_ACQUIRE));
  if (settled.granule != granule || settled.first != first.raw() || first.older_than(thread.horizon) ||
      (settled.turn != 0 && settled.turn != thread.turn))
    return false;
  std::uint64_t* const own = cells + settled.own * thread.plane_distance;
  const Cell cell(__atomic_load_n(own, __ATOMIC_RELAXED));
  if (cell.tells(Cell::strand_part(thread.strand()), need)) return true;
  const ContextId place = known_site(thread, pc);
  Cell now(thread.strand(), place, Cell(need).kind(), Cell(need).mask());
  if (place == ContextId::none) return false;
  if (cell.strand() == thread.strand()) {
    if (!thread.races->go_on(thread, cell, now)) return false;
  } else if (!same_task(thread, cell) || !covering(now, cell)) {
    const bool full = first.further() == Shadow::planes - 1;
    if (!full || !thread.by_turns() || !thread.races->same_place(now, cell) || !may_give_way(cell, now, settled.others))
      return false;
  }
  __atomic_store_n(own, now.raw(), __ATOMIC_RELEASE);
  return true;
}

} // namespace fletcher::access
