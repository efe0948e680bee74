// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's answers to the race check's questions about memory: heap blocks by who allocated them where, variables
// by the modules that are loaded. Relies on heap_registry.hpp and modules.hpp.
#pragma once

#include "checker/access/memory_map.hpp"

namespace fletcher::interpose {

class ProcessMemory final : public access::MemoryMap {
public:
  access::MemoryExtent around(Address address, ThreadId thread) const override;
  bool is_static(Address address) const override;
  bool is_named(Address address) const override;
  bool is_cxx_library(Address address) const override;
  bool is_device_code(Address pc) const override;
  HeapBlock heap_block(Address address) const override;
  Address word_at(Address address) const override;
};

} // namespace fletcher::interpose
