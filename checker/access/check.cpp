// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short ways into shadow memory, for accesses that the inlined path does not answer: a further cell tells of them,
// or recording them needs no question about the order of strands that was not answered before. The rest is in
// record.cpp.
#include "checker/access/check.hpp"
#include "checker/access/crowd.hpp"
#include "checker/access/recording.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::access {

namespace {

constexpr std::uint8_t all_bytes = 0xff;

/// Nobody has been there since the horizon. A cell that is empty may be in a part of the shadow that has to be filled.
inline bool is_free(const ThreadState& thread, const std::uint64_t* cell) noexcept {
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  return first != Cell() && first.older_than(thread.horizon);
}

/// The place of an access that is recorded by a plain store, if the thread knows it: none where more has to be done.
[[gnu::always_inline]] inline ContextId place_at_once(const ThreadState& thread, Address granule, Kind kind,
                                                      Address pc) noexcept {
  const Frame* const top = thread.stack.top();
  if (thread.careful != 0 || thread.strand() == StrandId::none || is_atomic(kind) || thread.has_to_remember(granule) ||
      top == thread.stack.base() || top[-1].context == ContextId::none)
    return ContextId::none;
  const ThreadState::Site& memo = thread.remembered(pc, top[-1].context);
  return memo.pc == pc && memo.context == top[-1].context ? memo.site : ContextId::none;
}

} // namespace

// What follows calls nothing but at its end, so that it needs no stack frame.

// The most frequent cases: a strand is open, the place is known, and no question has to be asked.
template <auto recorded>
[[gnu::always_inline]] inline void RaceCheck::record_quickly(ThreadState& thread, Address granule, std::uint64_t need,
                                                             Address pc) {
  if (thread.strand() == StrandId::none || thread.has_to_remember(granule))
    return thread.races->check_thoroughly(thread, granule, need, pc);
  const ContextId place = known_site(thread, pc);
  if (place == ContextId::none) return thread.races->check_thoroughly(thread, granule, need, pc);
  const Cell now(thread.strand(), place, Cell(need).kind(), Cell(need).mask());
  if (!recorded(thread, first_cell(thread, granule), now)) thread.races->record_slowly(thread, granule, now);
}

// An atomic operation is told, and who wrote what it may read comes before it or has been noted: to repeat it adds
// nothing.
bool RaceCheck::told_with_writers(const ThreadState& thread, Address granule, std::uint64_t need) noexcept {
  const std::uint64_t* at = first_cell(thread, granule);
  const Cell first(__atomic_load_n(at, __ATOMIC_ACQUIRE));
  bool told = false;
  for (unsigned i = 0; i <= first.further(); ++i, at += thread.plane_distance) {
    const Cell cell(__atomic_load_n(at, __ATOMIC_RELAXED));
    if (cell.strand() == thread.strand())
      told = told || cell.tells(Cell::strand_part(thread.strand()), need);
    else if (writes(cell.kind()) && (cell.mask() & Cell(need).mask()) != 0 && !dead(cell, thread.horizon) &&
             !thread.known_before(cell.strand()) && !thread.has_read_from(cell.strand()))
      return false;
  }
  return told;
}

// An atomic operation that a twin has performed, too.
inline bool RaceCheck::told_by_twin(const ThreadState& thread, Address granule, std::uint64_t need) noexcept {
  const std::uint64_t* at = first_cell(thread, granule);
  const Cell first(__atomic_load_n(at, __ATOMIC_ACQUIRE));
  if (first.older_than(thread.horizon)) return false;
  bool told = thread.alike.tell_of_atomic(first, need);
  for (unsigned more = first.further(); more > 0 && !told; --more)
    told = thread.alike.tell_of_atomic(Cell(__atomic_load_n(at += thread.plane_distance, __ATOMIC_RELAXED)), need);
  return told;
}

[[gnu::always_inline]] inline bool RaceCheck::was_unrecorded(ThreadState& thread, Address granule,
                                                             std::uint64_t need) noexcept {
  const std::uint64_t first = __atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED);
  return thread.remembered_unrecorded(granule) == ThreadState::Unrecorded{granule, first, need, thread.strand()};
}

