// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an access gets into shadow memory: FastTrack's rules on the cells of a granule, where the strand that came last
// has the first cell, which the access path looks at. Whether two strands race is asked of race_check.cpp.
#include "checker/access/check.hpp"
#include "checker/access/recording/recording.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fletcher::access {

static_assert(Cell::strand_bits == order::StrandTables::most_strand_bits);

namespace {

/// Two granules whose cells agree in these bits are treated alike.
constexpr std::uint64_t all_but_site = ~(((std::uint64_t{1} << Cell::site_bits) - 1) << Cell::site_shift);

/// Remembers of the address what check.cpp's has_to_remember asks for.
inline void touch(ThreadState& thread, Address address) noexcept {
  thread.touch_stack(address);
  if (thread.in_tls(address) && !thread.is_errno(address)) [[unlikely]]
    constructs::meet_own(thread);
}

} // namespace

bool RaceCheck::begin(ThreadState& thread, Address address) {
  if (thread.task == nullptr) return false;
  if (thread.strand() == StrandId::none && !open_strand(thread)) return false;
  touch(thread, address);
  return true;
}

ContextId RaceCheck::site(ThreadState& thread, Address pc) {
  const ContextId known = remembered_site(thread, pc);
  return known != ContextId::none ? known : found_site(thread, pc);
}

ContextId RaceCheck::found_site(ThreadState& thread, Address pc) {
  // The first time that the thread is here. It may be the only time, and others may come here at the same moment:
  // threads that share work equally end together.
  thread.careful = std::max<std::uint8_t>(thread.careful, 1);
  // Frames entered since the last recorded access have no context yet.
  Frame* frame = thread.stack.top();
  while (frame != thread.stack.base() && frame[-1].context == ContextId::none) --frame;
  ContextId context = frame == thread.stack.base() ? thread.stack.root() : frame[-1].context;
  const auto child = [&](Address of) {
    ThreadState::Site& memo = thread.remembered(of, context);
    if (memo.pc != of || memo.context != context) memo = {of, context, calls_.child(context, of)};
    return memo.site;
  };
  for (; frame != thread.stack.top(); ++frame) frame->context = context = child(frame->pc);
  return child(pc);
}

// What of the access meets another one: by what the strand accessed before, where not by the bytes that it accesses
// now.
Cell RaceCheck::met_with(Cell past, Cell now, std::uint8_t mask) noexcept {
  return (past.mask() & mask) != 0 ? now.with_mask(mask) : now;
}

// Each place of a cell with which the access races.
void RaceCheck::report_places(ThreadState& thread, Address granule, Cell past, Cell access, Verdict verdict) {
  each_place(past, access.mask(), [&](Cell one) {
    if (!was_reported(thread, one, access)) report(thread, granule, one, access, verdict == Verdict::predicted);
  });
}

namespace {
/// Of `cells`, a bit for each, rather one at the same line.
unsigned one_of(const Found& found, unsigned cells, Cell now) noexcept {
  for (unsigned left = cells; left != 0; left &= left - 1)
    if (const auto i = static_cast<unsigned>(std::countr_zero(left)); same_line(Cell(found.cells[i]), now)) return i;
  return static_cast<unsigned>(std::bit_width(cells)) - 1;
}
} // namespace

