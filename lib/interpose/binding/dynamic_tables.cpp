// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/dynamic_tables.hpp"

namespace fletcher::interpose {

namespace {

/// The loader relocates the pointers in place on most platforms.
template <class T> const T* table(const dl_phdr_info& module, const ElfW(Dyn) & entry) noexcept {
  const ElfW(Addr) value = entry.d_un.d_ptr;
  return reinterpret_cast<const T*>(value < module.dlpi_addr ? value + module.dlpi_addr : value);
}

DynamicTables read(const dl_phdr_info& module, const ElfW(Dyn) * entry) noexcept {
  DynamicTables tables;
  for (; entry->d_tag != DT_NULL; ++entry) switch (entry->d_tag) {
    case DT_SYMTAB:
      tables.symbols = table<ElfW(Sym)>(module, *entry);
      break;
    case DT_STRTAB:
      tables.strings = table<char>(module, *entry);
      break;
    case DT_JMPREL:
      tables.calls = table<ElfW(Rela)>(module, *entry);
      break;
    case DT_PLTRELSZ:
      tables.calls_size = entry->d_un.d_val;
      break;
    case DT_RELA:
      tables.others = table<ElfW(Rela)>(module, *entry);
      break;
    case DT_RELASZ:
      tables.others_size = entry->d_un.d_val;
      break;
    case DT_GNU_HASH:
      tables.hashes = table<std::uint32_t>(module, *entry);
      break;
    default:
      break;
    }
  return tables;
}

} // namespace

DynamicTables tables_of(const dl_phdr_info& module) noexcept {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC)
      return read(module, reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + segment.p_vaddr));
  }
  return {};
}

} // namespace fletcher::interpose
