// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short ways into shadow memory, for accesses that the inlined path does not answer: a further cell records them,
// or recording them needs no question about the order of strands that was not answered before. What they go on to is in
// record_over.cpp and record.cpp.
#include "checker/access/check.hpp"
#include "checker/access/recording/recording.hpp"
#include "checker/access/sharing/crowd.hpp"

namespace fletcher::access {

namespace {

constexpr std::uint8_t all_bytes = 0xff;

/// Nobody has been there since the horizon. A cell that is empty may be in a part of the shadow that has to be filled.
inline bool is_free(const ThreadState& thread, const std::uint64_t* cell) noexcept {
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  return first != Cell() && first.older_than(thread.horizon);
}

/// The cell is of a joint strand that the thread has met before: it looks for it at once from now on.
inline bool meet_again(ThreadState& thread, Cell cell) noexcept {
  const std::uint64_t joint = thread.joint_reads.met(cell.strand(), thread.alike.first());
  if (joint != 0) thread.alike.meet(joint);
  return joint != 0;
}

/// In loops with many units threads meet many joint strands.
inline bool told_of_alike(ThreadState& thread, Cell cell, std::uint64_t need) noexcept {
  return thread.alike.tells(cell.raw(), need) != 0 ||
         (thread.alike.has_twins() && meet_again(thread, cell) && thread.alike.told_jointly(cell.raw(), need));
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

// An atomic operation is recorded, and who wrote what it may read comes before it or has been noted: to repeat it adds
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
// accesses of the same kind, or by such as this one covers. Cells are looked at twice rather than kept: few registers
// are needed, and no stack frame.
[[gnu::always_inline]] inline void RaceCheck::check_at_once(ThreadState& thread, Address granule, std::uint64_t need,
                                                            Address pc) {
  constexpr std::uint64_t same = Cell::strand_mask | Cell::further_mask, kinds = Cell::need(Kind::write, 0),
                          all = Cell::need(Kind::write, all_bytes);
  const auto goes_on = [&](Cell first) {
    return ((first.raw() ^ Cell::strand_part(thread.strand())) & same) == 0 &&
           (((first.raw() ^ need) & kinds) == 0 || (first.raw() & all & ~need) == 0); // covering()
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
    else if (!covering(now, first)) // of the same kind
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
  if (thread.in_any_section() && check_in_section(thread, granule, need, pc)) return;
  check_alone(thread, granule, need, pc);
}

// A read of other bytes where the cell of its twins' reads stands (join_twins) becomes part of that, if nobody writes.
[[gnu::always_inline]] inline bool RaceCheck::joins_twins(ThreadState& thread, Address granule, Cell first,
                                                          std::uint64_t need, Address pc) noexcept {
  const StrandId twins = thread.joint_reads.of_twins(thread.alike.first());
  if (twins == StrandId::none || Cell(need).kind() != Kind::read || thread.has_to_remember(granule)) return false;
  const ContextId place = known_site(thread, pc);
  std::uint64_t *at = first_cell(thread, granule), *theirs = nullptr;
  for (unsigned left = first.further() + 1; left > 0; --left, at += thread.plane_distance) {
    const Cell cell(__atomic_load_n(at, __ATOMIC_ACQUIRE));
    if (cell.kind() != Kind::read) return false;
    if (cell.strand() == twins && cell.site() == place) theirs = at;
  }
  if (theirs == nullptr) return false;
  std::uint64_t seen = __atomic_load_n(theirs, __ATOMIC_RELAXED);
  return Cell(seen).strand() == twins && Cell(seen).site() == place &&
         __atomic_compare_exchange_n(theirs, &seen, seen | Cell(need).mask(), false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

[[gnu::always_inline]] inline void RaceCheck::check_alone(ThreadState& thread, Address granule, std::uint64_t need,
                                                          Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  if (first.older_than(thread.horizon)) return record_quickly<record_first>(thread, granule, need, pc);
  if (meet_again(thread, first) && thread.alike.tells(first.raw(), need) != 0) return;
  if (joins_twins(thread, granule, first, need, pc)) return;
  if (first.further() == 0) return record_quickly<record_first>(thread, granule, need, pc);
  // A write is rarely recorded by the only further cell, or by any where the first one is its strand's: what records it
  // looks at them.
  const bool goes_on = first.further() == 2 && first.strand() == thread.strand();
  if ((first.further() > 1 && !goes_on) || Cell(need).kind() != Kind::write)
    return check_further(thread, granule, need, pc);
  record_quickly<record_known>(thread, granule, need, pc);
}

// The further cells, where memory that several strands read records this one. All of them: who looked before did not
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
    if (reads ? told_of_alike(thread, further, need) : further.tells(Cell::strand_part(thread.strand()), need)) return;
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
  std::uint64_t first = __atomic_load_n(first_cell(thread, granule), __ATOMIC_ACQUIRE);
  if (thread.strand() == StrandId::none && Cell(first).is_crowd())
    return thread.races->check_thoroughly(thread, granule, need, pc);
  if (was_unrecorded(thread, granule, need) || thread.races->keeps_repeated(thread, granule, need, pc)) return;
  if (const Crowd crowd = crowd_at(thread, granule, need, pc); crowd != Crowd::none && thread.may_crowd()) {
    if (crowd == Crowd::reads) {
      thread.races->meets_reader(thread, Cell(first).strand());
      __atomic_compare_exchange_n(first_cell(thread, granule), &first, Cell(first).with_crowd().raw(), false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return;
  }
  const auto among_readers = [&] {
    const InChecker inside(thread);
    return thread.races->read_among_readers(thread, granule, need, pc);
  };
  if (!thread.in_checker && among_readers()) return;
  record_quickly<record_known>(thread, granule, need, pc);
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
  if (thread.in_any_section() ? RaceCheck::read_again_in_section(thread, granule, need, pc)
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
