// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/memory_map.hpp"

#include "checker/checker.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/memory/device_blocks.hpp"
#include "lib/interpose/memory/heap_registry.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/openmp/target_images.hpp"
#include "lib/interpose/takeover/old_blocks.hpp"
#include "lib/tool/process/peek.hpp"
#include "lib/tool/process/variables.hpp"
#include "lib/tool/session.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace fletcher::interpose {

namespace {

struct Search {
  Address address;
  access::MemoryExtent segment{};
  Address code = 0; ///< of the same module: an executable segment, where that comes before
};

int search_module(dl_phdr_info* module, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  search.code = 0;
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    const Address begin = module->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) search.code = begin;
    if (header.p_type != PT_LOAD || search.address - begin >= header.p_memsz) continue;
    search.segment = {begin, begin + header.p_memsz, true};
    return 1;
  }
  return 0;
}

/// A standard stream where the linker has copied it into the program: code that is not position-independent wants it
/// there. Threads that write to the same one need not synchronise.
void add_copied_streams(std::vector<access::MemoryExtent>& found) {
  for (const char* name :
       {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"}) {
    void* const stream = dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    if (stream == nullptr || dladdr1(stream, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) == 0 ||
        symbol == nullptr || info.dli_saddr != stream)
      continue;
    const auto begin = reinterpret_cast<Address>(stream);
    found.push_back({begin, begin + symbol->st_size});
  }
}

/// libstdc++ and libc++, as far as they are libraries: where they are part of the program nobody knows what is theirs.
std::vector<access::MemoryExtent> cxx_libraries() {
  std::vector<access::MemoryExtent> found;
  for (const char* name : {"_ZNSt6locale7classicEv", "_ZNSt3__16locale7classicEv"}) { // std::locale::classic()
    void* const entry = dlsym(RTLD_DEFAULT, name);
    dl_find_object library;
    if (entry != nullptr && !modules::is_instrumented(reinterpret_cast<Address>(entry)) &&
        _dl_find_object(entry, &library) == 0)
      found.push_back(
          {reinterpret_cast<Address>(library.dlfo_map_start), reinterpret_cast<Address>(library.dlfo_map_end)});
  }
  if (!found.empty()) add_copied_streams(found);
  return found;
}

/// There is memory, and it may be read. Costs a system call for each page.
bool is_readable(Address address) {
  constexpr unsigned page_bits = 12;
  static constinit std::array<std::atomic<Address>, 256> known{}; // pages, by their numbers
  const Address page = address >> page_bits;
  std::atomic<Address>& slot = known[page % known.size()];
  if (page != 0 && slot.load(std::memory_order_relaxed) == page) return true;
  const KeptErrno kept;
  char byte = 0;
  const iovec to{&byte, 1}, from{reinterpret_cast<void*>(address), 1};
  if (::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) < 0) return errno != EFAULT;
  slot.store(page, std::memory_order_relaxed);
  return true;
}

/// A static variable of the host's. An image for a device finds the names that other modules export: what is exported
/// may be meant for both.
access::MemoryMap::HeapBlock variable_of_host(Address address) {
  Search search{.address = address};
  dl_find_object module;
  if (_dl_find_object(reinterpret_cast<void*>(address), &module) != 0 || dl_iterate_phdr(search_module, &search) == 0 ||
      !modules::is_instrumented(search.code) || modules::device_images.contains(search.code))
    return {};
  const auto variable = tool::variable_at(address);
  if (!variable || variable->exported) return {};
  return {access::MemoryMap::HeapBlock::Owner::host, variable->begin, variable->begin + variable->size};
}

} // namespace

bool ProcessMemory::is_static(Address address) const {
  dl_find_object module;
  return _dl_find_object(reinterpret_cast<void*>(address), &module) == 0;
}

bool ProcessMemory::is_named(Address address) const {
  constexpr std::size_t smallest_store = 256;
  const auto variable = tool::variable_at(address);
  return variable && variable->size < smallest_store;
}

bool ProcessMemory::is_cxx_library(Address address) const {
  static const auto* const libraries = new std::vector(cxx_libraries()); // threads outlive every destructor
  return std::ranges::any_of(*libraries, [address](const access::MemoryExtent& library) {
    return address - library.begin < library.end - library.begin;
  });
}

access::MemoryExtent ProcessMemory::around(Address address, ThreadId thread) const {
  Search search{.address = address};
  // Without a lock it is known at once that no module has it, which is so of most.
  if (is_static(address) && dl_iterate_phdr(search_module, &search) != 0) return search.segment;
  const auto block = heap::find(address);
  if (!block && thread == ThreadId::none && !is_readable(address)) return {};
  // It is there before a target region begins, for all of its threads. But where the host's threads have target regions
  // of their own, each may have a block of its own for several of them.
  if (block && block->thread == ThreadId::none)
    if (const auto own = device_blocks::find(address))
      return {own->base, own->base + own->size, own->serial || own->thread != thread, true};
  // Neither: a stack, a mapping, memory of an allocator that is not watched. Whose it is cannot be known, but of what
  // there was before OpenMP's runtime began, and with it the take-over.
  if (!block || block->thread == ThreadId::none) return {address, address + 8, old_blocks::hold(address)};
  return {block->base, block->base + block->size, block->serial || block->thread != thread, true};
}

bool ProcessMemory::is_device_code(Address pc) const {
  return modules::device_images.contains(pc) && !target_images::share_memory();
}

access::MemoryMap::HeapBlock ProcessMemory::heap_block(Address address) const {
  const auto block = heap::find(address);
  if (!block) return variable_of_host(address);
  HeapBlock found{.begin = block->base, .end = block->base + block->size};
  if (!block->alive) return found;
  found.owner = HeapBlock::Owner::runtime;
  if (block->thread == ThreadId::none) return found;
  tool::Session* const session = tool::session();
  const Stack origin = session != nullptr ? session->checker().stack(block->origin) : Stack();
  found.owner = !origin.empty() && is_device_code(origin.front()) ? HeapBlock::Owner::device : HeapBlock::Owner::host;
  return found;
}

Address ProcessMemory::word_at(Address address) const {
  const KeptErrno kept;
  return tool::peek<Address>(address).value_or(0);
}

} // namespace fletcher::interpose
