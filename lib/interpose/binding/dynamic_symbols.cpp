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

void detail::each_function(const dl_phdr_info& module, void (*visit)(void*, std::string_view, Address, std::size_t),
                           void* data) {
  const DynamicTables tables = tables_of(module);
  if (tables.hashes == nullptr || tables.symbols == nullptr || tables.strings == nullptr) return;
  const std::uint32_t count = count_symbols(tables.hashes);
  for (std::uint32_t i = 1; i < count; ++i) {
    const ElfW(Sym)& symbol = tables.symbols[i];
    if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
    visit(data, tables.strings + symbol.st_name, module.dlpi_addr + symbol.st_value, symbol.st_size);
  }
}

} // namespace fletcher::interpose
