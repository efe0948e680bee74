// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/slots.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace fletcher::interpose::slots {

bool is_in(const dl_phdr_info& module, unsigned kind, const void* address) noexcept {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type == kind &&
        reinterpret_cast<Address>(address) - (module.dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      return true;
  }
  return false;
}

Address code_of(const dl_phdr_info& module) noexcept {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) return module.dlpi_addr + segment.p_vaddr;
  }
  return 0;
}

void* load(void** slot) noexcept { return std::atomic_ref(*slot).load(std::memory_order_relaxed); }

void replace(const dl_phdr_info& module, void** slot, void* with) noexcept {
  const auto page_size = static_cast<Address>(sysconf(_SC_PAGESIZE));
  void* const page = reinterpret_cast<void*>(reinterpret_cast<Address>(slot) & ~(page_size - 1));
  const bool sealed = is_in(module, PT_GNU_RELRO, slot);
  if (sealed && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return;
  std::atomic_ref(*slot).store(with, std::memory_order_release);
  if (sealed) mprotect(page, page_size, PROT_READ);
}

void replace(Address module_base, void** slot, void* with) noexcept {
  struct Replacement {
    Address base;
    void** slot;
    void* with;
  } replacement{module_base, slot, with};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        const auto& one = *static_cast<Replacement*>(data);
        if (module->dlpi_addr != one.base || !is_in(*module, PT_LOAD, one.slot)) return 0;
        replace(*module, one.slot, one.with);
        return 1;
      },
      &replacement);
}

} // namespace fletcher::interpose::slots
