// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The access path: an address enters, meets its cell, and mostly leaves. Inlined into the instrumentation entry points;
// everything that is not "same strand, same or stronger access" is in race_check.cpp.
#pragma once

#include "checker/access/thread_state.hpp"

#include <cstddef>
#include <cstring>

namespace fletcher::access {

// The first cell does not say it: these look at the further ones, record the access, and report races.
/// Bytes of one granule; `need` as Cell::need.
void check_granule(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
/// The same for a read where thread.continues_past().
void check_same_past(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
/// All bytes of two granules.
void check_pair(ThreadState& thread, Address granule, Kind kind, Address pc);
/// `count` pieces of `size` bytes, each `step` bytes after the one before.
void check_strided(ThreadState& thread, Address first, Address step, std::size_t size, std::size_t count, Kind kind,
                   Address pc);

/// Reads of all bytes of `count` granules, at a place that nobody foresees, are recorded by one of the cells of each.
bool told_of_reads(const ThreadState& thread, Address granule, std::size_t count) noexcept;

/// Tells who follows accesses besides, if anybody does.
[[gnu::always_inline]] inline void tell_watcher(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                                Address pc, bool whole = false) {
  if (Watcher* const watcher = thread.watcher.load(std::memory_order_relaxed)) [[unlikely]]
    watcher->accesses(thread, address, size, kind, pc, whole);
}

/// Any number of bytes (memcpy, aggregate copies, the accesses of a whole loop).
void check_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc);

/// The same, of bytes that belong together: one copy, or the text that a function reads. A finding tells all of them.
inline void check_whole(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc) {
  thread.whole = {address, address + size};
  thread.whole_pc = pc;
  check_range(thread, address, size, kind, pc);
}

/// A read of what others wrote is announced each time: a lock was taken, and its order may have to be judged.
[[gnu::always_inline]] inline bool reads_matter(const ThreadState& thread) noexcept {
  return thread.locks_taken != nullptr && thread.locks_taken->load(std::memory_order_acquire);
}

/// A further cell tells that the strand has made the access; `first` is what the first cell holds, which does not.
[[gnu::always_inline]] inline bool told_further(const ThreadState& thread, const std::uint64_t* cell, Cell first,
                                                std::uint64_t strand, std::uint64_t need) noexcept {
  for (unsigned more = first.further(); more > 0; --more) {
    cell += thread.plane_distance;
    if (Cell(__atomic_load_n(cell, __ATOMIC_RELAXED)).tells(strand, need)) return true;
  }
  return false;
}

/// An access within one granule is recorded by its cells, or not to be checked. What check() finds out without a call.
[[gnu::always_inline]] inline bool told(const ThreadState& thread, Address address, std::size_t size,
                                        Kind kind) noexcept {
  const unsigned offset = address & 7;
  if (offset + size > 8) [[unlikely]]
    return false;
  const std::uint64_t mine = Cell::strand_part(thread.strand());
  const std::uint64_t need = Cell::need(kind, static_cast<std::uint8_t>(((1u << size) - 1) << offset));
  const std::uint64_t* const cell = first_cell(thread, address);
  const Cell first(__atomic_load_n(cell, __ATOMIC_RELAXED));
  return first.tells(mine, need) || told_further(thread, cell, first, mine, need);
}

/// The thread spins at a fence: what it reads it has read before it, and who writes there meets that read. A strand for
/// each turn would use up their numbers. `need` as Cell::need.
inline bool told_granule_at_rest(const ThreadState& thread, Address granule, std::uint64_t need) noexcept {
  if (thread.strand() != StrandId::none || thread.resting == StrandId::none) return false;
  const std::uint64_t resting = Cell::strand_part(thread.resting);
  const std::uint64_t* const cell = first_cell(thread, granule);
  const Cell first(__atomic_load_n(cell, __ATOMIC_RELAXED));
  return first.tells(resting, need) || told_further(thread, cell, first, resting, need);
}
/// The same of an atomic read, of any bytes.
inline bool told_at_rest(const ThreadState& thread, Address address, std::size_t size) noexcept {
  const unsigned offset = address & 7;
  return offset + size <= 8 &&
         told_granule_at_rest(thread, address & ~Address{7},
                              Cell::need(Kind::atomic_read, static_cast<std::uint8_t>(((1u << size) - 1) << offset)));
}

/// One of the granule's first two cells, the first of which is at `cell`, records the read: it is of the strand itself
/// or of a twin (alike.hpp). Which of them it is changes from granule to granule where several threads read
/// the same memory: without branches that depend on it, the cache misses of several reads overlap.
[[gnu::always_inline]] inline bool told_of_read(const ThreadState& thread, const std::uint64_t* cell,
                                                std::uint64_t need) noexcept {
  const std::uint64_t first = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
  if (thread.alike.told_jointly(first, need)) return true;
  if (Cell(first).older_than(thread.horizon)) return false; // as a rule where nobody has been, and so foreseen
  // Where there is no second cell it is the first one again, so that pages which nobody used stay untouched.
  const std::size_t distance = thread.plane_distance & -std::size_t{Cell(first).further() != 0};
  const std::uint64_t second = __atomic_load_n(cell + distance, __ATOMIC_RELAXED);
  unsigned told = thread.alike.tells(first, need) | thread.alike.tells(second, need);
  asm("" : "+r"(told)); // gcc 12 would make a branch for each of the two
  return told != 0;
}

/// The same, where nobody follows accesses besides. `looked`: nor does told_of_read().
[[gnu::always_inline]] inline void check_unwatched(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                                   Address pc, bool looked) {
  const unsigned offset = address & 7;
  if (size <= 8 && offset + size <= 8) [[likely]] {
    const std::uint64_t need = Cell::need(kind, static_cast<std::uint8_t>(((1u << size) - 1) << offset));
    if (!writes(kind) && thread.continues_past()) [[unlikely]]
      return check_same_past(thread, address & ~Address{7}, need, pc);
    if (kind == Kind::read && !looked && told_of_read(thread, first_cell(thread, address), need)) return;
    return check_granule(thread, address & ~Address{7}, need, pc);
  }
  if (size == 16 && offset == 0) return check_pair(thread, address, kind, pc);
  check_range(thread, address, size, kind, pc);
}

[[gnu::noinline]] inline void check_watched(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                            Address pc) {
  tell_watcher(thread, address, size, kind, pc);
  check_unwatched(thread, address, size, kind, pc, false);
}

/// What told_first() does not know of. Nothing is called but at the end, so that no stack frame is needed.
[[gnu::always_inline]] inline void check_untold(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                                Address pc, bool looked = false) {
  if (thread.off > 0) return;
  if (thread.watcher.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    return check_watched(thread, address, size, kind, pc);
  check_unwatched(thread, address, size, kind, pc, looked);
}

/// One access of 1, 2, 4, 8 or 16 bytes, at any alignment. No lock, allocation or system call on the way where the
/// strand has made the same access before. Complexity: O(1).
[[gnu::always_inline]] inline void check(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                         Address pc) {
  // An atomic operation that a strand repeats may read another value each time, without a race.
  const bool anew = is_atomic(kind) && reads_matter(thread);
  // Of a variable that several threads update one finds itself in the first cell, the others do not.
  if (anew || !(is_atomic(kind) ? told(thread, address, size, kind) : told_first(thread, address, size, kind)))
      [[unlikely]]
    check_untold(thread, address, size, kind, pc);
}

} // namespace fletcher::access
