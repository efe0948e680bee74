// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of cells, four at a time where that comes to the same as one by one.
#include "checker/access/cells/cell_row_avx2.hpp"

#include "checker/access/cells/cell_row_one_by_one.hpp"

#if defined(__x86_64__)
#include <algorithm>
#include <immintrin.h>

namespace fletcher::access::avx2 {

using one_by_one::glanced_at;
using one_by_one::piece;

namespace {

/// Goes before every call of a function that is not for AVX2: while the upper halves of registers are in use, SSE
/// instructions have to keep them, for which some processors wait. gcc 12 forgets it before tail calls.
[[gnu::target("avx2"), gnu::always_inline]] inline void leave_avx2() noexcept { _mm256_zeroupper(); }

using Four = __m256i;
[[gnu::target("avx2"), gnu::always_inline]] inline Four all(std::uint64_t value) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(value));
}
[[gnu::target("avx2"), gnu::always_inline]] inline bool none(Four lanes) noexcept {
  return _mm256_testz_si256(lanes, lanes) != 0;
}
/// The values of the lanes that are set.
[[gnu::target("avx2"), gnu::always_inline]] inline void store(std::uint64_t* cells, Four lanes, Four values) noexcept {
  _mm256_maskstore_epi64(reinterpret_cast<long long*>(cells), lanes, values);
}

[[gnu::target("avx2"), gnu::always_inline]] inline void clear_four(std::uint64_t* cells) noexcept {
  auto* const four = reinterpret_cast<__m256i*>(cells);
  const __m256i seen = _mm256_loadu_si256(four);
  if (!_mm256_testz_si256(seen, seen)) _mm256_storeu_si256(four, _mm256_setzero_si256());
}
/// Alike::tells of four cells at once.
struct FourAlike {
  __m256i since, span, need, care, care_of_joint;
  const std::uint64_t* joints;

  [[gnu::target("avx2"), gnu::always_inline]] FourAlike(const Alike& alike, std::uint64_t needed) noexcept {
    // Signed compares stand in for unsigned ones: the sign bits are flipped on both sides.
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    since = all(alike.since ^ sign);
    span = all(alike.span ^ sign);
    need = all(needed);
    care = all(needed | alike.never);
    care_of_joint = all(needed | Cell::strand_mask);
    joints = alike.joints.data();
  }
  [[gnu::target("avx2"), gnu::always_inline]] __m256i tells(__m256i cells) const noexcept {
    const __m256i wrong = _mm256_and_si256(_mm256_xor_si256(cells, need), care);
    const __m256i own = _mm256_and_si256(_mm256_cmpeq_epi64(wrong, _mm256_setzero_si256()),
                                         _mm256_cmpgt_epi64(span, _mm256_sub_epi64(cells, since)));
    if (_mm256_movemask_epi8(own) == -1) return own;
    const __m256i slots =
        _mm256_and_si256(_mm256_srli_epi64(cells, Alike::slot_shift), all(std::uint64_t{Alike::slot_mask}));
    const __m256i joint = _mm256_i64gather_epi64(reinterpret_cast<const long long*>(joints), slots, 1);
    const __m256i others = _mm256_and_si256(_mm256_xor_si256(cells, joint), care_of_joint);
    return _mm256_or_si256(own, _mm256_cmpeq_epi64(others, _mm256_setzero_si256()));
  }
};

/// Whether something is in the way of a record, in four cells at once.
struct FourToRecord {
  static constexpr std::uint64_t sign = std::uint64_t{1} << 63; ///< flipped, as above
  __m256i now, limit, in_the_way;

  [[gnu::target("avx2"), gnu::always_inline]] FourToRecord(std::uint64_t horizon, Cell cell) noexcept {
    now = all(cell.raw());
    limit = all(horizon ^ sign);
    in_the_way = all(Cell::further_mask | (Cell::need(Kind::write, 0) & ~cell.raw()));
  }
  /// Not zero where a cell matters and is of another strand, has further ones, or records a stronger access.
  [[gnu::target("avx2"), gnu::always_inline]] __m256i of_others(__m256i seen) const noexcept {
    const __m256i old = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(seen, all(sign)));
    const __m256i other = _mm256_and_si256(_mm256_xor_si256(seen, now), all(Cell::strand_mask));
    return _mm256_andnot_si256(old, _mm256_or_si256(other, _mm256_and_si256(seen, in_the_way)));
  }
};

} // namespace

[[gnu::target("avx2")]] void clear(std::uint64_t* cells, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + glanced_at <= count; i += glanced_at) {
    const auto* const four = reinterpret_cast<const __m256i*>(cells + i);
    const __m256i low = _mm256_or_si256(_mm256_loadu_si256(four), _mm256_loadu_si256(four + 1));
    const __m256i high = _mm256_or_si256(_mm256_loadu_si256(four + 2), _mm256_loadu_si256(four + 3));
    if (none(_mm256_or_si256(low, high))) [[likely]]
      continue;
    for (std::size_t j = i; j < i + glanced_at; j += piece) clear_four(cells + j);
  }
  for (; i + piece <= count; i += piece) clear_four(cells + i);
  if (i == count) return;
  if (count >= piece) return clear_four(cells + count - piece);
  for (; i < count; ++i) one_by_one::clear_piece<1>(cells + i);
}

