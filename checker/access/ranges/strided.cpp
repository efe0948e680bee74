// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small pieces of memory, the same distance apart: columns, and the fields of an array of records. Each granule goes
// the shortest of the ways into shadow memory (check.cpp); what is the same for all of them is asked once.
#include "checker/access/check.hpp"
#include "checker/access/recording/recording.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::access {

namespace {

constexpr std::uint8_t all_bytes = 0xff;

/// What a walk by such steps comes to soon, where processors do not foresee it.
inline void prefetch_ahead(const ThreadState& thread, Address here, Address step) noexcept {
  constexpr Address near = 256, steps = 4;
  if (step + near < 2 * near) return;
  const Address there = here + steps * step;
  __builtin_prefetch(first_cell(thread, there), 1);
  __builtin_prefetch(reinterpret_cast<const void*>(there));
}

/// Tells each granule of a piece, with the bytes that the piece has there, as long as that is answered by yes. `whole`:
/// of whole granules only.
template <bool whole, class Each>
[[gnu::always_inline]] inline bool each_granule(Address first, std::size_t size, Each each) {
  const Address end = first + size;
  for (Address granule = first & ~Address{7}; granule < end; granule += 8) {
    unsigned bytes = all_bytes;
    if (!whole && granule < first) bytes &= all_bytes << (first - granule);
    if (!whole && end - granule < 8) bytes &= (1u << (end - granule)) - 1;
    if (!each(granule, static_cast<std::uint8_t>(bytes))) return false;
  }
  return true;
}

} // namespace

template <bool whole> void RaceCheck::check_strided(ThreadState& thread, const Pieces& pieces, Kind kind, Address pc) {
  const Address length = pieces.step * (pieces.count - 1), low = std::min(pieces.first, pieces.first + length),
                high = std::max(pieces.first, pieces.first + length) + pieces.size;
  const bool plain = !is_atomic(kind) && (high <= thread.stack_low || low >= thread.stack_high) &&
                     (high <= thread.tls_low || low >= thread.tls_high);
  const auto cell_now = [&] {
    const bool can_record = plain && thread.strand() != StrandId::none;
    const ContextId place = can_record ? remembered_site(thread, pc) : ContextId::none;
    return place == ContextId::none ? Cell() : Cell(thread.strand(), place, kind, all_bytes);
  };
  Cell now = cell_now();
  Address piece = pieces.first, page = 0;
  for (std::size_t left = pieces.count; left > 0; --left, piece += pieces.step) {
    prefetch_ahead(thread, piece, pieces.step);
    each_granule<whole>(piece, pieces.size, [&](Address granule, std::uint8_t bytes) __attribute__((always_inline)) {
      std::uint64_t* const cells = shadow_.row(0, granule);
      const Address on = reinterpret_cast<Address>(cells) / memory::FilledPages::page;
      if (now != Cell()) {
        if (std::exchange(page, on) != on) fill(granule, 1, false); // before the first look: it would bring zeros
        if (thread.careful == 0 && Cell(__atomic_load_n(cells, __ATOMIC_RELAXED)).older_than(thread.horizon)) {
          __atomic_store_n(cells, now.with_mask(bytes).raw(), __ATOMIC_RELEASE); // nobody was here, as in most columns
          return true;
        }
        if (told_or_recorded(thread, cells, now.with_mask(bytes))) return true;
      }
      check_if_untold(thread, granule, Cell::need(kind, bytes), pc);
      if (now == Cell()) now = cell_now();
      return true;
    });
  }
}

namespace {

template <bool whole> void check_strided_from(ThreadState& thread, Pieces pieces, Kind kind, Address pc) {
  const bool worth = pieces.size * pieces.count >= ToldRanges::least;
  const Pieces all = pieces;
  if (worth && thread.has_told(all, kind)) return;
  const std::uint64_t mine = Cell::strand_part(thread.strand());
  const auto told = [&](Address granule, std::uint8_t bytes) {
    const std::uint64_t need = Cell::need(kind, bytes);
    const Cell cell(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
    return cell.tells(mine, need) || (kind == Kind::read && thread.alike.tells(cell.raw(), need) != 0);
  };
  // Mostly recorded before.
  for (; pieces.count > 0 && each_granule<whole>(pieces.first, pieces.size, told); pieces.first += pieces.step)
    --pieces.count;
  if (pieces.count > 0) thread.races->check_strided<whole>(thread, pieces, kind, pc);
  if (worth) thread.remember_told(all, kind);
}

} // namespace

void check_strided(ThreadState& thread, Address first, Address step, std::size_t size, std::size_t count, Kind kind,
                   Address pc) {
  const Pieces pieces{first, step, size, count};
  if (((first | step | size) & 7) == 0) return check_strided_from<true>(thread, pieces, kind, pc);
  check_strided_from<false>(thread, pieces, kind, pc);
}

} // namespace fletcher::access
