// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/dynamic_symbols.hpp"

#include "lib/interpose/binding/dynamic_tables.hpp"

#include <algorithm>
#include <cstdint>

namespace fletcher::interpose {

namespace {

/// Of the symbol table, which does not say it: the hash table's last chain ends with its last entry.
std::uint32_t count_symbols(const std::uint32_t* hashes) noexcept {
  const std::uint32_t buckets = hashes[0], first = hashes[1], words = hashes[2];
  const std::uint32_t* const bucket = hashes + 4 + words * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* const chain = bucket + buckets;
  std::uint32_t last = *std::max_element(bucket, bucket + buckets);
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + 1;
}

} // namespace

bool detail::any_definition(const dl_phdr_info& module, bool (*visit)(void*, const Definition&), void* data) {
  const DynamicTables tables = tables_of(module);
  if (tables.hashes == nullptr || tables.symbols == nullptr || tables.strings == nullptr) return false;
  const std::uint32_t count = count_symbols(tables.hashes);
  for (std::uint32_t i = 1; i < count; ++i) {
    const ElfW(Sym)& symbol = tables.symbols[i];
    if (symbol.st_shndx == SHN_UNDEF) continue;
    if (visit(data, {tables.strings + symbol.st_name, module.dlpi_addr + symbol.st_value, symbol.st_size,
                     ELF64_ST_TYPE(symbol.st_info) == STT_FUNC}))
      return true;
  }
  return false;
}

bool defines_with_prefix(const dl_phdr_info& module, std::string_view prefix) noexcept {
  return any_definition(module, [prefix](const Definition& one) { return one.name.starts_with(prefix); });
}

Address defined_at(const dl_phdr_info& module, std::string_view name) noexcept {
  Address found = 0;
  any_definition(module, [&](const Definition& one) {
    if (one.name != name) return false;
    found = one.at;
    return true;
  });
  return found;
}

} // namespace fletcher::interpose
