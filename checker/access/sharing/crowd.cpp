// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/sharing/crowd.hpp"

#include "checker/access/check.hpp"
#include "checker/constructs/strand.hpp"

#include <bit>

namespace fletcher::access {

// Without locks on either side, and concurrent.
bool RaceCheck::meets_reader(ThreadState& thread, StrandId reader) {
  if (thread.in_checker || tables_.lockset_of(reader) != LocksetId::empty ||
      tables_.lockset_of(thread.strand()) != LocksetId::empty)
    return false;
  if (!thread.was_concurrent(reader)) {
    const InChecker inside(thread);
    if (!still_concurrent(thread, reader)) return false;
  }
  if (is_of_leaf(reader)) thread.found_beside(reader);
  return true;
}

// The read takes the place of one that is known to come before, or of one at the same line, or of one of two at another
// line; in a crowd, else, of the one in the thread's own plane, so that the others stay those of other threads. Never
// of the first one: what threads keep would go with it. False where somebody's write does not come before, or the
// strand has read other bytes there.
bool RaceCheck::read_in_crowd(ThreadState& thread, Address granule, Cell now) {
  if (thread.task->now().lockset != LocksetId::empty) return false;
  Cell cells[Shadow::planes];
  unsigned before = 0, alike = 0; // a bit for each such plane
  for (unsigned i = 0; i < Shadow::planes; ++i) {
    const Cell cell = cells[i] = Cell(shadow_.cell(i, granule).load(std::memory_order_relaxed));
    if (cell.strand() == now.strand()) return false;
    if (writes(cell.kind())) {
      if ((cell.mask() & now.mask()) != 0 && !dead(cell, thread.horizon) &&
          !this->before(thread, cell.strand(), order::Levels::near))
        return false;
      continue;
    }
    if (tables_.is_joint(cell.strand())) return false;
    before |= unsigned{thread.known_before(cell.strand()) && covering(now, cell)} << i;
    alike |= unsigned{same_line(now, cell) && covering(now, cell)} << i;
    for (unsigned other = 0; other < i; ++other)
      alike |= unsigned{same_line(cells[other], cell) && cells[other].mask() == cell.mask()} << i;
  }
  const unsigned best = (before & ~1u) != 0 ? before & ~1u : alike & ~1u;
  if (best == 0 && !cells[0].is_crowd()) return false;
  const unsigned plane = best != 0 ? static_cast<unsigned>(std::countr_zero(best)) : plane_in_crowd(thread);
  shadow_.cell(plane, granule).store(now.raw(), std::memory_order_release);
  return true;
}

// The same in a granule that is full, but no crowd.
bool RaceCheck::read_among_readers(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (Cell(need).kind() != Kind::read || thread.strand() == StrandId::none ||
      thread.task->kind != TaskKind::explicit_ || thread.has_to_remember(granule))
    return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  return read_in_crowd(thread, granule, Cell(thread.strand(), place, Kind::read, Cell(need).mask()));
}

// What check_further() and check_full() do, for a strand's first access.
bool RaceCheck::kept_at_first(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_ACQUIRE));
  if (first.further() != Shadow::planes - 1 || first.older_than(thread.horizon)) return false;
  if (!first.is_crowd())
    return keeps_repeated(thread, granule, need, pc) || read_among_readers(thread, granule, need, pc);
  return first.admits(Cell(need).kind()) &&
         (keeps(thread, granule, first, need, pc) ||
          (Cell(need).kind() == Kind::read && passes_crowd(thread, granule, first, need, pc)));
}

// It takes the place of an earlier one at the same line. Not of the first one, with which what threads keep would go.
bool RaceCheck::sample(ThreadState& thread, Address granule, Cell now) noexcept {
  for (unsigned i = 0; i < Shadow::planes - 1; ++i) {
    const unsigned plane = 1 + (thread.crowded / 8 + i) % (Shadow::planes - 1);
    std::atomic<std::uint64_t>& cell = shadow_.cell(plane, granule);
    const Cell other(cell.load(std::memory_order_relaxed));
    if (!same_line(now, other) || tables_.is_joint(other.strand())) continue;
    cell.store(now.raw(), std::memory_order_release);
    return true;
  }
  return false;
}

// As decide() does with the granule's cells. `now` is of the bytes that are accessed.
void RaceCheck::meet_kept(ThreadState& thread, Address granule, std::uint64_t first, Cell now) {
  const auto meet = [&](Cell past) {
    if (past.strand() == now.strand() || dead(past, thread.horizon) || (past.mask() & now.mask()) == 0 ||
        !conflict(past.kind(), now.kind()) || thread.known_before(past.strand()) ||
        need_not_judge(thread, past, now, granule))
      return;
    const Verdict verdict = judge(thread, past, now, granule);
    if (verdict < Verdict::race) return;
    each_place(past, now.mask(), [&](Cell one) {
      if (!was_reported(thread, one, now)) report(thread, granule, one, now, verdict == Verdict::predicted);
    });
  };
  const auto reader = [&](std::size_t i) -> const ThreadState* {
    const memory::SpinGuard guard(attached_lock_);
    return i < attached_.size() ? attached_[i] : nullptr;
  };
  for (std::size_t i = 0; const ThreadState* const other = reader(i); ++i)
    other->shared_accesses.each(granule, first, meet);
}

void RaceCheck::at_restart() {
  shadow_.clear_all();
  const memory::SpinGuard guard(attached_lock_);
  for (ThreadState* thread : attached_) {
    thread->shared_accesses.clear(shared_);
    thread->read_again.fill(0);
  }
}

} // namespace fletcher::access