// A load or store of 32 bytes is one of four whole cells: x86-64 splits it between 8-byte words at most.
[[gnu::target("avx2")]] std::size_t told(const std::uint64_t* cells, std::size_t count, std::uint64_t strand,
                                         std::uint64_t need) noexcept {
  const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(strand | need));
  const __m256i care = _mm256_set1_epi64x(static_cast<long long>(Cell::strand_mask | need));
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells + i));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells + i + 4));
    const __m256i wrong = _mm256_or_si256(_mm256_xor_si256(a, mine), _mm256_xor_si256(b, mine));
    if (!_mm256_testz_si256(wrong, care)) break;
  }
  leave_avx2();
  return i + one_by_one::told(cells + i, count - i, strand, need);
}

// Reads are scattered, and cells mostly not in the cache: no branch depends on them before those of a record are there,
// except for those of the last planes.
[[gnu::target("avx2")]] std::size_t told_of_reads(const std::uint64_t* cells, std::size_t plane_distance,
                                                  std::size_t count, const Alike& alike) noexcept {
  const FourAlike reads(alike, Cell::need(Kind::read, 0xff));
  const Four further_mask = all(Cell::further_mask);
  Four told = all(~std::uint64_t{0});
  std::size_t i = 0, known = 0;
  for (std::size_t branch_at = 8; i + 4 <= count; i += 4) { // at ever longer distances
    if (i == branch_at) {
      if (_mm256_movemask_pd(_mm256_castsi256_pd(told)) != 0xf) break;
      known = i;
      branch_at += std::min<std::size_t>(known, 64);
    }
    const auto at = [&](unsigned plane) { return reinterpret_cast<const Four*>(cells + plane * plane_distance + i); };
    const auto beyond = [](unsigned plane) { return (std::uint64_t{plane} << Cell::further_shift) - 1; };
    const Four first = _mm256_loadu_si256(at(0)), further = _mm256_and_si256(first, further_mask);
    const Four second_used = _mm256_cmpgt_epi64(further, all(beyond(1)));
    // Where there is no second cell it is the first one again, so that pages which nobody used stay untouched.
    const std::size_t distance = plane_distance & -std::size_t{!none(second_used)};
    const Four second = _mm256_loadu_si256(reinterpret_cast<const Four*>(cells + distance + i));
    Four these = _mm256_or_si256(reads.tells(first), _mm256_and_si256(second_used, reads.tells(second)));
    for (unsigned plane = 2; plane < CellRow::planes; ++plane) {
      const Four used = _mm256_cmpgt_epi64(further, all(beyond(plane)));
      if (none(used)) break;
      these = _mm256_or_si256(these, _mm256_and_si256(used, reads.tells(_mm256_loadu_si256(at(plane)))));
    }
    told = _mm256_and_si256(told, these);
  }
  if (_mm256_movemask_pd(_mm256_castsi256_pd(told)) == 0xf) known = i;
  leave_avx2();
  return known + one_by_one::told_of_reads(cells + known, plane_distance, count - known, alike);
}

[[gnu::target("avx2")]] std::size_t record(std::uint64_t* cells, std::size_t count, std::uint64_t horizon,
                                           Cell now) noexcept {
  const FourToRecord four(horizon, now);
  std::size_t i = 0;
  while (i + 4 <= count) {
    auto* const row = reinterpret_cast<Four*>(cells + i);
    // Mostly long rows that nobody else touches: one branch for eight.
    const bool eight = i + 8 <= count;
    const Four low = four.of_others(_mm256_loadu_si256(row));
    const Four any = eight ? _mm256_or_si256(low, four.of_others(_mm256_loadu_si256(row + 1))) : low;
    const std::size_t step = eight ? 8 : 4;
    if (!none(any)) {
      leave_avx2();
      const std::size_t few = one_by_one::record(cells + i, step, horizon, now);
      if (few != step) return i + few;
    } else {
      _mm256_storeu_si256(row, four.now);
      if (eight) _mm256_storeu_si256(row + 1, four.now);
    }
    i += step;
  }
  leave_avx2();
  return i + one_by_one::record(cells + i, count - i, horizon, now);
}

[[gnu::target("avx2")]] std::size_t repeat(const CellRow::Change& change, std::size_t count) noexcept {
  const __m256i care = _mm256_set1_epi64x(static_cast<long long>(change.care));
  const __m256i further = _mm256_set1_epi64x(static_cast<long long>(Cell::further_mask));
  const __m256i now = _mm256_set1_epi64x(static_cast<long long>(change.now.raw()));
  __m256i seen[4];
  for (unsigned i = 0; i < change.used; ++i) seen[i] = _mm256_set1_epi64x(static_cast<long long>(change.seen[i]));
  std::size_t n = 0;
  for (; n + 4 <= count; n += 4) {
    __m256i* const row = reinterpret_cast<__m256i*>(change.rows[0] + n);
    const __m256i first = _mm256_loadu_si256(row);
    __m256i differs = _mm256_xor_si256(first, seen[0]);
    for (unsigned i = 1; i < change.used; ++i) {
      const __m256i more = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(change.rows[i] + n));
      differs = _mm256_or_si256(differs, _mm256_xor_si256(more, seen[i]));
    }
    if (!_mm256_testz_si256(differs, care)) break;
    if (change.moved != 0)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(change.rows[change.moved] + n),
                          _mm256_andnot_si256(further, first));
    _mm256_storeu_si256(row, now);
  }
  leave_avx2();
  return one_by_one::repeat(change, n, count);
}

