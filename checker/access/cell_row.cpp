// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/cell_row.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fletcher::access {

namespace {

std::uint64_t load(const std::uint64_t* cell) noexcept { return __atomic_load_n(cell, __ATOMIC_RELAXED); }

std::size_t told_one_by_one(const std::uint64_t* cells, std::size_t count, std::uint64_t strand,
                            std::uint64_t need) noexcept {
  std::size_t i = 0;
  while (i < count && Cell(load(cells + i)).tells(strand, need)) ++i;
  return i;
}

bool told_of_reads_one_by_one(const std::uint64_t* first, const std::uint64_t* second, std::size_t count,
                              const Alike& alike) noexcept {
  constexpr std::uint64_t need = Cell::need(Kind::read, 0xff);
  unsigned told = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t one = __atomic_load_n(first + i, __ATOMIC_ACQUIRE);
    told &= alike.tells(one, need) | (alike.tells(load(second + i), need) & unsigned{Cell(one).further() != 0});
  }
  return told != 0;
}

/// What the cells' kinds may be, of the same strand, for `now` to take their place: a write any, a read a read.
bool gives_way(Cell cell, std::uint64_t horizon, Cell now) noexcept {
  return cell.raw() < horizon ||
         (cell.further() == 0 && cell.strand() == now.strand() && covers(now.kind(), cell.kind()));
}

std::size_t record_one_by_one(std::uint64_t* cells, std::size_t count, std::uint64_t horizon, Cell now) noexcept {
  std::size_t i = 0;
  while (i < count && gives_way(Cell(load(cells + i)), horizon, now)) {
    __atomic_store_n(cells + i, now.raw(), __ATOMIC_RELEASE);
    ++i;
  }
  return i;
}

std::size_t repeat_one_by_one(const CellRow::Change& change, std::size_t from, std::size_t count) noexcept {
  for (std::size_t n = from; n < count; ++n) {
    const std::uint64_t first = __atomic_load_n(change.rows[0] + n, __ATOMIC_ACQUIRE);
    std::uint64_t differs = first ^ change.seen[0];
    for (unsigned i = 1; i < change.used; ++i)
      differs |= __atomic_load_n(change.rows[i] + n, __ATOMIC_ACQUIRE) ^ change.seen[i];
    if ((differs & change.care) != 0) return n;
    if (change.moved != 0)
      __atomic_store_n(change.rows[change.moved] + n, first & ~Cell::further_mask, __ATOMIC_RELEASE);
    __atomic_store_n(change.rows[0] + n, change.now.raw(), __ATOMIC_RELEASE);
  }
  return count;
}
std::size_t repeat_alone(const CellRow::Change& change, std::size_t count) noexcept {
  return repeat_one_by_one(change, 0, count);
}

std::size_t among_one_by_one(const CellRow::Among& among, std::size_t from, std::size_t count) noexcept {
  const unsigned uncovered = 3u & ~static_cast<unsigned>(among.now.kind());
  for (std::size_t n = from; n < count; ++n) {
    const Cell first(__atomic_load_n(among.rows[0] + n, __ATOMIC_ACQUIRE));
    unsigned kept = 0, told = 0; // a bit for each cell that stays; the bytes that are told
    const unsigned used = first.raw() < among.horizon ? 0 : 1 + first.further();
    for (unsigned i = 0; i < used; ++i) {
      const Cell cell(__atomic_load_n(among.rows[i] + n, __ATOMIC_ACQUIRE));
      if (cell.raw() < among.horizon || cell.mask() == 0) continue;
      const bool own = cell.strand() == among.now.strand();
      const auto is_it = [&](std::uint64_t strand) { return ((cell.raw() ^ strand) & Cell::strand_mask) == 0; };
      if (!own && std::ranges::none_of(among.before, is_it)) return n;
      if (own && covers(cell.kind(), among.now.kind())) told |= cell.mask();
      if ((static_cast<unsigned>(cell.kind()) & uncovered) != 0) kept |= 1u << i;
    }
    if (told == 0xff) continue;
    if ((kept & 1) != 0) {
      const auto to = static_cast<unsigned>(std::countr_one(kept));
      if (to >= among.writable) return n;
      __atomic_store_n(among.rows[to] + n, first.with_further(0).raw(), __ATOMIC_RELEASE);
      kept |= 1u << to;
    }
    const auto further = static_cast<unsigned>(std::bit_width(kept >> 1));
    __atomic_store_n(among.rows[0] + n, among.now.with_further(further).raw(), __ATOMIC_RELEASE);
  }
  return count;
}
std::size_t among_alone(const CellRow::Among& among, std::size_t count) noexcept {
  return among_one_by_one(among, 0, count);
}

