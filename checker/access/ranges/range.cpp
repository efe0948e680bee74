// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of memory: a part of a granule at either end and rows of whole ones between. Most need no question about the
// order of strands, and go the short way as far as that is so. Relies on cell_row.hpp and on record.cpp for the rest.
#include "checker/access/check.hpp"
#include "checker/access/recording/recording.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace fletcher::access {

namespace {

constexpr std::uint8_t all_bytes = 0xff;
/// Cells: what the kernel has just filled is still in the cache when they are written.
constexpr std::size_t most_at_once = 8192;

/// The bytes [first, last) of the granule that they are in.
std::uint8_t mask_of(Address first, Address last) noexcept {
  const Address granule = first & ~Address{7};
  return static_cast<std::uint8_t>((1u << (last - granule)) - (1u << (first - granule)));
}

/// One of the granule's cells tells that the strand has made the access, or of a read that a twin of it has: of memory
/// that several strands read, it may be in a further plane.
[[gnu::always_inline]] inline bool told(const ThreadState& thread, const std::uint64_t* cell, std::uint64_t strand,
                                        Kind kind, std::uint8_t bytes) noexcept {
  const std::uint64_t need = Cell::need(kind, bytes);
  const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
  if (first.tells(strand, need)) return true;
  if (first.older_than(thread.horizon)) return false;
  if (kind == Kind::read && thread.alike.tells(first.raw(), need) != 0) return true;
  for (unsigned more = first.further(); more > 0; --more) {
    cell += thread.plane_distance;
    const Cell further(__atomic_load_n(cell, __ATOMIC_RELAXED));
    if (further.tells(strand, need) || (kind == Kind::read && thread.alike.tells(further.raw(), need) != 0))
      return true;
  }
  return false;
}

} // namespace

// Returns the end of what is recorded already or is recorded now: `end`, or the granule where more is needed.
Address RaceCheck::range_quickly(ThreadState& thread, Address address, Address end, Kind kind, Address pc) {
  const std::uint64_t mine = Cell::strand_part(thread.strand()), horizon = Cell::strand_part(thread.horizon);
  const bool can_record = thread.strand() != StrandId::none && !thread.has_to_remember(address);
  const ContextId place = can_record ? remembered_site(thread, pc) : ContextId::none;
  const auto one = [&](Address granule, std::uint64_t* cells, Cell now) {
    if (!record_known(thread, cells, now)) record_slowly(thread, granule, now);
  };
  const auto part = [&](Address first, Address last) {
    std::uint64_t* const cell = shadow_.row(0, first & ~Address{7});
    if (told(thread, cell, mine, kind, mask_of(first, last))) return true;
    if (place == ContextId::none) return false;
    one(first & ~Address{7}, cell, Cell(thread.strand(), place, kind, mask_of(first, last)));
    return true;
  };
  if ((address & 7) != 0) {
    const Address next = std::min(end, (address & ~Address{7}) + 8);
    if (!part(address, next)) return address;
    address = next;
  }
  const Cell now(thread.strand(), place, kind, all_bytes);
  constexpr std::size_t few = 8;
  for (std::size_t left = (end - address) / 8; left > 0;) {
    const std::size_t here = std::min({left, shadow_.neighbours(address), most_at_once});
    std::uint64_t* const cells = shadow_.row(0, address);
    std::size_t done = 0;
    if (here <= few) {
      for (; done < here; ++done) {
        if (told(thread, cells + done, mine, kind, all_bytes)) continue;
        if (place == ContextId::none) return address + done * 8;
        one(address + done * 8, cells + done, now);
      }
    } else {
      const bool may_record = place != ContextId::none && thread.careful == 0;
      if (may_record) fill(address, here); // before the first look, which would bring a page of zeros
      done = row_.told(cells, here, mine, Cell::need(kind, all_bytes));
      // One look at a granule spares a look at all that would come to nothing.
      if (done < here && kind == Kind::read && told(thread, cells + done, mine, kind, all_bytes))
        done += told_of_reads(thread, cells + done, here - done);
      if (done < here && may_record) done += row_.record(cells + done, here - done, horizon, now);
      if (done == 0) return address;
    }
    address += done * 8;
    left -= done;
  }
  return address < end && part(address, end) ? end : address;
}

