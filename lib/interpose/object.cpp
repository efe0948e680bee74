// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/object.hpp"

#include "lib/interpose/heap_blocks.hpp"

namespace fletcher::interpose {

ObjectDescription describe(Address address) {
  if (auto heap = describe_heap(address)) return *heap;
  return {};
}

} // namespace fletcher::interpose