inline Change RaceCheck::decide(ThreadState& thread, Address granule, const Found& found, Cell now) {
  Change change;
  const std::uint8_t mask = now.mask();
  const Own own = own_cells(found.cells, found.used, now);
  bool told = own.tell;
  // Whose cell it is stands in a table: it is looked up where the rest fits.
  for (unsigned i = 0; !told && now.kind() == Kind::read && i < found.used; ++i)
    if (const Cell cell(found.cells[i]); cell.kind() == Kind::read && (mask & ~cell.mask()) == 0)
      told = is_joined(thread, cell, Cell::need(Kind::read, mask));
  if (told) {
    change.nothing = true;
    return change;
  }
  if (has_kept(granule, found.cells[0], now)) {
    meet_kept(thread, granule, found.cells[0], now);
    change.alike = false;
  }
  unsigned kept = own.kept; // a bit for each cell that still matters
  now = now.with_mask(static_cast<std::uint8_t>(own.wide));
  Cell all = now; // with what one cell records besides
  if (own.beside < found.used) {
    all = with_place_beside(thread, Cell(found.cells[own.beside]), now);
    if (all == now) kept |= 1u << own.beside;
  }
  unsigned raced = 0; // those that it would have replaced, except for a race
  bool kept_of_other_unit = false;
  unsigned joined = Shadow::planes;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
    const bool overlaps = (cell.mask() & now.mask()) != 0;
    const bool conflicts = overlaps && conflict(cell.kind(), now.kind());
    const bool covered = overlaps && covers(now.kind(), cell.kind()) && !is_less_protected(thread, cell);
    const bool replaceable = covered && is_among(cell, own.told);
    const bool known = thread.known_before(cell.strand());
    const Repetition repeats = conflicts && !known ? repetition(thread, cell, now, granule) : Repetition::none;
    Verdict verdict = Verdict::harmless;
    if (repeats != Repetition::none) {
      change.repeats = true;
      if (repeats == Repetition::race) verdict = Verdict::race, ++thread.met_earlier_units;
    } else if (conflicts) {
      const bool several = !known && cell.kind() == Kind::read && tables_.is_joint(cell.strand());
      verdict = known     ? Verdict::ordered
                : several ? judge_readers(thread, cell, now, mask, granule)
                          : judge(thread, cell, now, granule);
    } else if (replaceable) {
      // Of the reads by other units of work of this thread one is kept: a unit may read before it writes. One that the
      // strand has learned of meanwhile is none of these.
      if (known || !still_concurrent(thread, cell.strand()) ||
          (assigned_before(thread, cell.strand()) &&
           (kept_of_other_unit || before(thread, cell.strand(), order::Levels::near))))
        verdict = Verdict::ordered;
      else
        kept_of_other_unit = kept_of_other_unit || assigned_before(thread, cell.strand());
    }
    if (verdict >= Verdict::race && repeats == Repetition::none && !tables_.is_joint(cell.strand()))
      report_places(thread, granule, cell, met_with(cell, now, mask), verdict);
    if (verdict == Verdict::race || repeats == Repetition::both_stay) note_next_read(thread, cell, now);
    // What orders units of work of one thread depends on whose memory it is.
    if (conflicts && !known && repeats == Repetition::none) change.alike = false;
    // What comes before this access and is covered by it says nothing more about the future. What races with it does:
    // who comes next may race with both, or with the other one only.
    if (replaceable && (verdict == Verdict::ordered || repeats == Repetition::race)) continue;
    if (replaceable && verdict >= Verdict::race) raced |= 1u << i;
    kept |= 1u << i;
    if (joined == Shadow::planes && !known && may_join(thread, cell, all) && still_concurrent(thread, cell.strand()))
      joined = i;
    // Else an access to all of a granule would stay forever where its halves are accessed at two places.
    if (covered && (conflicts ? verdict == Verdict::ordered : known)) change.trims |= 1u << i;
  }
  const StrandId readers =
      joined < Shadow::planes ? with_reader(thread, Cell(found.cells[joined]), all) : StrandId::none;
  if (readers != StrandId::none) {
    const Cell cell(found.cells[joined]);
    all = Cell(readers, all.site(), Kind::read, static_cast<std::uint8_t>(cell.mask() | all.mask()));
    kept &= ~(1u << joined);
    change.trims = 0;
    change.joins = true;
  } else if (now.kind() == Kind::read) {
    join_twins(thread, found, all, kept, change);
  }
  if (kept == (1u << Shadow::planes) - 1 && raced != 0) kept &= ~(1u << one_of(found, raced, now));
  if ((kept & 1) != 0) make_room(thread, found, mask, all, kept, change);
  change.now = all.with_further(further_of(kept));
  if (is_crowd(found, kept, change.now)) change.now = change.now.with_crowd();
  return change;
}

