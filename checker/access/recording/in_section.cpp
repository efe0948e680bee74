// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in sections of locks, in granules where others hold the same locks: nothing races, and each section is met
// by the next one. So who comes before whom is not asked: an access takes the place of an earlier one of its task, or a
// cell of its own. So it is in units of work, too (meets_earlier_unit). Relies on give_way() of make_room.cpp.
#include "checker/access/recording/recording.hpp"

#include <bit>
#include <utility>

namespace fletcher::access {

namespace {
/// The same access, except for who made it.
bool is_like(Cell cell, Cell now) noexcept {
  return ((cell.raw() ^ now.raw()) & ~(Cell::strand_mask | Cell::further_mask)) == 0;
}
void put_again(std::uint64_t* cell, Cell now) noexcept {
  __atomic_store_n(cell, now.with_further(0).raw() | (__atomic_load_n(cell, __ATOMIC_RELAXED) & Cell::further_mask),
                   __ATOMIC_RELEASE);
}
} // namespace

// A task reads in section after section of a lock what others read and write in theirs. Where it finds its own read of
// the section before, that is all that has to be looked for: nobody has been there since, or only in such sections.
// Once prediction follows no sections any more, it need not know whose values these are.
bool RaceCheck::read_again_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept {
  if (!thread.in_late_section || Cell(need).kind() != Kind::read || thread.has_to_remember(granule)) return false;
  const order::StrandTables& tables = *thread.tables;
  std::uint64_t* const cells = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cells, __ATOMIC_ACQUIRE));
  const ContextId place = known_site(thread, pc);
  if (first.older_than(thread.horizon) || first.is_crowd() || place == ContextId::none) return false;
  const order::Holding own = tables.holding(thread.strand());
  const Cell now(thread.strand(), place, Kind::read, Cell(need).mask());
  std::uint64_t *mine = nullptr, *of_other_unit = nullptr;
  bool others_read = false;
  std::uint64_t* at = cells;
  for (unsigned left = first.further() + 1; left > 0; --left, at += thread.plane_distance) {
    const Cell cell(__atomic_load_n(at, __ATOMIC_ACQUIRE));
    const bool written = writes(cell.kind()) && (cell.mask() & now.mask()) != 0;
    if (!written && !is_like(cell, now)) continue;
    const order::Holding past = tables.holding(cell.strand());
    const bool earlier_unit = past.chain == own.chain && cell.strand() < thread.own_since;
    if (written && (earlier_unit || (past.chain != own.chain && past.lockset != own.lockset))) return false;
    if (written || past.lockset != own.lockset) continue;
    if (past.chain == own.chain && !earlier_unit) {
      mine = at;
      if (at == cells) break; // nobody has been there since
    } else if (earlier_unit && of_other_unit == nullptr) {
      of_other_unit = at;
    } else {
      others_read = true;
    }
  }
  if (mine == nullptr && others_read) mine = of_other_unit; // of what other units read something stays
  if (mine != nullptr) put_again(mine, now);
  return mine != nullptr;
}

// The same of a write, which is recorded in the first cell.
bool RaceCheck::write_again_in_section(ThreadState& thread, Address granule, Cell now) noexcept {
  std::uint64_t* const cell = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  const order::StrandTables& tables = *thread.tables;
  if (!thread.in_late_section || !is_like(first, now) || first.is_crowd() ||
      thread.races->has_kept(granule, first.raw(), now) ||
      tables.holding(first.strand()) != tables.holding(now.strand()))
    return false;
  thread.met_earlier_units += first.strand() < thread.own_since ? 1 : 0;
  put_again(cell, now);
  return true;
}

// What begins a section.
bool RaceCheck::made_again_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept {
  if (Cell(need).kind() == Kind::read) return read_again_in_section(thread, granule, need, pc);
  const ContextId place = known_site(thread, pc);
  return place != ContextId::none &&
         write_again_in_section(thread, granule, Cell(thread.strand(), place, Cell(need).kind(), Cell(need).mask()));
}

bool RaceCheck::check_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (thread.has_to_remember(granule) || thread.in_checker) return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  const Cell now(thread.strand(), place, Cell(need).kind(), Cell(need).mask());
  return write_again_in_section(thread, granule, now) || thread.races->record_in_section(thread, granule, now);
}

