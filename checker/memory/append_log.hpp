// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bounded list that all threads append to and read without a lock. Its entries never move; they are made in chunks
// that are kept when the list is emptied.
#pragma once

#include "checker/memory/spin_lock.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace fletcher::memory {

/// Indices of one log that a thread has taken for itself, so that threads do not take the log's line from each other
/// with each entry.
struct AppendRange {
  std::uint32_t next = 0, end = 0, generation = 0;
};

/// The appending thread fills the entry and marks it in a way of the entry's own: a reader may meet one that is not
/// filled yet. Thread-safe, except for clear(). append and operator[]: O(1).
template <class T, std::uint32_t chunk_size, std::uint32_t chunks> class AppendLog {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The index of a new entry; none when the list is full.
  std::uint32_t append() { return append(1); }
  /// The same, of the thread's own.
  std::uint32_t append(AppendRange& own) {
    constexpr std::uint32_t at_once = 16;
    const std::uint32_t generation = generation_.load(std::memory_order_acquire);
    if (own.next == own.end || own.generation != generation) {
      const std::uint32_t first = append(at_once);
      if (first == none) return none;
      own = {first, first + at_once, generation};
    }
    return own.next++;
  }
  /// Null where the entry's chunk is being made at this moment.
  T* at(std::uint32_t i) const noexcept {
    T* const chunk = made_[i / chunk_size].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : &chunk[i % chunk_size];
  }
  T& operator[](std::uint32_t i) const noexcept { return *at(i); }
  void prefetch() const noexcept { __builtin_prefetch(&count_, 1); }
  std::uint32_t size() const noexcept { return count_.load(std::memory_order_acquire); }
  /// Nobody appends or reads meanwhile. The entries keep their values.
  void clear() noexcept {
    count_.store(0, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_acq_rel);
  }

private:
  std::uint32_t append(std::uint32_t entries) {
    // The count stops at the capacity, however often a full list is asked.
    std::uint32_t i = count_.load(std::memory_order_relaxed);
    do {
      if (i + entries > chunk_size * chunks) return none;
    } while (!count_.compare_exchange_weak(i, i + entries, std::memory_order_acq_rel));
    for (const std::uint32_t entry : {i, i + entries - 1})
      if (made_[entry / chunk_size].load(std::memory_order_acquire) == nullptr) make(entry / chunk_size);
    return i;
  }
  void make(std::uint32_t chunk) {
    const SpinGuard guard(lock_);
    if (chunks_[chunk] != nullptr) return;
    chunks_[chunk] = std::make_unique<T[]>(chunk_size);
    made_[chunk].store(chunks_[chunk].get(), std::memory_order_release);
  }

  // On a line of its own: each append writes it, and each entry is looked up in the next ones.
  alignas(64) std::atomic<std::uint32_t> count_{0};
  alignas(64) std::array<std::atomic<T*>, chunks> made_{};
  std::atomic<std::uint32_t> generation_{1}; ///< of AppendRange
  std::array<std::unique_ptr<T[]>, chunks> chunks_;
  SpinLock lock_;
};

} // namespace fletcher::memory