// All cells will be in use, and none conflicts with another one.
bool RaceCheck::is_crowd(const Found& found, unsigned kept, Cell now) const noexcept {
  bool crowd = now.kind() != Kind::write && now.further() == Shadow::planes - 1 && !tables_.is_joint(now.strand());
  for (unsigned i = 0; crowd && i < found.used; ++i)
    if (const Cell cell(found.cells[i]); (kept >> i & 1) != 0)
      crowd = now.admits(cell.kind()) && !tables_.is_joint(cell.strand());
  return crowd;
}

// Which of several writes the value is of is not known: each is taken for it. A write may read before, too: of `x++`
// compilers tell the write only. To note one that comes before adds nothing, so that the order need not be asked for.
void RaceCheck::note_reads(ThreadState& thread, Address granule, const Found& found, Cell now) {
  const bool is_full = !prediction_.log().complete();
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (dead(cell, thread.horizon) || cell.strand() == now.strand() || !writes(cell.kind())) continue;
    if ((cell.mask() & now.mask()) != 0 &&
        (is_full || need_not_judge(thread, cell, now, granule) || still_concurrent(thread, cell.strand())))
      read_from(thread, now.strand(), cell.strand());
  }
}

// Whose strand has an access there that races with a write finds this one when it reads there again, in whatever order,
// and does not look whose value it gets.
void RaceCheck::note_next_read(ThreadState& thread, Cell past, Cell now) {
  if (!writes(now.kind()) || !prediction_.log().complete()) return;
  each_reader(past, [&](Cell one) {
    if (one.strand() != now.strand() && thread.may_read_again(one.strand(), now.strand()))
      prediction_.log().read_from(thread.reads_told, one.strand(), now.strand());
  });
}

// False where another thread changed the granule meanwhile, and this one must look again.
bool RaceCheck::commit(ThreadState& thread, Address granule, const Found& found, const Change& change) noexcept {
  if (change.joined != 0) {
    std::uint64_t expected = found.cells[change.joined];
    const Cell both = together(Cell(found.cells[change.joined_from]), Cell(expected));
    if (!shadow_.cell(change.joined, granule).compare_exchange_strong(expected, both.raw(), std::memory_order_acq_rel))
      return false;
  }
  if (change.moved != 0) {
    const Cell first(found.cells[0]), moved = (change.trims & 1) != 0 ? without(first, change.now) : first;
    shadow_.touch(change.moved);
    shadow_.cell(change.moved, granule).store(moved.with_further(0).raw(), std::memory_order_release);
  }
  if (!put(thread, shadow_.row(0, granule), found.cells[0], change.now)) return false;
  if ((change.trims & ~1u) != 0 && change.now.further() > 1) [[unlikely]]
    trim(granule, found, change);
  return true;
}

// Others may store in a further cell meanwhile. Where there is room the locked instruction is not worth it.
void RaceCheck::trim(Address granule, const Found& found, const Change& change) noexcept {
  for (unsigned i = 1; i < found.used; ++i) {
    if ((change.trims >> i & 1) == 0 || i == change.moved) continue;
    std::uint64_t expected = found.cells[i];
    shadow_.cell(i, granule)
        .compare_exchange_strong(expected, without(Cell(expected), change.now).raw(), std::memory_order_acq_rel);
  }
}

