// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads in a crowd: memory that more strands read than a granule has cells. Part of check.cpp, whose short ways need no
// stack frame.
#pragma once

#include "checker/access/recording/recording.hpp"
#include "checker/constructs/tasks/task.hpp"

namespace fletcher::access {

// Each cell records the same read by a strand that is known to be concurrent with this one, or a write that is
// known to come before it, and one of the reads is at the same line and under the same locks: this read would take that
// one's place, and tell no more than it does. So memory that many threads read costs each of them not much more than
// memory that four do. Some are recorded nevertheless: a strand that goes on reading the same then finds itself. (So it
// does in rows, which then need not be looked at granule by granule.)
[[gnu::always_inline]] inline RaceCheck::Crowd RaceCheck::crowd_at(ThreadState& thread, Address granule,
                                                                   std::uint64_t need, Address pc) noexcept {
  if (Cell(need).kind() != Kind::read || thread.has_to_remember(granule)) return Crowd::none;
  const ContextId place = known_site(thread, pc);
  const std::uint64_t care = need | Cell::need(Kind::write, 0);
  const std::uint64_t* at = first_cell(thread, granule);
  const LocksetId locks = thread.tables->lockset_of(thread.strand());
  unsigned all = 1, at_place = 0, locked_so = 0, written = 0;
  ChainId chains[Shadow::planes];
  for (unsigned plane = 0; plane < Shadow::planes; ++plane, at += thread.plane_distance) {
    const Cell cell(__atomic_load_n(at, __ATOMIC_RELAXED));
    if (writes(cell.kind())) {
      if (!thread.known_before(cell.strand())) return Crowd::none;
      chains[plane] = ChainId{~plane};
      written = 1;
      continue;
    }
    all &= unsigned{(cell.raw() & care) == need} & unsigned{thread.was_concurrent(cell.strand())};
    if (thread.tables->is_joint(cell.strand())) return Crowd::none; // one of them may be a strand of the same task
    chains[plane] = thread.tables->block_of(cell.strand()).chain;
    for (unsigned before = 0; before < plane; ++before)
      all &= unsigned{chains[before] != chains[plane]}; // told_twice()
    const unsigned same_locks = unsigned{thread.tables->lockset_of(cell.strand()) == locks};
    const CallTree& calls = thread.races->calls_;
    at_place |= unsigned{cell.site() == place || calls.place_of(cell.site(), Cell(need).mask()) == place} & same_locks;
    locked_so |= same_locks;
  }
  if ((all & (at_place ^ locked_so)) != 0 && place != ContextId::none && thread.frequents(place)) at_place = 1;
  if ((all & at_place) == 0 || place == ContextId::none) return Crowd::none;
  return written != 0 ? Crowd::with_writes : Crowd::reads;
}

// Nobody writes to the granule, as its first cell says, and many strands read it. So its read takes another one's place
// among them; or it goes unrecorded, as above, where the one that came last is one beside which this strand has found
// no room before, or that is concurrent, and the strand has met a number of crowds: then nothing is looked at beside
// the first cell. That costs little whatever was there before, and what is a cache line of its own in each plane stays
// out of the cache.
[[gnu::always_inline]] inline bool RaceCheck::passes_crowd(ThreadState& thread, Address granule, Cell first,
                                                           std::uint64_t need, Address pc) {
  if ((first.raw() & need) != need || thread.strand() == StrandId::none || thread.has_to_remember(granule))
    return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  const bool beside = thread.reads_beside(first.strand()) ||
                      (thread.frequents(ContextId::none) && thread.races->meets_reader(thread, first.strand()));
  const bool same = place == first.site(), goes_by = beside && (same || thread.frequents(place));
  if (goes_by && thread.may_crowd()) return true;
  // Implicit tasks are few, and may all have cells.
  if (!(goes_by && same) && thread.task->kind != TaskKind::explicit_) return false;
  constexpr std::uint8_t all_of_it = 0xff;
  const Cell now(thread.strand(), place, Kind::read, Cell(need).mask());
  // All of it, as in the first cell: whichever read is in the thread's own plane, that one tells as much. What is there
  // need not come into the cache.
  if (now.mask() == all_of_it && first.mask() == all_of_it && same_line(now, first) &&
      thread.task->now().lockset == LocksetId::empty) {
    thread.races->shadow_.cell(plane_in_crowd(thread), granule).store(now.raw(), std::memory_order_release);
    return true;
  }
  return thread.races->read_in_crowd(thread, granule, now);
}

// What many tasks read, or update atomically, at a place that this thread has met often: nothing has to be asked. The
// task that the thread executed last stands for those before it, except for one of eight. Implicit tasks are few, and
// have cells.
[[gnu::always_inline]] inline bool RaceCheck::keeps(ThreadState& thread, Address granule, Cell first,
                                                    std::uint64_t need, Address pc) noexcept {
  if (thread.strand() == StrandId::none || thread.task->kind != TaskKind::explicit_ || thread.has_to_remember(granule))
    return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none || thread.tables->lockset_of(thread.strand()) != LocksetId::empty) return false;
  const Cell now(thread.strand(), place, Cell(need).kind(), Cell(need).mask());
  if (bool usual = false; thread.shared_accesses.keep(granule, first.raw(), now, pc, usual))
    return thread.may_keep(usual) || thread.races->sample(thread, granule, now);
  thread.shared_accesses.meet(granule, now, pc, thread.races->shared_);
  return false;
}

} // namespace fletcher::access
