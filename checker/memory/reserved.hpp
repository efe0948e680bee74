// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address space reserved once and filled by the kernel page by page: arrays that grow without moving, so that they are
// read without a lock, and that give pages back when a range is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace fletcher::memory {

/// Owns a reserved, zero-filled range. An empty one (data() == nullptr) means that the system refused.
class Reservation {
public:
  Reservation() = default;
  /// At `hint` if that range is free (0: anywhere), else anywhere.
  explicit Reservation(std::size_t bytes, std::uintptr_t hint = 0) noexcept;
  /// At a multiple of `bytes`, which is a power of two.
  static Reservation aligned(std::size_t bytes) noexcept;
  ~Reservation();
  Reservation(Reservation&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> range() const noexcept { return {data_, size_}; }
  /// Whole pages inside [offset, offset+bytes) read as zero again and cost nothing; bytes around them are untouched.
  void discard(std::size_t offset, std::size_t bytes) noexcept;
  /// Whole pages inside [offset, offset+bytes) are about to be written: fills them with one system call, which costs
  /// less than a fault for each. Changes nothing else (errno neither), and nothing at all where the system cannot.
  void populate(std::size_t offset, std::size_t bytes) noexcept;
  /// Like discard, and zeroes the partial pages at both ends too.
  void clear(std::size_t offset, std::size_t bytes) noexcept;

private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array of `T` over a reservation. All-zero bytes are a valid T.
template <class T>
  requires std::is_trivially_destructible_v<T>
class ReservedArray {
public:
  ReservedArray() = default;
  explicit ReservedArray(std::size_t count) noexcept : memory_(count * sizeof(T)) {}
  explicit operator bool() const noexcept { return memory_.data() != nullptr; }
  T& operator[](std::size_t i) const noexcept { return reinterpret_cast<T*>(memory_.data())[i]; }
  T* data() const noexcept { return reinterpret_cast<T*>(memory_.data()); }
  std::span<const std::byte> range() const noexcept { return memory_.range(); }
  std::size_t capacity() const noexcept { return memory_.size() / sizeof(T); }
  void discard(std::size_t first, std::size_t last) noexcept {
    if (first < last) memory_.discard(first * sizeof(T), (last - first) * sizeof(T));
  }
  void clear(std::size_t first, std::size_t last) noexcept {
    if (first < last) memory_.clear(first * sizeof(T), (last - first) * sizeof(T));
  }
  void populate(std::size_t first, std::size_t last) noexcept {
    if (first < last) memory_.populate(first * sizeof(T), (last - first) * sizeof(T));
  }

private:
  Reservation memory_;
};

} // namespace fletcher::memory