// Makes the same change to the granules that follow, as long as they look alike, and tells how many did.
std::size_t RaceCheck::repeat(ThreadState& thread, const Found& found, const Change& change, Address from,
                              std::size_t count) noexcept {
  const std::uint64_t looked_at = change.repeats || change.joins ? ~std::uint64_t{0} : all_but_site;
  std::size_t done = 0;
  for (; thread.careful > 0 && done < count; ++done) {
    const Found next = look(from + done * 8);
    const bool alike = next.used == found.used &&
                       std::equal(next.cells, next.cells + next.used, found.cells,
                                  [=](std::uint64_t a, std::uint64_t b) { return ((a ^ b) & looked_at) == 0; });
    if (!alike || !commit(thread, from + done * 8, next, change)) return done;
  }
  if (done == count) return done;
  from += done * 8;
  std::uint64_t* rows[Shadow::planes];
  for (unsigned i = 0; i < Shadow::planes; ++i) rows[i] = shadow_.row(i, from);
  return done + row_.repeat({rows, found.cells, found.used, looked_at, change.moved, change.now}, count - done);
}

std::size_t RaceCheck::record_alike(ThreadState& thread, Address first, std::size_t count, Cell now) {
  for (;;) {
    const Found found = look(first);
    const Change change = decide(thread, first, found, now);
    if (!change.alike || change.repeats) note_reads(thread, first, found, now);
    if (change.nothing) return 1;
    if (!commit(thread, first, found, change)) continue;
    if (found.used == Shadow::planes) count = std::max<std::size_t>(1, shared_.untouched(first, count));
    return change.alike ? 1 + repeat(thread, found, change, first + 8, count - 1) : 1;
  }
}

// As site(), as far as the thread remembers; none where it does not.
ContextId RaceCheck::remembered_site(ThreadState& thread, Address pc) noexcept {
  Frame* const top = thread.stack.top();
  Frame* frame = top;
  while (frame != thread.stack.base() && frame[-1].context == ContextId::none) --frame;
  ContextId context = frame == thread.stack.base() ? thread.stack.root() : frame[-1].context;
  for (; frame != top; ++frame) {
    const ThreadState::Site& memo = thread.remembered(frame->pc, context);
    if (memo.pc != frame->pc || memo.context != context) return ContextId::none;
    frame->context = context = memo.site;
  }
  const ThreadState::Site& memo = thread.remembered(pc, context);
  return memo.pc == pc && memo.context == context ? memo.site : ContextId::none;
}

// As the thread did lately, if nothing is different.
void RaceCheck::record_as_before(ThreadState& thread, Address granule, Cell now) {
  const Found found = look(granule);
  const Change* const known = thread.decisions.find(found, now, thread.turn);
  if (known == nullptr || !commit(thread, granule, found, *known)) record_with_care(thread, granule, now);
}

void RaceCheck::record_with_care(ThreadState& thread, Address granule, Cell now) {
  const InChecker inside(thread);
  record(thread, granule, now);
}

void RaceCheck::check_thoroughly(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (thread.in_checker) return;
  const InChecker inside(thread);
  const bool opens = thread.strand() == StrandId::none;
  if (!begin(thread, granule)) return;
  const ContextId place = site(thread, pc);
  if (opens && kept_at_first(thread, granule, need, pc)) return;
  if (thread.in_late_section && made_again_in_section(thread, granule, need, pc)) return;
  if (thread.same_past() && !thread.in_any_section() && !writes(Cell(need).kind()) &&
      (renew_settled(thread, granule, need, pc) || renew(thread, granule, need, pc)))
    return;
  record(thread, granule, Cell(thread.strand(), place, Cell(need).kind(), Cell(need).mask()));
}

// What orders the two is what mostly does: no lock is held, so that a race has to be thought of only where the answer
// is no. `past` is of another strand.
inline bool RaceCheck::plainly_before(ThreadState& thread, Cell past, Cell now) {
  if ((past.mask() & now.mask()) == 0) return false;
  if (thread.is_own(past.strand())) return true;
  if (conflict(past.kind(), now.kind()))
    return thread.task->now().lockset == LocksetId::empty && before(thread, past.strand());
  return covering(now, past) && (thread.known_before(past.strand()) || !still_concurrent(thread, past.strand()));
}

