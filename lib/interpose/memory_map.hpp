// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's answer to the race check's question whether memory is there for all threads alike: heap blocks by who
// allocated them where, variables by the modules that are loaded. Relies on heap_registry.hpp.
#pragma once

#include "checker/access/memory_map.hpp"

namespace fletcher::interpose {

class ProcessMemory final : public access::MemoryMap {
public:
  access::MemoryExtent around(Address address, ThreadId thread) const override;
};

} // namespace fletcher::interpose