void RaceCheck::range_thoroughly(ThreadState& thread, Address address, Address end, Kind kind, Address pc) {
  const ContextId place = site(thread, pc);
  const auto part = [&](Address first, Address last) {
    record(thread, first & ~Address{7}, Cell(thread.strand(), place, kind, mask_of(first, last)));
  };
  if ((address & 7) != 0 || end - address < 8) {
    const Address next = std::min(end, (address & ~Address{7}) + 8);
    part(address, next);
    address = next;
  }
  // Threads that begin together and have neighbouring parts meet at the ends of these: there, too, they must see each
  // other (put()).
  const bool careful = thread.careful > 0;
  const std::size_t whole = (end - address) / 8;
  const std::size_t last = whole > thread.careful && careful && whole * 8 == end - address ? 1 : 0;
  record_row(thread, address, whole - last, kind, place);
  address += (whole - last) * 8;
  if (careful) thread.careful = std::max<std::uint8_t>(thread.careful, 1);
  record_row(thread, address, last, kind, place);
  address += last * 8;
  if (address < end) part(address, end);
}

// How many leading granules have a further cell, all in the same plane, that records the access.
std::size_t RaceCheck::told_in_further_plane(const ThreadState& thread, const std::uint64_t* cells, std::size_t count,
                                             std::uint64_t strand, std::uint64_t need) const noexcept {
  const auto further = [&](std::size_t i) { return Cell(__atomic_load_n(cells + i, __ATOMIC_ACQUIRE)).further(); };
  for (unsigned plane = further(0); plane > 0; --plane) {
    const std::uint64_t* const there = cells + plane * thread.plane_distance;
    const auto tells = [&](std::size_t i) {
      return Cell(__atomic_load_n(there + i, __ATOMIC_RELAXED)).tells(strand, need);
    };
    std::size_t done = 0; // what a further cell says counts only where the first one says so
    while (done < count && further(done) >= plane && tells(done)) ++done;
    if (done > 0) return done;
  }
  return 0;
}

// How many leading granules have no place for a read, because each of their cells records a write that comes before it
// on the task's own chain, in a strand of its own, and stays: as record_alike() would find for one after the other,
// where memory was written piece by piece in strands of its own (an array that is changed and copied for each of many
// tasks).
std::size_t RaceCheck::full_of_writes(const ThreadState& thread, const std::uint64_t* cells,
                                      std::size_t count) const noexcept {
  const order::Position now = constructs::position(*thread.task);
  const StrandId since = now.unit.chain == now.chain ? now.unit.since : StrandId::none;
  const auto stays = [&](Cell cell) {
    return cell.kind() == Kind::write && cell.strand() != thread.strand() && !dead(cell, thread.horizon) &&
           number(cell.strand()) >= number(since) && tables_.block_of(cell.strand()).chain == now.chain;
  };
  for (std::size_t done = 0; done < count; ++done) {
    Cell found[Shadow::planes];
    found[0] = Cell(__atomic_load_n(cells + done, __ATOMIC_ACQUIRE));
    if (found[0].further() != Shadow::planes - 1 || !stays(found[0])) return done;
    for (unsigned plane = 1; plane < Shadow::planes; ++plane) {
      found[plane] = Cell(__atomic_load_n(cells + done + plane * thread.plane_distance, __ATOMIC_RELAXED));
      if (!stays(found[plane])) return done;
      for (unsigned other = 0; other < plane; ++other) // two of one strand can be joined
        if (found[other].strand() == found[plane].strand()) return done;
    }
  }
  return count;
}

/// Strands that come before the one that accesses a range, as it met them there.
struct RaceCheck::Before {
  std::array<std::uint64_t, CellRow::most_before> parts{};
  std::size_t used = 0, next = 0;

  bool has(std::uint64_t part) const noexcept { return std::ranges::find(all(), part) != all().end(); }
  void add(std::uint64_t part) noexcept {
    parts[next] = part;
    next = (next + 1) % parts.size();
    used = std::min(used + 1, parts.size());
  }
  std::span<const std::uint64_t> all() const noexcept { return {parts.data(), used}; }
};

// Whether all cells of the granule that still matter are of this strand or of such that come before, which it adds.
bool RaceCheck::learn(ThreadState& thread, Address granule, Before& before) {
  const Found found = look(granule);
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if (dead(cell, thread.horizon) || cell.strand() == thread.strand()) continue;
    const std::uint64_t part = Cell::strand_part(cell.strand());
    if (before.has(part)) continue;
    if (still_concurrent(thread, cell.strand())) return false;
    before.add(part);
  }
  return true;
}

void RaceCheck::record_row(ThreadState& thread, Address first, std::size_t count, Kind kind, ContextId place) {
  const Cell now(thread.strand(), place, kind, all_bytes);
  Before before;
  while (count > 0) {
    const std::size_t here = std::min({count, shadow_.neighbours(first), most_at_once});
    fill(first, here);
    record_neighbours(thread, first, here, now, before);
    first += here * 8;
    count -= here;
  }
}

