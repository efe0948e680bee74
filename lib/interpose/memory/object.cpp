// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/object.hpp"

#include "lib/interpose/memory/heap_blocks.hpp"

namespace fletcher::interpose {

ObjectDescription describe(Address address) {
  if (auto heap = describe_heap(address)) return *heap;
  return {};
}

} // namespace fletcher::interpose
