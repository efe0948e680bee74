// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/crowd.hpp"

#include "checker/access/check.hpp"
#include "checker/constructs/strand.hpp"

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

void RaceCheck::read_in_crowd(ThreadState& thread, Address granule, Cell first, Cell now) noexcept {
  std::uint64_t* const cells = shadow_.row(0, granule);
  if (!told_further(thread, cells, first, Cell::strand_part(now.strand()), Cell::need(now.kind(), now.mask())))
    put(thread, cells, first.raw(), now.with_crowd());
}

// What check_further() and check_full() do, for a strand's first access.
bool RaceCheck::kept_at_first(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_ACQUIRE));
  if (first.further() != Shadow::planes - 1 || first.older_than(thread.horizon)) return false;
  if (!first.is_crowd()) return keeps_repeated(thread, granule, need, pc);
  return first.admits(Cell(need).kind()) && keeps(thread, granule, first, need, pc);
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
