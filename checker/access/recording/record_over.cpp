// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an access is recorded over what the cells of a granule tell, where no question about the order of strands has to
// be asked: all that they tell is of this strand, or known to come before, or stays. What check.cpp's short ways go on
// to; the rest is in record.cpp.
#include "checker/access/recording/recording.hpp"
#include "checker/constructs/strand.hpp"

#include <bit>

namespace fletcher::access {

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
  Cell all = now.with_mask(static_cast<std::uint8_t>(wide)); // with what one cell records besides
  if (own.beside < used) {
    const Cell both = with_known_place_beside(thread, Cell(found[own.beside]), all);
    if (both == Cell()) return false;
    if (both == all) kept |= 1u << own.beside;
    all = both;
  }
  std::uint8_t left[Shadow::planes];
  // What it goes on reading after it told others something needs no room, and no question about what others read there.
  const bool may_go_on = reads && !thread.by_turns();
  const bool joins_twins = reads && thread.alike.has_twins() && thread.joint_reads.apart_left == 0;
  bool trims = false, crowd = now.kind() != Kind::write && kept == 0, goes_on = false, asks = false;
  for (unsigned i = 0; i < used; ++i) {
    const Cell cell(found[i]);
    left[i] = cell.mask();
    if (cell.strand() == now.strand() || dead(cell, thread.horizon)) continue;
    if (joins_twins && is_by_twin(thread, cell, now)) return false;
    if ((cell.mask() & wide) != 0) {
      const bool covered = covers(now.kind(), cell.kind());
      const bool asks_at_once = !reads || conflict(now.kind(), cell.kind());
      if (!(asks_at_once ? comes_before_at_once(thread, cell.strand()) : thread.known_before(cell.strand()))) {
        if (asks_at_once) return false;
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
    if (!comes_before_at_once(thread, first.strand())) return false;
    rest = static_cast<std::uint8_t>(first.mask() & ~now.mask());
  }
  unsigned kept = 0; // a bit for each further cell
  std::uint64_t* at = cells;
  for (unsigned i = 1; i <= first.further(); ++i) {
    const Cell cell(__atomic_load_n(at += thread.plane_distance, __ATOMIC_ACQUIRE));
    if (dead(cell, thread.horizon)) continue;
    if (cell.strand() == now.strand() || !comes_before_at_once(thread, cell.strand())) return false;
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
  if (has_kept(granule, seen, now)) return record_with_care(thread, granule, now);
  if (!record_over_all<false>(thread, granule, seen, now)) record_as_before(thread, granule, now);
}

void RaceCheck::read_among_known(ThreadState& thread, Address granule, std::uint64_t seen, Cell now) {
  if (has_kept(granule, seen, now)) return record_with_care(thread, granule, now);
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

} // namespace fletcher::access