// True where the granule recorded nothing that still matters, or of this strand only, or of one access that comes
// before this one, and the access is recorded now: what decide() does, for the frequent cases.
inline bool RaceCheck::record_alone(ThreadState& thread, Address granule, Cell now) {
  std::uint64_t* const first = shadow_.row(0, granule);
  const Cell cell(__atomic_load_n(first, __ATOMIC_ACQUIRE));
  if (!all_dead(cell, thread.horizon)) {
    if (cell.further() != 0) return false;
    if (cell.strand() == now.strand()) {
      if (cell.tells(Cell::strand_part(now.strand()), Cell::need(now.kind(), now.mask()))) return true;
      if (!covering(now, cell) && !same_place(now, cell)) {
        const Cell both = may_stand_beside(now, cell) ? with_place_beside(thread, cell, now) : now;
        if (both == now) return false;
        now = both;
      }
      now = widened(now, cell);
    } else if (is_less_protected(thread, cell) || !plainly_before(thread, cell, now)) {
      return false;
    } else if (const Cell left = without(cell, now); left.mask() != 0) {
      shadow_.touch(1);
      shadow_.cell(1, granule).store(left.raw(), std::memory_order_release);
      now = now.with_further(1);
    }
  }
  return put(thread, first, cell.raw(), now);
}

// A task counts in memory of its thread's own what tasks before it counted there, at the same line: on another thread
// it would have found other memory, so no question is asked. To who comes from another thread the last one stands for
// all. So where only tasks of this thread have been there.
inline bool RaceCheck::record_in_own(ThreadState& thread, Address granule, Cell now) {
  if (!thread.in_tls(granule)) [[likely]]
    return false;
  const Found found = look(granule);
  const Cell first(found.cells[0]);
  if (first.is_crowd()) return false;
  unsigned like = Shadow::planes;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (dead(cell, thread.horizon)) continue;
    const StrandId strand = cell.strand();
    if (tables_.is_joint(strand) || !tables_.task(tables_.block_of(strand).task).is_of(thread.id)) return false;
    if (like == Shadow::planes && same_line(now, cell) && covering(now, cell) &&
        tables_.lockset_of(strand) == thread.task->now().lockset)
      like = i;
  }
  if (like == Shadow::planes) return false;
  if (like != 0) __atomic_store_n(shadow_.row(like, granule), first.with_further(0).raw(), __ATOMIC_RELEASE);
  return put(thread, shadow_.row(0, granule), first.raw(), now.with_further(first.further()));
}

void RaceCheck::record(ThreadState& thread, Address granule, Cell now) {
  fill(granule, 1);
  if (record_in_own(thread, granule, now)) return;
  if (!thread.reported.empty() && record_repeated(thread, granule, now)) return;
  if (!record_alone(thread, granule, now) && !record_in_section(thread, granule, now))
    record_among_others(thread, granule, now);
}

// The strand's next such read need not look for a place.
void RaceCheck::remember_unrecorded(ThreadState& thread, Address granule, const Found& found, Cell now) noexcept {
  if (writes(now.kind())) return;
  thread.remembered_unrecorded(granule) = {granule, found.cells[0], Cell::need(now.kind(), now.mask()), now.strand()};
}

void RaceCheck::record_among_others(ThreadState& thread, Address granule, Cell now) {
  for (;;) {
    const Found found = look(granule);
    const Change change = decide(thread, granule, found, now);
    if (!change.alike || change.repeats || (is_atomic(now.kind()) && reads_matter()))
      note_reads(thread, granule, found, now);
    if (change.unrecorded) remember_unrecorded(thread, granule, found, now);
    if (change.nothing) return;
    // A race of units that is not judged again depends on the memory, too, which is looked at each time.
    if (change.alike && !change.repeats) thread.decisions.remember(found, now, thread.turn, change);
    if (commit(thread, granule, found, change)) return;
  }
}

} // namespace fletcher::access