// Each step takes as long as what it gets done: were it as long as what is left, a long row of granules that all look
// different would take the square of its length.
void RaceCheck::record_neighbours(ThreadState& thread, Address first, std::size_t here, Cell now, Before& before) {
  const Kind kind = now.kind();
  const std::uint64_t mine = Cell::strand_part(thread.strand()), need = Cell::need(kind, all_bytes);
  const std::uint64_t horizon = Cell::strand_part(thread.horizon);
  while (here > 0) {
    const std::uint64_t* const cells = shadow_.row(0, first);
    const Cell cell(__atomic_load_n(cells, __ATOMIC_ACQUIRE));
    std::size_t done = 0;
    // One look at the first granule spares calls that would come to nothing where few neighbours are alike.
    if (cell.tells(mine, need))
      done = row_.told(cells, here, mine, need);
    else if (kind == Kind::read && thread.alike.tells(cell.raw(), need) != 0)
      done = told_of_reads(thread, cells, here);
    else if (thread.careful == 0 && (cell.raw() < horizon || (cell.strand() == now.strand() && cell.further() == 0)))
      done = row_.record(shadow_.row(0, first), here, horizon, now);
    else if (cell.raw() >= horizon)
      done = told_in_further_plane(thread, cells, here, mine, need);
    // Granules that look different from one to the next, as where strands before this one each had a part of them, and
    // this one, too.
    const Address next = first + done * 8;
    const std::size_t alone = shared_.untouched(next, here - done);
    if (alone > 0 && thread.careful == 0 && learn(thread, next, before)) {
      std::uint64_t* rows[Shadow::planes];
      for (unsigned i = 0; i < Shadow::planes; ++i) rows[i] = shadow_.row(i, next);
      done += row_.record_among({rows, shadow_.touched_planes(), horizon, before.all(), now}, alone);
    }
    if (done == 0 && kind == Kind::read) done = full_of_writes(thread, cells, here);
    if (done == 0) done = record_alike(thread, first, here, now);
    first += done * 8;
    here -= done;
  }
}

namespace {

[[gnu::noinline]] void check_long_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  if (thread.off > 0 || size == 0 || thread.in_checker || thread.races == nullptr) return;
  const Address end = address + size;
  // Small structures, strings and rows, that the strand mostly has accessed before.
  constexpr std::size_t small = 64;
  if (size <= small) {
    const std::uint64_t mine = Cell::strand_part(thread.strand());
    while (address < end) {
      const Address granule = address & ~Address{7}, next = std::min(end, granule + 8);
      if (!told(thread, first_cell(thread, granule), mine, kind, mask_of(address, next))) break;
      address = next;
    }
    if (address == end) return;
  }
  const Pieces pieces{address, 0, size, 1};
  const bool worth = size >= ToldRanges::least;
  if (worth && thread.has_told(pieces, kind)) return;
  RaceCheck& races = *thread.races;
  if (const Address from = races.range_quickly(thread, address, end, kind, pc); from != end) {
    const InChecker inside(thread);
    if (races.begin(thread, address)) races.range_thoroughly(thread, from, end, kind, pc);
  }
  if (worth) thread.remember_told(pieces, kind);
}

/// Bytes of one granule or of two that follow each other, which are not whole ones.
[[gnu::noinline]] void check_pieces(ThreadState& thread, Address granule, unsigned bytes, Kind kind, Address pc) {
  if (thread.off > 0 || thread.in_checker) return;
  for (; bytes != 0; bytes >>= 8, granule += 8) {
    const std::uint64_t need = Cell::need(kind, static_cast<std::uint8_t>(bytes));
    const Cell first(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED));
    if ((bytes & all_bytes) != 0 && !first.tells(Cell::strand_part(thread.strand()), need))
      check_granule(thread, granule, need, pc);
  }
}

} // namespace

// Words, keys and small structures need no stack frame where the first cells record them.
void check_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  const unsigned offset = address & 7;
  if (size - 1 >= 16 - offset || thread.races == nullptr) return check_long_range(thread, address, size, kind, pc);
  const unsigned bytes = ((1u << size) - 1) << offset;
  const std::uint64_t mine = Cell::strand_part(thread.strand());
  const auto told_first = [&](Address granule, std::uint8_t mask) {
    return Cell(__atomic_load_n(first_cell(thread, granule), __ATOMIC_RELAXED)).tells(mine, Cell::need(kind, mask));
  };
  const auto low = static_cast<std::uint8_t>(bytes), high = static_cast<std::uint8_t>(bytes >> 8);
  const Address granule = address & ~Address{7};
  if (!told_first(granule, low) || (high != 0 && !told_first(granule + 8, high))) [[unlikely]]
    check_pieces(thread, granule, bytes, kind, pc);
}

} // namespace fletcher::access