// Dead frames and blocks are mostly holes: 16 cells are looked at together.
constexpr std::size_t glanced_at = 16, piece = 4;
using Two [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = std::uint64_t;

template <std::size_t count> std::uint64_t any(const std::uint64_t* cells) noexcept {
  if constexpr (count == 1) return cells[0];
  Two both{};
  for (std::size_t i = 0; i + 1 < count; i += 2) both |= *reinterpret_cast<const Two*>(cells + i);
  return both[0] | both[1];
}
template <std::size_t count> void clear_piece(std::uint64_t* cells) noexcept {
  if (any<count>(cells) == 0) return;
  for (std::size_t i = 0; i < count; ++i) cells[i] = 0;
}
void clear_two_by_two(std::uint64_t* cells, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + glanced_at <= count; i += glanced_at)
    if (any<glanced_at>(cells + i) != 0)
      for (std::size_t j = i; j < i + glanced_at; j += piece) clear_piece<piece>(cells + j);
  for (; i + piece <= count; i += piece) clear_piece<piece>(cells + i);
  for (; i < count; ++i) clear_piece<1>(cells + i);
}

#if defined(__x86_64__)
/// Goes before every call of a function that is not for AVX2: while the upper halves of registers are in use, SSE
/// instructions have to keep them, for which some processors wait. gcc 12 forgets it before tail calls.
[[gnu::target("avx2"), gnu::always_inline]] inline void leave_avx2() noexcept { _mm256_zeroupper(); }

[[gnu::target("avx2"), gnu::always_inline]] inline void clear_four(std::uint64_t* cells) noexcept {
  auto* const four = reinterpret_cast<__m256i*>(cells);
  const __m256i seen = _mm256_loadu_si256(four);
  if (!_mm256_testz_si256(seen, seen)) _mm256_storeu_si256(four, _mm256_setzero_si256());
}
[[gnu::target("avx2")]] void clear_avx2(std::uint64_t* cells, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + glanced_at <= count; i += glanced_at) {
    const auto* const four = reinterpret_cast<const __m256i*>(cells + i);
    const __m256i low = _mm256_or_si256(_mm256_loadu_si256(four), _mm256_loadu_si256(four + 1));
    const __m256i high = _mm256_or_si256(_mm256_loadu_si256(four + 2), _mm256_loadu_si256(four + 3));
    const __m256i all = _mm256_or_si256(low, high);
    if (_mm256_testz_si256(all, all)) [[likely]]
      continue;
    for (std::size_t j = i; j < i + glanced_at; j += piece) clear_four(cells + j);
  }
  for (; i + piece <= count; i += piece) clear_four(cells + i);
  if (i == count) return;
  if (count >= piece) return clear_four(cells + count - piece);
  for (; i < count; ++i) clear_piece<1>(cells + i);
}

// A load or store of 32 bytes is one of four whole cells: x86-64 splits it between 8-byte words at most.
[[gnu::target("avx2")]] std::size_t told_avx2(const std::uint64_t* cells, std::size_t count, std::uint64_t strand,
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
  return i + told_one_by_one(cells + i, count - i, strand, need);
}

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i four_times(std::uint64_t value) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(value));
}

/// Alike::tells of four cells at once.
struct AlikeAvx2 {
  __m256i since, span, need, care;

  [[gnu::target("avx2"), gnu::always_inline]] AlikeAvx2(const Alike& alike, std::uint64_t needed) noexcept {
    // Signed compares stand in for unsigned ones: the sign bits are flipped on both sides.
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    since = four_times(alike.since ^ sign);
    span = four_times(alike.span ^ sign);
    need = four_times(needed);
    care = four_times(needed | alike.never);
  }
  [[gnu::target("avx2"), gnu::always_inline]] __m256i tells(__m256i cells) const noexcept {
    const __m256i wrong = _mm256_and_si256(_mm256_xor_si256(cells, need), care);
    return _mm256_and_si256(_mm256_cmpeq_epi64(wrong, _mm256_setzero_si256()),
                            _mm256_cmpgt_epi64(span, _mm256_sub_epi64(cells, since)));
  }
};

