// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One range of address space that pools share, so that objects of which millions live at once name each other by 32
// bits: the range is aligned to its size, and an offset from its beginning is half a pointer. Relies on reserved.hpp.
#pragma once

#include "checker/memory/reserved.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fletcher::memory {

/// Where objects with offsets live. Offsets count in units of 8 bytes; 0 is none, so nothing lives at the beginning.
class Arena {
public:
  static constexpr std::size_t unit = 8;
  static constexpr std::size_t bytes = (std::size_t{1} << 32) * unit; ///< address space only

  Arena() : memory_(Reservation::aligned(bytes)) {}
  bool ok() const noexcept { return memory_.data() != nullptr; }

  /// A part of the range for one pool. None may be larger than what is left; not thread-safe.
  struct Part {
    Reservation* memory;
    std::size_t offset, size;
  };
  Part part(std::size_t size) noexcept {
    const std::size_t first = std::exchange(given_, given_ + (size + page - 1) / page * page);
    return ok() && given_ <= bytes ? Part{&memory_, first, size} : Part{nullptr, 0, 0};
  }

  static std::uint32_t offset_of(const void* object) noexcept {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object) % bytes / unit);
  }
  /// The object at `offset`, which is not 0, in the arena that `neighbour` is in.
  template <class T> static T& object(const void* neighbour, std::uint32_t offset) noexcept {
    const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(neighbour) / bytes * bytes;
    return *reinterpret_cast<T*>(base + std::uintptr_t{offset} * unit);
  }
  /// Null for 0.
  template <class T> static T* at(const void* neighbour, std::uint32_t offset) noexcept {
    return offset == 0 ? nullptr : static_cast<T*>(static_cast<void*>(&object<std::byte>(neighbour, offset)));
  }
  const std::byte* base() const noexcept { return memory_.data(); }

private:
  static constexpr std::size_t page = 4096;
  Reservation memory_;
  std::size_t given_ = page;
};

} // namespace fletcher::memory