// Goes on with what the strand did to the granule at another place.
void RaceCheck::record_beside(ThreadState& thread, Address granule, std::uint64_t need, Address pc, Cell now) {
  std::uint64_t* const cell = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  const bool goes_on = first.strand() == now.strand() && first.kind() == now.kind() && first.further() == 0;
  const Cell both = goes_on ? with_known_place_beside(thread, first, now) : Cell();
  if (both == Cell() || both == now) return check(thread, granule, need, pc);
  __atomic_store_n(cell, both.raw(), __ATOMIC_RELEASE);
}

// What record_first() does in its most frequent cases: nobody has been there since the horizon, or only this strand, by
// accesses of the same kind. Cells are looked at twice rather than kept: few registers are needed, and no stack frame.
[[gnu::always_inline]] inline void RaceCheck::check_at_once(ThreadState& thread, Address granule, std::uint64_t need,
                                                            Address pc) {
  constexpr std::uint64_t same = Cell::strand_mask | Cell::further_mask | Cell::need(Kind::write, 0);
  const auto goes_on = [&](Cell first) {
    return ((first.raw() ^ Cell::strand_part(thread.strand()) ^ need) & same) == 0;
  };
  const auto look = [&] { return Cell(__atomic_load_n(first_cell(thread, granule), __ATOMIC_ACQUIRE)); };
  if (const Cell first = look(); !goes_on(first) && !first.older_than(thread.horizon))
    return check(thread, granule, need, pc);
  const ContextId place = place_at_once(thread, granule, Cell(need).kind(), pc);
  if (place == ContextId::none) return check(thread, granule, need, pc);
  Cell now(thread.strand(), place, Cell(need).kind(), Cell(need).mask());
  const Cell first = look();
  if (!first.older_than(thread.horizon)) {
    if (!goes_on(first)) return check(thread, granule, need, pc);
    if (same_line(now, first))
      now = widened(now, first);
    else if (!covering(now, first))
      return record_beside(thread, granule, need, pc, now);
  } else if (first == Cell()) { // the shadow may have to be filled
    return check(thread, granule, need, pc);
  }
  __atomic_store_n(first_cell(thread, granule), now.raw(), __ATOMIC_RELEASE);
}

void RaceCheck::check(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (is_atomic(Cell(need).kind()) && thread.races->reads_matter()) [[unlikely]] { // as in check.hpp
    if (told_with_writers(thread, granule, need) || was_unrecorded(thread, granule, need)) return;
    if (Cell(need).kind() == Kind::atomic_read && thread.same_past() && renew(thread, granule, need, pc)) return;
    return thread.races->check_thoroughly(thread, granule, need, pc);
  }
  if (is_atomic(Cell(need).kind()) && told_by_twin(thread, granule, need)) return;
  if (thread.in_section && check_in_section(thread, granule, need, pc)) return;
  check_alone(thread, granule, need, pc);
}

[[gnu::always_inline]] inline void RaceCheck::check_alone(ThreadState& thread, Address granule, std::uint64_t need,
                                                          Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  if (first.older_than(thread.horizon)) return record_quickly<record_first>(thread, granule, need, pc);
  if (const std::uint64_t joint = thread.joint_reads.met(first.strand(), thread.alike.first()); joint != 0) {
    thread.alike.meet(joint);
    if (thread.alike.tells(first.raw(), need) != 0) return;
  }
  if (first.further() == 0) return record_quickly<record_first>(thread, granule, need, pc);
  // A write is rarely told by the only further cell, or by any where the first one is its strand's: what records it
  // looks at them.
  const bool goes_on = first.further() == 2 && first.strand() == thread.strand();
  if ((first.further() > 1 && !goes_on) || Cell(need).kind() != Kind::write)
    return check_further(thread, granule, need, pc);
  record_quickly<record_known>(thread, granule, need, pc);
}

