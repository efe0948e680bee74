// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program repeats millions of times where it has races: accesses that meet others with which they race, where a
// race of the same two places was reported before, are recorded without asking who comes before whom, and not reported
// again; and who waits for a flag at a flush reads it in the same strand.
#include "checker/access/check.hpp"
#include "checker/access/recording/recording.hpp"
#include "checker/constructs/strand.hpp"
#include "checker/constructs/teams/team.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fletcher::access {

bool RaceCheck::was_reported(const ThreadState& thread, Cell past, Cell now) const noexcept {
  const ReportedPairs& reported = thread.reported;
  if (reported.empty() || leagues_.load(std::memory_order_relaxed)) return false;
  bool all = true;
  each_place(past, now.mask(), [&](Cell one) {
    all = all && (reported.has(one.site(), now.site()) || reported.has(calls_.pc(one.site()), calls_.pc(now.site())));
  });
  return all;
}

// Whatever keeps a pair of accesses from being a race (locks, memory of a thread's own), both stay recorded. Units of
// work that one thread executes are another matter: they race in memory of the team only, and where memory is the
// thread's own, their order may say that it knows which one it is.
RaceCheck::Repetition RaceCheck::repetition(const ThreadState& thread, Cell past, Cell now,
                                            Address granule) const noexcept {
  if (!was_reported(thread, past, now)) return Repetition::none;
  if (constructs::unit_of(*thread.task).since == StrandId::none) return Repetition::both_stay;
  if (!tables_.task(tables_.block_of(past.strand()).task).is_of(thread.id)) return Repetition::both_stay;
  const bool shared = constructs::is_in_frames_around(*thread.task, granule) || known_to_be_shared(thread, granule);
  return shared && assigned_before(thread, past.strand()) ? Repetition::race : Repetition::none;
}

// Something conflicts with the access, and is not seen to come before it. The bytes of the strand's other accesses need
// not be looked at: that was done when they were recorded.
bool RaceCheck::asks_about(ThreadState& thread, const Found& found, Cell now) const noexcept {
  return std::any_of(found.cells, found.cells + found.used, [&](std::uint64_t raw) {
    const Cell cell(raw);
    return (cell.mask() & now.mask()) != 0 && conflict(cell.kind(), now.kind()) && cell.strand() != now.strand() &&
           !dead(cell, thread.horizon) && !comes_before_at_once(thread, cell.strand());
  });
}

// What decide() does where it has nothing to ask; false where there is no such pair, or something else has to be asked.
// Both accesses stay recorded: where a few strands race for a variable, each then finds its own one next time. Where
// they are more than there are cells, who reads again and finds another read that stands for its own leaves them alone.
bool RaceCheck::record_repeated(ThreadState& thread, Address granule, Cell access) {
  const bool says_what_it_reads = is_atomic(access.kind()) && reads_matter();
  for (;;) {
    const Found found = look(granule);
    if (!asks_about(thread, found, access)) return false;
    if (all_dead(Cell(found.cells[0]), thread.horizon) || has_kept(granule, found.cells[0], access)) return false;
    if (says_what_it_reads) note_reads(thread, granule, found, access);
    const Own own = own_cells(found.cells, found.used, access);
    if (own.tell) return true;
    Cell now = access.with_mask(static_cast<std::uint8_t>(own.wide));
    Change change;
    unsigned kept = own.kept, repeated = 0;
    Cell all = now; // as in decide()
    if (own.beside < found.used) {
      all = with_place_beside(thread, Cell(found.cells[own.beside]), now);
      if (all == now) kept |= 1u << own.beside;
    }
    for (unsigned i = 0; i < found.used; ++i) {
      const Cell cell(found.cells[i]);
      if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
      const bool overlaps = (cell.mask() & now.mask()) != 0;
      const bool covered = overlaps && covers(now.kind(), cell.kind());
      const bool known = overlaps && comes_before_at_once(thread, cell.strand());
      if (covered && known && is_among(cell, own.told)) continue;
      const bool conflicts = overlaps && !known && (writes(cell.kind()) || writes(now.kind()));
      if (conflicts) {
        const Repetition repeats =
            conflict(cell.kind(), now.kind()) ? repetition(thread, cell, now, granule) : Repetition::none;
        if (repeats == Repetition::none) return false;
        repeated |= 1u << i;
        thread.met_earlier_units += repeats == Repetition::race ? 1 : 0;
        if (repeats == Repetition::both_stay) note_next_read(thread, cell, now);
        if (repeats == Repetition::race && covered && is_among(cell, own.told)) continue;
      }
      kept |= 1u << i;
      if (covered && known) change.trims |= 1u << i;
    }
    if (repeated == 0) return false;
    for (unsigned i = 0; i < found.used; ++i)
      if (const Cell cell(found.cells[i]); (repeated >> i & 1) != 0 && writes(cell.kind()))
        read_from(thread, now.strand(), cell.strand());
    if (kept == (1u << Shadow::planes) - 1) {
      const unsigned like = plane_of_like(thread, found, now);
      if (like < Shadow::planes && !writes(now.kind())) {
        const StrandId other = Cell(found.cells[like]).strand();
        change.nothing = thread.was_concurrent(other);
        if (!change.nothing) still_concurrent(thread, other); // to know it the next time
      }
      if (like < Shadow::planes) kept &= ~(1u << like);
    }
    if (!change.nothing && (kept & 1) != 0) make_room(thread, found, access.mask(), all, kept, change);
    if (change.nothing) {
      remember_unrecorded(thread, granule, found, access);
      return true;
    }
    change.now = all.with_further(further_of(kept));
    if (commit(thread, granule, found, change)) return true;
  }
}

