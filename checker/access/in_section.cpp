// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in sections of locks, in granules where others hold the same locks: nothing races, and each section is met
// by the next one. So who comes before whom is not asked: an access takes the place of an earlier one of its task, or a
// cell of its own. Relies on give_way() of make_room.cpp.
#include "checker/access/recording.hpp"

#include <bit>

namespace fletcher::access {

bool RaceCheck::check_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (thread.has_to_remember(granule)) return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  return thread.races->record_in_section(thread, granule,
                                         Cell(thread.strand(), place, Cell(need).kind(), Cell(need).mask()));
}

// What decide() does where nothing that the access meets conflicts with it, but for what is known to come before, or
// was done under the same locks. False where it has to decide.
bool RaceCheck::record_in_section(ThreadState& thread, Address granule, Cell now) {
  if (!thread.in_section) return false;
  const Found found = look(granule);
  const Cell first(found.cells[0]);
  if (all_dead(first, thread.horizon) || first.is_crowd()) return false;
  const Own mine = own_cells(found.cells, found.used, now);
  if (mine.tell) return true;
  now = now.with_mask(static_cast<std::uint8_t>(mine.wide));
  Cell all = now;
  if (mine.beside < found.used) {
    all = with_known_place_beside(thread, Cell(found.cells[mine.beside]), now);
    if (all == Cell() || all == now) return false;
  }
  const order::StrandTables::Holding own = tables_.holding(now.strand());
  unsigned kept = mine.kept, written = 0, of_task = Shadow::planes;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
    const order::StrandTables::Holding past = tables_.holding(cell.strand());
    const bool comes_before = past.chain == own.chain;
    if (comes_before && covering(now, cell)) {
      of_task = i;
      continue;
    }
    kept |= 1u << i;
    if ((cell.mask() & now.mask()) == 0 || comes_before) continue;
    if (conflict(cell.kind(), now.kind()) && past.lockset != own.lockset && !thread.known_before(cell.strand()))
      return false;
    if (writes(cell.kind())) written |= 1u << i;
  }
  const bool full = kept == (1u << Shadow::planes) - 1;
  const unsigned to = full ? give_way_in_section(thread, found, all) : static_cast<unsigned>(std::countr_one(kept));
  if (to > Shadow::planes) return false;

  // Whoever wrote all of it last of all wrote what is read; else each is taken for that one.
  if ((written & 1) != 0 && (now.mask() & ~first.mask()) == 0) written = 1;
  for (; written != 0; written &= written - 1)
    read_from(thread, now.strand(), Cell(found.cells[std::countr_zero(written)]).strand());
  thread.last_in_section = granule;
  if ((kept & 1) != 0) {
    if (of_task < Shadow::planes && !writes(now.kind()) && all == now) { // who reads next looks at the first cell
      shadow_.cell(of_task, granule).store(now.raw(), std::memory_order_release);
      return true;
    }
    if (to % Shadow::planes != 0) {
      shadow_.touch(to);
      shadow_.cell(to, granule).store(first.with_further(0).raw(), std::memory_order_release);
      kept |= 1u << to;
    }
  }
  return put(thread, shadow_.row(0, granule), first.raw(), all.with_further(further_of(kept)));
}

// Where all cells are in use, each by an access under the same locks, one of them gives way, as decide() would have it
// that has asked. Of one, by turns, it is asked whether it comes before, so that those which do are found. More than
// Shadow::planes where decide() has to look.
unsigned RaceCheck::give_way_in_section(ThreadState& thread, const Found& found, Cell now) {
  constexpr unsigned none = Shadow::planes + 1;
  const LocksetId locks = tables_.lockset_of(now.strand());
  for (const std::uint64_t raw : found.cells)
    if (const Cell cell(raw); cell.strand() == now.strand() || tables_.lockset_of(cell.strand()) != locks)
      return none;
  const unsigned turn = number(now.strand()) / order::StrandTables::strands_per_block % Shadow::planes;
  if (!still_concurrent(thread, Cell(found.cells[turn]).strand())) return none;
  const unsigned to = give_way(found, now);
  return to > Shadow::planes || loses_write(found, to, now) ? none : to;
}

} // namespace fletcher::access
