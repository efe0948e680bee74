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
                              symbol.st_shndx != SHN_UNDEF};
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

namespace {

/// Calls `visit(symbol, name)` for each that the module defines until that returns true. Whether it did.
template <class Visit> bool any_defined(const DynamicTables& tables, Visit visit) {
  if (tables.symbols == nullptr || tables.strings == nullptr || tables.hashes == nullptr) return false;
  // Chains, each a run of neighbours whose last one's hash is odd.
  const std::uint32_t buckets = tables.hashes[0], first_symbol = tables.hashes[1], filter_words = tables.hashes[2];
  const std::uint32_t* const heads = tables.hashes + 4 + std::size_t{filter_words} * 2;
  const std::uint32_t* const chains = heads + buckets;
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    std::uint32_t symbol = heads[bucket];
    if (symbol < first_symbol) continue;
    do
      if (visit(tables.symbols[symbol], std::string_view(tables.strings + tables.symbols[symbol].st_name))) return true;
    while ((chains[symbol++ - first_symbol] & 1) == 0);
  }
  return false;
}

} // namespace

bool defines_with_prefix(const dl_phdr_info& module, std::string_view prefix) noexcept {
  return any_defined(tables_of(module),
                     [prefix](const ElfW(Sym)&, std::string_view name) { return name.starts_with(prefix); });
}

std::uintptr_t defined_at(const dl_phdr_info& module, std::string_view name) noexcept {
  std::uintptr_t found = 0;
  any_defined(tables_of(module), [&](const ElfW(Sym) & symbol, std::string_view symbol_name) {
    if (symbol_name != name) return false;
    found = module.dlpi_addr + symbol.st_value;
    return true;
  });
  return found;
}

bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept {
  return any_reference(module,
                       [name](const Reference& reference) { return !reference.defined && reference.name == name; });
}

} // namespace fletcher::interpose