// Reads are scattered, and cells mostly not in the cache: no branch depends on one of them before all are there.
[[gnu::target("avx2")]] bool told_of_reads_avx2(const std::uint64_t* first, const std::uint64_t* second,
                                                std::size_t count, const Alike& alike) noexcept {
  const AlikeAvx2 reads(alike, Cell::need(Kind::read, 0xff));
  const __m256i further = four_times(Cell::further_mask);
  __m256i told = four_times(~std::uint64_t{0});
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i one = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first + i));
    const __m256i other = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second + i));
    const __m256i alone = _mm256_cmpeq_epi64(_mm256_and_si256(one, further), _mm256_setzero_si256());
    told = _mm256_and_si256(told, _mm256_or_si256(reads.tells(one), _mm256_andnot_si256(alone, reads.tells(other))));
  }
  const bool four_by_four = _mm256_movemask_pd(_mm256_castsi256_pd(told)) == 0xf;
  leave_avx2();
  return told_of_reads_one_by_one(first + i, second + i, count - i, alike) & four_by_four;
}

[[gnu::target("avx2")]] std::size_t record_avx2(std::uint64_t* cells, std::size_t count, std::uint64_t horizon,
                                                Cell now) noexcept {
  // Signed compares stand in for unsigned ones: the sign bits are flipped on both sides.
  const __m256i flip = _mm256_set1_epi64x(static_cast<long long>(std::uint64_t{1} << 63));
  const __m256i limit = _mm256_set1_epi64x(static_cast<long long>(horizon ^ (std::uint64_t{1} << 63)));
  const __m256i strand = _mm256_set1_epi64x(static_cast<long long>(Cell::strand_mask));
  const __m256i stored = _mm256_set1_epi64x(static_cast<long long>(now.raw()));
  const std::uint64_t stronger = Cell::need(Kind::write, 0) & ~now.raw();
  const __m256i in_the_way = _mm256_set1_epi64x(static_cast<long long>(Cell::further_mask | stronger));
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    __m256i* const row = reinterpret_cast<__m256i*>(cells + i);
    const __m256i seen = _mm256_loadu_si256(row);
    const __m256i old = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(seen, flip));
    const __m256i own = _mm256_cmpeq_epi64(_mm256_and_si256(seen, strand), _mm256_and_si256(stored, strand));
    const bool all = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_or_si256(old, own))) == 0xf;
    if (!all || !_mm256_testz_si256(_mm256_andnot_si256(old, seen), in_the_way)) {
      leave_avx2();
      const std::size_t few = record_one_by_one(cells + i, 4, horizon, now);
      if (few != 4) return i + few;
      continue;
    }
    _mm256_storeu_si256(row, stored);
  }
  leave_avx2();
  return i + record_one_by_one(cells + i, count - i, horizon, now);
}

[[gnu::target("avx2")]] std::size_t repeat_avx2(const CellRow::Change& change, std::size_t count) noexcept {
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
  return repeat_one_by_one(change, n, count);
}

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

// What the cells of four granules are differs from one to the next, where several strands share memory: no branch
// depends on it, but for how many planes are in use.
[[gnu::target("avx2")]] std::size_t among_avx2(const CellRow::Among& among, std::size_t count) noexcept {
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
      const std::size_t done = among_one_by_one(among, n, n + 4);
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
  return among_one_by_one(among, n, count);
}
#endif

} // namespace

CellRow::CellRow() noexcept
    : told_(told_one_by_one), told_of_reads_(told_of_reads_one_by_one), record_(record_one_by_one),
      repeat_(repeat_alone), among_(among_alone), clear_(clear_two_by_two) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    told_ = told_avx2;
    told_of_reads_ = told_of_reads_avx2;
    record_ = record_avx2;
    repeat_ = repeat_avx2;
    among_ = among_avx2;
    clear_ = clear_avx2;
  }
#endif
}

} // namespace fletcher::access
