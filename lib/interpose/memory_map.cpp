// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory_map.hpp"

#include "lib/interpose/heap_registry.hpp"

#include <link.h>

namespace fletcher::interpose {

namespace {

struct Search {
  Address address;
  access::MemoryExtent segment{};
};

int search_module(dl_phdr_info* module, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    const Address begin = module->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || search.address - begin >= header.p_memsz) continue;
    search.segment = {begin, begin + header.p_memsz, true};
    return 1;
  }
  return 0;
}

} // namespace

access::MemoryExtent ProcessMemory::around(Address address, ThreadId thread) const {
  Search search{.address = address};
  if (dl_iterate_phdr(search_module, &search) != 0) return search.segment;
  const auto block = heap::find(address);
  // Neither: a stack, a mapping, memory of an allocator that is not watched. Whose it is cannot be told.
  if (!block || block->thread == ThreadId::none) return {address, address + 8, false};
  return {block->base, block->base + block->size, block->serial || block->thread != thread};
}

} // namespace fletcher::interpose
