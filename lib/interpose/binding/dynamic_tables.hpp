// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables that the dynamic linker works with, found in a loaded module's memory.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace fletcher::interpose {

/// What a module does not have is null.
struct DynamicTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * calls = nullptr;
  const ElfW(Rela) * others = nullptr;
  std::size_t calls_size = 0, others_size = 0; ///< in bytes
  const std::uint32_t* hashes = nullptr;       ///< GNU's table
};

DynamicTables tables_of(const dl_phdr_info& module) noexcept;

} // namespace fletcher::interpose
