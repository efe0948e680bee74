// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory_map.hpp"

#include "lib/interpose/heap_registry.hpp"
#include "lib/interpose/modules.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <vector>

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

/// The module that `entry` is in, all of it.
access::MemoryExtent module_around(Address entry) {
  struct Module {
    Address entry;
    access::MemoryExtent extent{};
  } found{.entry = entry};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        auto& wanted = *static_cast<Module*>(data);
        access::MemoryExtent all{~Address{0}, 0};
        for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
          const auto& header = module->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          all.begin = std::min(all.begin, module->dlpi_addr + header.p_vaddr);
          all.end = std::max(all.end, module->dlpi_addr + header.p_vaddr + header.p_memsz);
        }
        if (wanted.entry < all.begin || wanted.entry >= all.end) return 0;
        wanted.extent = all;
        return 1;
      },
      &found);
  return found.extent;
}

/// libstdc++ and libc++, as far as they are libraries: where they are part of the program nobody knows what is theirs.
std::vector<access::MemoryExtent> cxx_libraries() {
  std::vector<access::MemoryExtent> found;
  for (const char* name : {"_ZNSt6locale7classicEv", "_ZNSt3__16locale7classicEv"}) { // std::locale::classic()
    const auto entry = reinterpret_cast<Address>(dlsym(RTLD_DEFAULT, name));
    if (entry != 0 && !modules::is_instrumented(entry)) found.push_back(module_around(entry));
  }
  return found;
}

} // namespace

bool ProcessMemory::is_cxx_library(Address address) const {
  static const auto* const libraries = new std::vector(cxx_libraries()); // threads outlive every destructor
  return std::ranges::any_of(*libraries, [address](const access::MemoryExtent& library) {
    return address - library.begin < library.end - library.begin;
  });
}

access::MemoryExtent ProcessMemory::around(Address address, ThreadId thread) const {
  Search search{.address = address};
  if (dl_iterate_phdr(search_module, &search) != 0) return search.segment;
  const auto block = heap::find(address);
  // Neither: a stack, a mapping, memory of an allocator that is not watched. Whose it is cannot be told.
  if (!block || block->thread == ThreadId::none) return {address, address + 8, false};
  return {block->base, block->base + block->size, block->serial || block->thread != thread};
}

} // namespace fletcher::interpose
