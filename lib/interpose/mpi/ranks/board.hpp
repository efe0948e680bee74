// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the processes of MPI_COMM_WORLD tell each other, in memory that they share: which collective call each of them
// makes, what it does to others' windows, and what it waits in. There is one where all of them run on one machine,
// have the same launcher, and are checked; no message is sent for it, and no process ever waits for another one.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/ids.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fletcher::interpose::mpi::board {

/// A place in the code that another process with the same program finds, too.
struct Place {
  std::uint64_t program = 0; ///< 0: it is in a library
  Address offset = 0;
};
Place place_of(Address pc) noexcept;
/// 0: this process does not have it.
Address address_of(const Place& place) noexcept;

/// The name of a function of MPI's, as far as there is room.
struct Name {
  std::array<char, 40> text{};
  Name() = default;
  explicit Name(const char* function) noexcept;
};

/// Written by one process, read by all: whoever reads a key before and after the rest has read what belongs together.
struct Entry {
  std::atomic<std::uint64_t> key{0}; ///< 0: nothing
};

/// What a collective call is given that all processes must give alike; -1 and 0: it is not known, or need not be.
struct Agreement {
  int root = -1;
  std::uint64_t operation = 0;
  std::int64_t bytes = -1;
  std::uint32_t elements = 0; ///< which kind
};
struct Meeting : Entry {
  Place place;
  Name function;
  bool has_agreement = false;
  Agreement agreement;
};

/// What an operation does to a window of another process, or of its own.
struct Remote : Entry {
  Place place;
  Name function;
  int target = -1;                            ///< in the window's communicator
  std::int64_t at = 0, offset = 0, bytes = 0; ///< units of the target's, and bytes behind them
  access::Kind kind = access::Kind::read;
  std::uint64_t operation = 0; ///< of those that combine
};

struct alignas(64) Process {
  enum Life : std::uint32_t { absent, running, over };
  std::atomic<std::uint32_t> life{absent};
  // All threads that could go on are in calls of MPI: since when they are, as a number that changes with every call,
  // and how often they were seen there since, each time after the kernel had let them run.
  std::atomic<std::uint64_t> stuck{0};
  std::atomic<std::uint32_t> seen{0};
  std::atomic<std::uint64_t> memory{0}; ///< bytes that it has of the system
  std::atomic<bool> told{false};        ///< that it waits for ever
  struct Waits : Entry {
    Place place;
    Name function;
  } waits;
  std::array<Meeting, 128> meetings;
  std::array<Remote, 128> remotes;
  std::atomic<std::uint64_t> remotes_written{0}; ///< the last ones of which are there
};

/// After MPI has been initialised.
void join(int rank, int size) noexcept;
/// This process makes no more calls.
void leave() noexcept;
/// Other programs may send messages to these processes, too.
void let_others_in() noexcept;
bool others_may_send() noexcept;

/// All processes, by rank; empty where there is no board, or where some process has not come to it yet.
std::span<Process> processes() noexcept;
/// This one's; null where there is no board.
Process* own() noexcept;
int own_rank() noexcept;

/// The entry of a ring for this key.
template <class T, std::size_t n> T& at(std::array<T, n>& ring, std::uint64_t key) noexcept { return ring[key % n]; }

/// `fill(entry)` writes what belongs to the key.
template <class T, class Fill> void write(T& entry, std::uint64_t key, Fill fill) noexcept {
  entry.key.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  fill(entry);
  entry.key.store(key, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
/// `use(entry)` copies what it needs. False: there is nothing for the key.
template <class T, class Use> bool read(const T& entry, std::uint64_t key, Use use) noexcept {
  if (entry.key.load(std::memory_order_acquire) != key) return false;
  use(entry);
  std::atomic_thread_fence(std::memory_order_acquire);
  return entry.key.load(std::memory_order_relaxed) == key;
}

} // namespace fletcher::interpose::mpi::board