// The further cells, where memory that several strands read tells of this one. All of them: who looked before did not
// look at those of the last planes.
void RaceCheck::check_further(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const std::uint64_t* cell = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  const bool reads_on = Cell(need).kind() == Kind::read && thread.same_past(); // over its own cell, if it has one
  if (first.is_crowd() && !reads_on && first.admits(Cell(need).kind()) &&
      (keeps(thread, granule, first, need, pc) ||
       (Cell(need).kind() == Kind::read && passes_crowd(thread, granule, first, need, pc))))
    return;
  const bool reads = !writes(Cell(need).kind());
  for (unsigned more = first.further(); more > 0; --more) {
    cell += thread.plane_distance;
    const Cell further(__atomic_load_n(cell, __ATOMIC_RELAXED));
    if (reads ? thread.alike.tells(further.raw(), need) != 0 : further.tells(Cell::strand_part(thread.strand()), need))
      return;
  }
  if (reads_on) return check_further_same_past(thread, granule, need, pc);
  if (first.further() == Shadow::planes - 1) return check_full(thread, granule, need, pc);
  record_quickly<record_known>(thread, granule, need, pc);
}

void RaceCheck::check_further_same_past(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (renew(thread, granule, need, pc)) return;
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  if (first.is_crowd() && first.admits(Kind::read) && keeps(thread, granule, first, need, pc)) return;
  if (first.further() == Shadow::planes - 1) return check_full(thread, granule, need, pc);
  record_quickly<record_known>(thread, granule, need, pc);
}