// What the cells of four granules are differs from one to the next, where several strands share memory: no branch
// depends on it, except for how many planes are in use.
[[gnu::target("avx2")]] std::size_t among(const CellRow::Among& among, std::size_t count) noexcept {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const Four zero = _mm256_setzero_si256(), flip = all(sign), limit = all(among.horizon ^ sign);
  const Four strand_mask = all(Cell::strand_mask), further_mask = all(Cell::further_mask), bytes = all(0xff);
  const Four now = all(among.now.raw()), mine = _mm256_and_si256(now, strand_mask);
  const std::uint64_t kinds = Cell::need(Kind::write, 0), kind = Cell::need(among.now.kind(), 0);
  const Four kind_now = all(kind), uncovered = all(kinds & ~kind);
  Four before[CellRow::most_before];
  for (std::size_t i = 0; i < among.before.size(); ++i) before[i] = all(among.before[i]);
  std::size_t n = 0;
  while (n + 4 <= count) {
    Four cells[CellRow::planes], kept[CellRow::planes] = {zero, zero, zero, zero};
    Four told = zero, foreign = zero;
    const auto at = [&](unsigned plane) { return among.rows[plane] + n; };
    cells[0] = _mm256_loadu_si256(reinterpret_cast<const Four*>(at(0)));
    const Four dead = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(cells[0], flip));
    const Four further = _mm256_andnot_si256(dead, _mm256_and_si256(cells[0], further_mask));
    Four used = _mm256_andnot_si256(dead, _mm256_cmpeq_epi64(zero, zero));
    for (unsigned i = 0;;) {
      const Four cell = cells[i], strand = _mm256_and_si256(cell, strand_mask);
      const Four over = _mm256_or_si256(_mm256_cmpgt_epi64(limit, _mm256_xor_si256(cell, flip)),
                                        _mm256_cmpeq_epi64(_mm256_and_si256(cell, bytes), zero));
      const Four lives = _mm256_andnot_si256(over, used), own = _mm256_cmpeq_epi64(strand, mine);
      Four known = own;
      for (std::size_t k = 0; k < among.before.size(); ++k)
        known = _mm256_or_si256(known, _mm256_cmpeq_epi64(strand, before[k]));
      foreign = _mm256_or_si256(foreign, _mm256_andnot_si256(known, lives));
      const Four as_strong = _mm256_cmpeq_epi64(_mm256_and_si256(cell, kind_now), kind_now);
      const Four tells = _mm256_and_si256(_mm256_and_si256(own, as_strong), lives);
      told = _mm256_or_si256(told, _mm256_and_si256(tells, cell));
      const Four covered = _mm256_cmpeq_epi64(_mm256_and_si256(cell, uncovered), zero);
      kept[i] = _mm256_andnot_si256(covered, lives);
      if (++i == CellRow::planes) break;
      used = _mm256_cmpgt_epi64(further, all((std::uint64_t{i} << Cell::further_shift) - 1));
      if (none(used)) break;
      cells[i] = _mm256_loadu_si256(reinterpret_cast<const Four*>(at(i)));
    }
    told = _mm256_cmpeq_epi64(_mm256_and_si256(told, bytes), bytes);
    Four moving = _mm256_andnot_si256(told, kept[0]), moved[CellRow::planes];
    for (unsigned i = 1; i < CellRow::planes; ++i) {
      moved[i] = i < among.writable ? _mm256_andnot_si256(kept[i], moving) : zero;
      moving = _mm256_andnot_si256(moved[i], moving);
    }
    if (!none(_mm256_or_si256(foreign, moving))) { // not all four
      leave_avx2();
      const std::size_t done = one_by_one::among(among, n, n + 4);
      if (done != n + 4) return done;
      n += 4;
      continue;
    }
    Four in_use = zero;
    for (unsigned i = 1; i < CellRow::planes; ++i) {
      if (!none(moved[i])) store(at(i), moved[i], _mm256_andnot_si256(further_mask, cells[0]));
      in_use =
          _mm256_blendv_epi8(in_use, all(std::uint64_t{i} << Cell::further_shift), _mm256_or_si256(kept[i], moved[i]));
    }
    const Four change = _mm256_andnot_si256(told, _mm256_cmpeq_epi64(zero, zero));
    if (!none(change)) store(at(0), change, _mm256_or_si256(now, in_use));
    n += 4;
  }
  leave_avx2();
  return one_by_one::among(among, n, count);
}

} // namespace fletcher::access::avx2
#endif