// What judge() has to say of accesses under the same locks in two units of work of the thread: the earlier one gives
// way, unless the thread may have found memory of its own there, and itself by what it reads. Then it has to be judged.
bool RaceCheck::meets_earlier_unit(ThreadState& thread, StrandId past, Kind now, Address granule) {
  if (!writes(now)) {
    const bool inside = std::exchange(thread.in_checker, true), shared = shared_by_team(thread, past, granule);
    thread.in_checker = inside;
    if (!shared) return false;
  }
  ++thread.met_earlier_units;
  return true;
}

// What decide() does where nothing that the access meets conflicts with it, except for what is known to come before, or
// was done under the same locks. False where it has to decide.
bool RaceCheck::record_in_section(ThreadState& thread, Address granule, Cell now) {
  if (!thread.in_any_section()) return false;
  const Found found = look(granule);
  const Cell first(found.cells[0]);
  if (all_dead(first, thread.horizon) || first.is_crowd() || has_kept(granule, first.raw(), now)) return false;
  const Own mine = own_cells(found.cells, found.used, now);
  if (mine.tell) return true;
  now = now.with_mask(static_cast<std::uint8_t>(mine.wide));
  Cell all = now;
  if (mine.beside < found.used) {
    all = with_known_place_beside(thread, Cell(found.cells[mine.beside]), now);
    if (all == Cell() || all == now) return false;
  }
  const order::Holding own = tables_.holding(now.strand());
  unsigned kept = mine.kept, written = 0, of_task = Shadow::planes;
  bool kept_of_other_unit = false;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
    const order::Holding past = tables_.holding(cell.strand());
    const bool of_thread = past.chain == own.chain, comes_before = of_thread && cell.strand() >= thread.own_since;
    const bool covered = covering(now, cell);
    if (comes_before && covered && past.lockset != LocksetId::empty) {
      of_task = i;
      continue;
    }
    const bool conflicts = (cell.mask() & now.mask()) != 0 && conflict(cell.kind(), now.kind());
    if (conflicts && !comes_before && past.lockset != own.lockset && !thread.known_before(cell.strand())) return false;
    if (of_thread && !comes_before && past.lockset == own.lockset) { // of an earlier unit of work
      if (conflicts && !meets_earlier_unit(thread, cell.strand(), now.kind(), granule)) return false;
      // As decide() has it: of the reads one stays.
      if (covered && (conflicts || std::exchange(kept_of_other_unit, true))) {
        of_task = i;
        continue;
      }
    }
    kept |= 1u << i;
    if ((cell.mask() & now.mask()) == 0 || comes_before) continue;
    if (writes(cell.kind())) written |= 1u << i;
  }
  const bool full = kept == (1u << Shadow::planes) - 1;
  const unsigned to = full ? give_way_in_section(thread, found, all) : static_cast<unsigned>(std::countr_one(kept));
  if (to > Shadow::planes) return false;

  // The last one that wrote all of it wrote what is read; else each is taken for that one.
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

// Where all cells are in use, each by an access under the same locks or of this section, one of them gives way, as
// decide() would have it that has asked. Of one, by turns, it is asked whether it comes before, so that those which do
// are found. More than Shadow::planes where decide() has to look.
unsigned RaceCheck::give_way_in_section(ThreadState& thread, const Found& found, Cell now) {
  constexpr unsigned none = Shadow::planes + 1;
  const LocksetId locks = tables_.lockset_of(now.strand());
  for (const std::uint64_t raw : found.cells)
    if (const Cell cell(raw); cell.strand() != now.strand() && tables_.lockset_of(cell.strand()) != locks) return none;
  const unsigned turn = number(now.strand()) / order::StrandTables::strands_per_block % Shadow::planes;
  if (const Cell asked(found.cells[turn]); covering(now, asked) && !still_concurrent(thread, asked.strand()))
    return none;
  const unsigned to = give_way(found, now);
  const bool is_own = to <= Shadow::planes && Cell(found.cells[to % Shadow::planes]).strand() == now.strand();
  return to > Shadow::planes || is_own || loses_write(found, to, now) ? none : to;
}

} // namespace fletcher::access
