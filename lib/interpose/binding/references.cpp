// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/references.hpp"

#include "lib/interpose/binding/dynamic_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fletcher::interpose {

namespace {

/// Of the linkage table, and of the table of global addresses.
#if defined(__aarch64__)
constexpr std::uint32_t jump_slot = R_AARCH64_JUMP_SLOT, global_slot = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t jump_slot = R_X86_64_JUMP_SLOT, global_slot = R_X86_64_GLOB_DAT;
#endif

struct Visitor {
  bool (*visit)(void*, const Reference&);
  void* data;
};

bool any(const dl_phdr_info& module, const ElfW(Rela) * relocations, std::size_t bytes, const DynamicTables& tables,
         Visitor visitor) {
  if (relocations == nullptr) return false;
  for (const ElfW(Rela) & relocation : std::span(relocations, bytes / sizeof *relocations)) {
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    if (index == 0) continue;
    const ElfW(Sym)& symbol = tables.symbols[index];
    const std::uint32_t type = ELF64_R_TYPE(relocation.r_info);
    const bool is_slot = type == jump_slot || type == global_slot;
    const Reference reference{tables.strings + symbol.st_name,
                              is_slot ? reinterpret_cast<void**>(module.dlpi_addr + relocation.r_offset) : nullptr,
                              symbol.st_shndx != SHN_UNDEF, index};
    if (visitor.visit(visitor.data, reference)) return true;
  }
  return false;
}

} // namespace

bool detail::any_reference(const dl_phdr_info& module, bool (*visit)(void*, const Reference&), void* data) {
  const Visitor visitor{visit, data};
  const DynamicTables tables = tables_of(module);
  if (tables.symbols == nullptr || tables.strings == nullptr) return false;
  return any(module, tables.calls, tables.calls_size, tables, visitor) ||
         any(module, tables.others, tables.others_size, tables, visitor);
}

bool detail::any_undefined(const dl_phdr_info& module, bool (*visit)(void*, const char*), void* data) {
  const DynamicTables tables = tables_of(module);
  if (tables.symbols == nullptr || tables.strings == nullptr) return false;
  // GNU's table of hashes begins with the number of its buckets and that of the first symbol in it: all that the module
  // defines for others come from there on. Where it is empty, it need not say so.
  const std::size_t first_defined = tables.hashes != nullptr ? tables.hashes[1] : 0;
  if (first_defined <= 1)
    return interpose::any_reference(
        module, [&](const Reference& reference) { return !reference.defined && visit(data, reference.text); });
  for (std::size_t i = 1; i < first_defined; ++i)
    if (tables.symbols[i].st_shndx == SHN_UNDEF && visit(data, tables.strings + tables.symbols[i].st_name)) return true;
  return false;
}

bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept {
  return any_undefined(module, [name](const char* one) { return begins(one, name) && one[name.size()] == '\0'; });
}

} // namespace fletcher::interpose
