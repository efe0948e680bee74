// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/undefined_symbols.hpp"

#include <cstddef>
#include <span>

namespace fletcher::interpose {

namespace {

struct DynamicTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * calls = nullptr;
  const ElfW(Rela) * others = nullptr;
  std::size_t calls_size = 0, others_size = 0; ///< in bytes
};

/// The loader relocates the pointers in place on most platforms.
template <class T> const T* table(const dl_phdr_info& module, const ElfW(Dyn) & entry) noexcept {
  const ElfW(Addr) value = entry.d_un.d_ptr;
  return reinterpret_cast<const T*>(value < module.dlpi_addr ? value + module.dlpi_addr : value);
}

DynamicTables tables_of(const dl_phdr_info& module, const ElfW(Dyn) * entry) noexcept {
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
    default:
      break;
    }
  return tables;
}

bool refers(const ElfW(Rela) * relocations, std::size_t bytes, const DynamicTables& tables,
            std::string_view name) noexcept {
  if (relocations == nullptr) return false;
  for (const ElfW(Rela) & relocation : std::span(relocations, bytes / sizeof *relocations)) {
    const std::size_t index = relocation.r_info >> (sizeof(void*) == 8 ? 32 : 8);
    if (index == 0) continue;
    const ElfW(Sym)& symbol = tables.symbols[index];
    if (symbol.st_shndx == SHN_UNDEF && name == tables.strings + symbol.st_name) return true;
  }
  return false;
}

} // namespace

bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const DynamicTables tables =
        tables_of(module, reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + segment.p_vaddr));
    if (tables.symbols == nullptr || tables.strings == nullptr) return false;
    return refers(tables.calls, tables.calls_size, tables, name) ||
           refers(tables.others, tables.others_size, tables, name);
  }
  return false;
}

} // namespace fletcher::interpose