// Tasks that read a variable for which others race: the thread keeps the read, in place of its last task's at this line
// (keeps). Who writes there meets it.
bool RaceCheck::keeps_repeated(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (thread.reported.empty() || Cell(need).kind() != Kind::read || thread.strand() == StrandId::none ||
      thread.task->kind != TaskKind::explicit_ || thread.task->now().lockset != LocksetId::empty ||
      constructs::unit_of(*thread.task).since != StrandId::none || thread.has_to_remember(granule))
    return false;
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return false;
  const Cell now(thread.strand(), place, Kind::read, Cell(need).mask());
  const Found found = look(granule);
  StrandId writers[Shadow::planes];
  unsigned raced = 0;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (!conflict(cell.kind(), Kind::read) || (cell.mask() & now.mask()) == 0 || dead(cell, thread.horizon) ||
        comes_before_at_once(thread, cell.strand()))
      continue;
    if (!was_reported(thread, cell, now) && !per_thread_data(thread, cell.strand(), granule)) return false;
    writers[raced++] = cell.strand();
  }
  if (raced == 0) return false;
  bool usual = false;
  if (!thread.shared_accesses.keep(granule, found.cells[0], now, pc, usual)) {
    thread.shared_accesses.meet(granule, now, pc, shared_);
    return false;
  }
  for (unsigned i = 0; i < raced; ++i) read_from(thread, now.strand(), writers[i]);
  return thread.may_keep(usual) || sample(thread, granule, now);
}

// Of other strands' accesses at the same line, to the same bytes and under the same locks, the oldest: it stands for
// `now`, but to who comes after one of them.
unsigned RaceCheck::plane_of_like(const ThreadState& thread, const Found& found, Cell now) const noexcept {
  const LocksetId locks = thread.task->now().lockset;
  unsigned like = Shadow::planes;
  for (unsigned i = 0; i < Shadow::planes; ++i) {
    const Cell cell(found.cells[i]);
    if (same_line(cell, now) && cell.mask() == now.mask() && tables_.lockset_of(cell.strand()) == locks &&
        !tables_.is_joint(cell.strand()) &&
        (like == Shadow::planes || cell.strand() < Cell(found.cells[like]).strand()))
      like = i;
  }
  return like;
}

// A flag that is read without an atomic operation, say. That the read comes after the fence matters only to who learns
// of the fence, by what this thread does next.
bool RaceCheck::repeats_at_rest(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept {
  if (!told_granule_at_rest(thread, granule, need) || thread.has_to_remember(granule)) return false;
  const ThreadState::Repeated now{thread.resting, known_site(thread, pc), granule, need};
  ThreadState::Repeated& read = thread.read_at_rest;
  if (now.site == ContextId::none || (read.resting == thread.resting && read != now)) return false;
  read = now;
  return true;
}

bool RaceCheck::open_strand(ThreadState& thread) {
  const ThreadState::Repeated read = std::exchange(thread.read_at_rest, {});
  const bool repeated = read.resting != StrandId::none && read.resting == thread.resting;
  if (!constructs::open_strand(thread)) return false;
  if (!repeated) return true;
  const bool inside = std::exchange(thread.in_checker, true);
  record(thread, read.granule, Cell(thread.strand(), read.site, Cell(read.need).kind(), Cell(read.need).mask()));
  thread.in_checker = inside;
  return true;
}

} // namespace fletcher::access
