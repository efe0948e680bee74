// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in sections of locks, in granules that only such sections access: nothing races, but each section is met by
// the next one, so that who comes before whom is not asked for all of them. Relies on give_way() of make_room.cpp.
#include "checker/access/recording.hpp"
#include "checker/constructs/strand.hpp"

namespace fletcher::access {

// Where all cells are in use, each by an access under the same locks, one of them gives way, as decide() would have it
// that has asked. Of one, by turns, it is asked whether it comes before, so that those which do are found. False where
// decide() has to look.
bool RaceCheck::record_in_section(ThreadState& thread, Address granule, Cell now) {
  const LocksetId locks = thread.task->now().lockset;
  if (locks == LocksetId::empty || constructs::unit_of(*thread.task).since != StrandId::none) return false;
  const Found found = look(granule);
  const Cell last(found.cells[0]);
  if (found.used != Shadow::planes || has_crowd(granule, found.cells[0], now)) return false;
  for (const std::uint64_t raw : found.cells) {
    const Cell cell(raw);
    if (cell.strand() == now.strand() || tables_.block_of(cell.strand()).lockset != locks) return false;
  }
  const unsigned turn = number(now.strand()) / order::StrandTables::strands_per_block % Shadow::planes;
  if (!still_concurrent(thread, Cell(found.cells[turn]).strand())) return false;
  const unsigned to = give_way(found, now);
  if (to > Shadow::planes || loses_write(found, to, now)) return false;

  // Whoever wrote all of it last of all wrote what is read; else each is taken for that one.
  const bool written_last = writes(last.kind()) && (now.mask() & ~last.mask()) == 0;
  for (unsigned i = 0; i < (written_last ? 1 : Shadow::planes); ++i)
    if (const Cell cell(found.cells[i]); writes(cell.kind()) && (cell.mask() & now.mask()) != 0)
      read_from(thread, now.strand(), cell.strand());
  thread.in_section = granule;
  if (const unsigned moved = to % Shadow::planes; moved != 0)
    shadow_.cell(moved, granule).store(last.with_further(0).raw(), std::memory_order_release);
  return put(thread, shadow_.row(0, granule), last.raw(), now.with_further(Shadow::planes - 1));
}

} // namespace fletcher::access
