// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tool keeps in the runtime's ompt_data_t of a task or team: its own serial and what else callbacks have to
// know of it, in one word. The runtime recycles the data, never the serial (facts: recycled ompt_data).
#pragma once

#include "checker/ids.hpp"

#include <omp-tools.h>

#include <cstddef>

namespace fletcher::ompt {

class Tag {
public:
  using Bit = std::uint64_t;
  static constexpr Bit final_task = 1ull << 33;   ///< its tasks are included
  static constexpr Bit in_taskloop = 1ull << 34;  ///< it is inside a taskloop construct
  static constexpr Bit taskloop_if0 = 1ull << 35; ///< whose if clause is false
  static constexpr Bit league = 1ull << 36;       ///< a team id of a teams construct
  static constexpr Bit hidden = 1ull << 37;       ///< the runtime's own helper team
  static constexpr Bit in_loop = 1ull << 38;      ///< it executes iterations of a loop construct
  static constexpr Bit sized = 1ull << 39;        ///< a team whose size is the program's own

  static constexpr unsigned size_shift = 40; ///< above: the bytes of the task's memory, in granules of 8

  constexpr Tag() = default;
  constexpr explicit Tag(std::uint64_t raw) noexcept : raw_(raw) {}
  constexpr Tag(TaskId id, std::uint64_t bits) noexcept : raw_(number(id) | bits) {}
  constexpr Tag(TeamId id, std::uint64_t bits) noexcept : raw_(number(id) | bits) {}

  /// Of data that may be null or not yet ours: then all zero. Another thread may set a bit meanwhile.
  static Tag of(const ompt_data_t* data) noexcept {
    return data == nullptr ? Tag() : Tag(__atomic_load_n(&data->value, __ATOMIC_RELAXED));
  }
  void store(ompt_data_t* data) const noexcept {
    if (data != nullptr) __atomic_store_n(&data->value, raw_, __ATOMIC_RELAXED);
  }

  constexpr TaskId task() const noexcept { return TaskId{static_cast<std::uint32_t>(raw_)}; }
  constexpr TeamId team() const noexcept { return TeamId{static_cast<std::uint32_t>(raw_)}; }
  constexpr bool has(Bit bit) const noexcept { return (raw_ & bit) != 0; }
  constexpr bool empty() const noexcept { return raw_ == 0; }
  /// What the program may access of the task's memory; 0 where unknown.
  constexpr std::size_t size() const noexcept { return raw_ >> size_shift << 3; }
  constexpr Tag with_size(std::size_t size) const noexcept {
    const std::uint64_t granules = (size + 7) / 8;
    return granules >> (64 - size_shift) != 0 ? *this : Tag(raw_ | granules << size_shift);
  }
  constexpr Tag with(std::uint64_t bits) const noexcept { return Tag(raw_ | bits); }
  constexpr Tag without(std::uint64_t bits) const noexcept { return Tag(raw_ & ~bits); }

private:
  std::uint64_t raw_ = 0;
};

} // namespace fletcher::ompt
