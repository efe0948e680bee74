// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short ways into shadow memory, for accesses that the inlined path does not answer: a further cell tells of them,
// or recording them needs no question about the order of strands that was not answered before. The rest is in
// record.cpp.
#include "checker/access/check.hpp"
#include "checker/access/race_check.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>

namespace fletcher::access {

namespace {

constexpr std::uint8_t all_bytes = 0xff;

} // namespace

// Another unit of work of this thread has made the same read, and nothing happened between the two: whoever is
// concurrent with one of them is so with the other. So the chunks of a dynamic loop need not record one by one what all
// of them read. Which of a granule's cells is the one changes from granule to granule: without branches that depend on
// it, the cache misses of several reads overlap.
inline StrandId RaceCheck::twin_that_tells(const ThreadState& thread, const std::uint64_t* at, Cell first,
                                           std::uint64_t need) const noexcept {
  if (thread.strand() == StrandId::none || thread.strands != thread.strands_at_unit + 1) return StrandId::none;
  const std::uint64_t care = need | Cell::need(Kind::atomic_write, 0);
  const std::uint32_t since = number(thread.twins_since), span = number(thread.strand()) - since;
  const ChainId chain = tables_.block_of(thread.strand()).chain;
  const auto twin = [&](Cell cell) {
    const unsigned alike = (cell.raw() & care) == need;
    const unsigned recent = number(cell.strand()) - since <= span;
    return alike & recent & unsigned{tables_.block_of(cell.strand()).chain == chain};
  };
  StrandId found = twin(first) != 0 ? first.strand() : StrandId::none;
  for (unsigned more = first.further(); more > 0; --more) {
    at += thread.plane_distance;
    const Cell cell(__atomic_load_n(at, __ATOMIC_RELAXED));
    found = twin(cell) != 0 ? cell.strand() : found;
  }
  return found;
}

/// A twin's write does not stand for a read: another thread could have executed one of the two units.
constexpr std::uint64_t care_of_twin(std::uint64_t need) noexcept {
  return Cell::strand_mask | need | Cell::need(Kind::atomic_write, 0);
}

// The strand itself, or the twin of its that was found last: without branches, too.
[[gnu::always_inline]] inline bool RaceCheck::told_of_read(const ThreadState& thread, const std::uint64_t* cell,
                                                           std::uint64_t need) noexcept {
  const std::uint64_t mine = thread.mine[0], twin = thread.twin.telling_reads, care = Cell::strand_mask | need,
                      care_of_reads = care_of_twin(need);
  const auto tells = [=](std::uint64_t one) {
    return static_cast<unsigned>(((one ^ mine) & care) == 0) |
           static_cast<unsigned>(((one ^ twin) & care_of_reads) == 0);
  };
  const std::uint64_t first = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
  unsigned told = tells(first);
  for (unsigned more = Cell(first).further(); more > 0; --more) {
    cell += thread.plane_distance;
    told |= tells(__atomic_load_n(cell, __ATOMIC_RELAXED));
  }
  return told != 0 && !Cell(first).older_than(thread.horizon);
}

// What follows up to record_slowly calls nothing but at its end, so that it needs no stack frame.
[[gnu::always_inline]] inline void RaceCheck::check(ThreadState& thread, Address granule, std::uint64_t need,
                                                    Address pc) {
  if (is_atomic(Cell(need).kind()) && thread.races->reads_matter()) [[unlikely]]
    return thread.races->check_thoroughly(thread, granule, need, pc); // as in check.hpp
  if (thread.twins_since != StrandId::none && !writes(Cell(need).kind()))
    return check_among_twins(thread, granule, need, pc);
  check_alone(thread, granule, need, pc);
}

[[gnu::always_inline]] inline void RaceCheck::check_alone(ThreadState& thread, Address granule, std::uint64_t need,
                                                          Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  if (first.further() != 0 && !first.older_than(thread.horizon)) return check_further(thread, granule, need, pc);
  record_quickly<record_first>(thread, granule, need, pc);
}

void RaceCheck::check_among_twins(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const std::uint64_t* const cell = first_cell(thread, granule);
  if (thread.has_twin() && told_of_read(thread, cell, need)) return;
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  // No other unit has been at memory that nobody accessed since the horizon, or this one alone.
  const bool no_twin = first.older_than(thread.horizon) || (first.strand() == thread.strand() && first.further() == 0);
  const StrandId twin = no_twin ? StrandId::none : thread.races->twin_that_tells(thread, cell, first, need);
  if (twin == StrandId::none) return check_alone(thread, granule, need, pc);
  thread.found_twin(twin);
}

// The further cells, where memory that several strands read tells of this one.
void RaceCheck::check_further(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const std::uint64_t mine = Cell::strand_part(thread.strand());
  const std::uint64_t* cell = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  if (told_further(thread, cell, first, mine, need)) return;
  if (first.further() == Shadow::planes - 1 &&
      thread.remembered_unrecorded(granule) == ThreadState::Unrecorded{granule, first.raw(), need, thread.strand()})
    return;
  record_quickly<record_known>(thread, granule, need, pc);
}

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

void RaceCheck::check_if_untold(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
  const bool anew = is_atomic(Cell(need).kind()) && reads_matter();
  if (anew || !first.tells(Cell::strand_part(thread.strand()), need)) check(thread, granule, need, pc);
}

// What is the same for all of them is asked once.
void RaceCheck::check_strided(ThreadState& thread, Address first, Address step, std::size_t granules, std::size_t count,
                              Kind kind, Address pc) {
  const std::uint64_t need = Cell::need(kind, all_bytes);
  const Address length = step * (count - 1), low = std::min(first, first + length),
                high = std::max(first, first + length) + granules * 8;
  const bool plain = !is_atomic(kind) && (kind == Kind::write || thread.twins_since == StrandId::none) &&
                     (high <= thread.stack_low || low >= thread.stack_high) &&
                     (high <= thread.tls_low || low >= thread.tls_high);
  const auto cell_now = [&] {
    const bool can_record = plain && thread.strand() != StrandId::none;
    const ContextId place = can_record ? remembered_site(thread, pc) : ContextId::none;
    return place == ContextId::none ? Cell() : Cell(thread.strand(), place, kind, all_bytes);
  };
  Cell now = cell_now();
  for (; count > 0; --count, first += step)
    for (Address granule = first; granule < first + granules * 8; granule += 8) {
      if (now != Cell() && record_known(thread, shadow_.row(0, granule), now)) continue;
      check_if_untold(thread, granule, need, pc);
      if (now == Cell()) now = cell_now();
    }
}

void RaceCheck::check_pair(ThreadState& thread, Address granule, Kind kind, Address pc) {
  const std::uint64_t need = Cell::need(kind, all_bytes);
  const bool can_record = thread.strand() != StrandId::none && !thread.has_to_remember(granule) && !is_atomic(kind) &&
                          (kind == Kind::write || thread.twins_since == StrandId::none);
  ContextId place = can_record ? known_site(thread, pc) : ContextId::none;
  if (can_record && place == ContextId::none) place = remembered_site(thread, pc);
  const Cell now(thread.strand(), place, kind, all_bytes);
  for (const Address part : {granule, granule + 8})
    if (place == ContextId::none || !record_known(thread, shadow_.row(0, part), now))
      check_if_untold(thread, part, need, pc);
}

void check_granule(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  // Memory whose cell was not in the cache is mostly not there either, and what follows depends on the cell.
  __builtin_prefetch(reinterpret_cast<const void*>(granule));
  RaceCheck::check(thread, granule, need, pc);
}

// What several threads read has mostly its cells in the same plane.
void check_pair(ThreadState& thread, Address granule, Kind kind, Address pc) {
  const std::uint64_t* cells = first_cell(thread, granule);
  std::uint64_t low = __atomic_load_n(cells, __ATOMIC_ACQUIRE), high = __atomic_load_n(cells + 1, __ATOMIC_ACQUIRE);
  if (kind == Kind::read && !Cell(std::min(low, high)).older_than(thread.horizon)) {
    const std::uint64_t need = Cell::need(kind, all_bytes);
    const bool has_twin = thread.has_twin();
    const auto told = [&](std::uint64_t telling, std::uint64_t care) {
      return (((low ^ telling) | (high ^ telling)) & care) == 0;
    };
    for (unsigned more = std::min(Cell(low).further(), Cell(high).further());; --more) {
      if (told(thread.mine[0], Cell::strand_mask | need)) return;
      if (has_twin && told(thread.twin.telling_reads, care_of_twin(need))) return;
      if (more == 0) break;
      cells += thread.plane_distance;
      low = __atomic_load_n(cells, __ATOMIC_RELAXED);
      high = __atomic_load_n(cells + 1, __ATOMIC_RELAXED);
    }
  }
  thread.races->check_pair(thread, granule, kind, pc);
}

void check_strided(ThreadState& thread, Address first, Address step, std::size_t granules, std::size_t count, Kind kind,
                   Address pc) {
  const std::uint64_t mine = Cell::strand_part(thread.strand()), need = Cell::need(kind, all_bytes);
  const auto told = [&](Address granule) {
    return Cell(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED)).tells(mine, need);
  };
  // Mostly told before.
  if (granules == 1) {
    for (; count > 0 && told(first); first += step) --count;
  } else {
    for (Address last = first + granules * 8; count > 0; last += step, first += step, --count)
      for (Address granule = first; granule < last; granule += 8)
        if (!told(granule)) return thread.races->check_strided(thread, first, step, granules, count, kind, pc);
  }
  if (count > 0) thread.races->check_strided(thread, first, step, granules, count, kind, pc);
}

} // namespace fletcher::access
