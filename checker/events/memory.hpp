// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of memory: where an object's life begins and ends.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>

namespace fletcher {

/// [address, address+size) begins or ends its life: heap block, mapped memory, dead part of a stack, runtime memory; or
/// what a thread's tasks use as their copy in a task reduction (its end is not reported): what a copy owns; and in a
/// team of one the original.
enum class MemoryKind : std::uint8_t { heap, mapping, stack, runtime, copy };
struct MemoryBegin {
  ThreadId thread;
  Address address;
  std::size_t size;
  MemoryKind kind = MemoryKind::heap;
  Address pc = 0;
};
struct MemoryEnd {
  ThreadId thread;
  Address address;
  std::size_t size;
  MemoryKind kind = MemoryKind::heap;
  Address pc = 0;
};

} // namespace fletcher