// The first cell tells that all are in use.
void RaceCheck::check_full(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (was_unrecorded(thread, granule, need)) return;
  std::uint64_t first = __atomic_load_n(first_cell(thread, granule), __ATOMIC_ACQUIRE);
  if (const Crowd crowd = crowd_at(thread, granule, need, pc); crowd != Crowd::none && thread.may_crowd()) {
    if (crowd == Crowd::reads) {
      thread.races->meets_reader(thread, Cell(first).strand());
      __atomic_compare_exchange_n(first_cell(thread, granule), &first, Cell(first).with_crowd().raw(), false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return;
  }
  record_quickly<record_known>(thread, granule, need, pc);
}

// A concurrent access that this one covers, and that does not conflict with it, is known to be kept by decide().
[[gnu::always_inline]] inline bool RaceCheck::stays(const ThreadState& thread, Cell cell) noexcept {
  return thread.was_concurrent(cell.strand()) && constructs::unit_of(*thread.task).since == StrandId::none;
}

// What decide() does where no question has to be asked: all that the access meets is of this strand, or comes before
// it, or does not conflict with it. False otherwise. For a number of cells that is known, and calling nothing, so that
// registers are all that it needs.
template <unsigned used, bool reads>
[[gnu::always_inline]] inline bool RaceCheck::record_over(ThreadState& thread, std::uint64_t* cells, std::uint64_t seen,
                                                          Cell now) noexcept {
  std::uint64_t* at[Shadow::planes] = {cells};
  std::uint64_t found[Shadow::planes] = {seen};
  for (unsigned i = 1; i < Shadow::planes; ++i) at[i] = at[i - 1] + thread.plane_distance;
  for (unsigned i = 1; i < used; ++i) found[i] = __atomic_load_n(at[i], __ATOMIC_ACQUIRE);
  const Own own = own_cells(found, used, now);
  if (own.tell) return true;
  const unsigned wide = own.wide;
  unsigned kept = own.kept;
  Cell all = now.with_mask(static_cast<std::uint8_t>(wide)); // with what one cell tells of besides
  if (own.beside < used) {
    const Cell both = with_known_place_beside(thread, Cell(found[own.beside]), all);
    if (both == Cell()) return false;
    if (both == all) kept |= 1u << own.beside;
    all = both;
  }
  std::uint8_t left[Shadow::planes];
  // What it goes on reading after it told others something needs no room, and no question about what others read there.
  const bool may_go_on = reads && !thread.by_turns();
  bool trims = false, crowd = now.kind() != Kind::write && kept == 0, goes_on = false, asks = false;
  for (unsigned i = 0; i < used; ++i) {
    const Cell cell(found[i]);
    left[i] = cell.mask();
    if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
    if ((cell.mask() & wide) != 0) {
      const bool covered = covers(now.kind(), cell.kind());
      if (!thread.known_before(cell.strand())) {
        if (!reads || conflict(now.kind(), cell.kind())) return false;
        asks |= thread.joins && same_line(all, cell);
        asks |= covered && is_among(cell, own.told) && !stays(thread, cell);
        if (asks && !may_go_on) return false;
      } else if (covered) {
        if (is_among(cell, own.told)) {
          goes_on |= thread.is_own(cell.strand());
          continue;
        }
        left[i] = static_cast<std::uint8_t>(cell.mask() & ~wide);
        trims |= i != 0;
      }
    }
    kept |= 1u << i;
    crowd &= now.admits(cell.kind());
  }
  if (asks && !goes_on) return false;
  if ((kept & 1) != 0) {
    const unsigned to = static_cast<unsigned>(std::countr_one(kept));
    if (to == Shadow::planes) return false;
    shadow_.touch(to);
    __atomic_store_n(cells + to * thread.plane_distance, Cell(seen).with_mask(left[0]).with_further(0).raw(),
                     __ATOMIC_RELEASE);
    kept |= 1u << to;
  }
  const unsigned further = static_cast<unsigned>(std::bit_width(kept >> 1));
  now = all.with_further(further);
  crowd = crowd && further == Shadow::planes - 1;
  for (unsigned i = 0; crowd && i < used; ++i)
    crowd = (kept >> i & 1) == 0 || !tables_.is_joint(Cell(found[i]).strand());
  if (crowd) now = now.with_crowd();
  if (!put(thread, cells, seen, now)) return false;
  if (!trims || further < 2) return true;
  // Others may store in a further cell meanwhile. Where there is room the locked instruction is not worth it.
  for (unsigned i = 1; i < used; ++i) {
    std::uint64_t expected = found[i];
    if (const Cell cell(expected); (kept >> i & 1) != 0 && left[i] != cell.mask())
      __atomic_compare_exchange_n(at[i], &expected, cell.with_mask(left[i]).raw(), false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_RELAXED);
  }
  return true;
}

template <bool reads>
[[gnu::always_inline]] inline bool RaceCheck::record_over_all(ThreadState& thread, Address granule, std::uint64_t seen,
                                                              Cell now) noexcept {
  std::uint64_t* const cells = shadow_.row(0, granule);
  switch (Cell(seen).further()) {
  case 1:
    return record_over<2, reads>(thread, cells, seen, now);
  case 2:
    return record_over<3, reads>(thread, cells, seen, now);
  default:
    return record_over<4, reads>(thread, cells, seen, now);
  }
}

// A write to a part of what strands did that are known to come before, as where a task merges what others sorted: what
// remains of the first cell gets a plane, the others stay as they are. Or the other part, at the same line: nothing
// remains of them. False where there is more to it.
bool RaceCheck::write_over_known(ThreadState& thread, std::uint64_t* cells, std::uint64_t seen, Cell now) noexcept {
  const Cell first(seen);
  if (thread.in_section || first.further() == Shadow::planes - 1) return false;
  std::uint8_t rest = 0; // of the first cell
  if (first.strand() == now.strand()) {
    if (!same_line(now, first)) return false;
    now = widened(now, first);
  } else if (!dead(first, thread.horizon)) {
    if (!thread.known_before(first.strand())) return false;
    rest = static_cast<std::uint8_t>(first.mask() & ~now.mask());
  }
  unsigned kept = 0; // a bit for each further cell
  std::uint64_t* at = cells;
  for (unsigned i = 1; i <= first.further(); ++i) {
    const Cell cell(__atomic_load_n(at += thread.plane_distance, __ATOMIC_ACQUIRE));
    if (dead(cell, thread.horizon)) continue;
    if (cell.strand() == now.strand() || !thread.known_before(cell.strand())) return false;
    if ((cell.mask() & ~now.mask()) != 0) kept |= 1u << (i - 1);
  }
  if (rest != 0) {
    const auto to = static_cast<unsigned>(std::countr_one(kept));
    shadow_.touch(to + 1);
    __atomic_store_n(cells + (to + 1) * thread.plane_distance, first.with_mask(rest).with_further(0).raw(),
                     __ATOMIC_RELEASE);
    kept |= 1u << to;
  }
  return put(thread, cells, seen, now.with_further(static_cast<unsigned>(std::bit_width(kept))));
}

void RaceCheck::write_among_known(ThreadState& thread, Address granule, std::uint64_t seen, Cell now) {
  if (has_crowd(granule, seen, now)) return record_with_care(thread, granule, now);
  if (!record_over_all<false>(thread, granule, seen, now)) record_as_before(thread, granule, now);
}

void RaceCheck::read_among_known(ThreadState& thread, Address granule, std::uint64_t seen, Cell now) {
  if (has_crowd(granule, seen, now)) return record_with_care(thread, granule, now);
  if (!record_over_all<true>(thread, granule, seen, now)) record_as_before(thread, granule, now);
}

void RaceCheck::record_slowly(ThreadState& thread, Address granule, Cell now) {
  if (thread.in_checker) return;
  std::uint64_t* const cells = shadow_.row(0, granule);
  const std::uint64_t seen = __atomic_load_n(cells, __ATOMIC_ACQUIRE);
  if (Cell(seen).further() != 0) {
    if (now.kind() == Kind::write && write_over_known(thread, cells, seen, now)) return;
    return writes(now.kind()) ? write_among_known(thread, granule, seen, now)
                              : read_among_known(thread, granule, seen, now);
  }
  // Of a strand that has to be asked about (record_first): what is found out about conflicts is not remembered. Or the
  // shadow is not filled.
  if (seen == 0 || conflict(Cell(seen).kind(), now.kind())) return record_with_care(thread, granule, now);
  record_as_before(thread, granule, now);
}

void RaceCheck::check_if_untold(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  const bool anew = is_atomic(Cell(need).kind()) && reads_matter();
  if (anew || !first.tells(Cell::strand_part(thread.strand()), need)) check(thread, granule, need, pc);
}

void RaceCheck::check_pair(ThreadState& thread, Address granule, Kind kind, Address pc) {
  const std::uint64_t need = Cell::need(kind, all_bytes);
  const bool can_record = thread.strand() != StrandId::none && !thread.has_to_remember(granule) && !is_atomic(kind);
  ContextId place = can_record ? known_site(thread, pc) : ContextId::none;
  if (can_record && place == ContextId::none) place = remembered_site(thread, pc);
  const Cell now(thread.strand(), place, kind, all_bytes);
  for (const Address part : {granule, granule + 8})
    if (place == ContextId::none || !told_or_recorded(thread, shadow_.row(0, part), now))
      check_if_untold(thread, part, need, pc);
}

void check_granule(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  // Memory whose cell was not in the cache is mostly not there either, and what follows depends on the cell.
  __builtin_prefetch(reinterpret_cast<const void*>(granule));
  RaceCheck::check_at_once(thread, granule, need, pc);
}

void check_same_past(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  if (thread.strand() == StrandId::none) {
    if (!RaceCheck::repeats_at_rest(thread, granule, need, pc))
      thread.races->check_thoroughly(thread, granule, need, pc);
    return;
  }
  if (thread.in_section ? RaceCheck::read_again_in_section(thread, granule, need, pc)
                        : RaceCheck::renew_settled(thread, granule, need, pc))
    return;
  if (Cell(need).kind() == Kind::read && told_of_read(thread, first_cell(thread, granule), need)) return;
  RaceCheck::check(thread, granule, need, pc);
}

void check_pair(ThreadState& thread, Address granule, Kind kind, Address pc) {
  const std::uint64_t need = Cell::need(kind, all_bytes);
  std::uint64_t* const cells = first_cell(thread, granule);
  if (is_free(thread, cells) && is_free(thread, cells + 1)) {
    if (const ContextId place = place_at_once(thread, granule, kind, pc); place != ContextId::none) {
      const std::uint64_t now = Cell(thread.strand(), place, kind, all_bytes).raw();
      __atomic_store_n(cells, now, __ATOMIC_RELEASE);
      __atomic_store_n(cells + 1, now, __ATOMIC_RELEASE);
      return;
    }
  } else if (kind == Kind::read && told_of_read(thread, cells, need) && told_of_read(thread, cells + 1, need)) {
    return;
  }
  thread.races->check_pair(thread, granule, kind, pc);
}

bool told_of_reads(const ThreadState& thread, Address granule, std::size_t count) noexcept {
  return thread.races->told_of_reads(thread, first_cell(thread, granule), count) == count;
}

} // namespace fletcher::access
