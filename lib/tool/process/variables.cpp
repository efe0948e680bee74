// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/process/variables.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/tool/process/file_bytes.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <vector>

namespace fletcher::tool {

namespace {

bool is_variable(const ElfW(Sym) & symbol) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && symbol.st_size > 0;
}

/// With addresses as they are where the module is loaded at 0.
std::vector<StaticVariable> variables_of(const char* path) {
  std::vector<StaticVariable> found;
  std::vector<std::uint64_t> exported;
  const FileBytes file(path);
  const auto header = file.at<ElfW(Ehdr)>(0, 1);
  if (header.empty()) return found;
  for (const ElfW(Shdr) & section : file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum)) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    for (const ElfW(Sym) & symbol : file.at<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      if (!is_variable(symbol)) continue;
      if (section.sh_type == SHT_SYMTAB)
        found.push_back({symbol.st_value, symbol.st_size});
      else
        exported.push_back(symbol.st_value);
    }
  }
  // Of several names for one address, the one that covers most is last.
  std::ranges::sort(found, {}, [](const StaticVariable& one) { return std::pair(one.begin, one.size); });
  std::ranges::sort(exported);
  for (StaticVariable& one : found) one.exported = std::ranges::binary_search(exported, one.begin);
  return found;
}

} // namespace

std::optional<StaticVariable> variable_at(Address address) {
  static constinit memory::SpinLock lock;
  static auto& known = *new std::map<Address, std::vector<StaticVariable>>; // by base; threads outlive every destructor
  dl_find_object module;
  if (_dl_find_object(reinterpret_cast<void*>(address), &module) != 0) return std::nullopt;
  const link_map& loaded = *module.dlfo_link_map;
  const memory::SpinGuard guard(lock);
  auto at = known.find(loaded.l_addr);
  if (at == known.end()) {
    const bool is_program = *loaded.l_name == '\0';
    at = known.emplace(loaded.l_addr, variables_of(is_program ? "/proc/self/exe" : loaded.l_name)).first;
  }
  const std::vector<StaticVariable>& variables = at->second;
  const auto after = std::ranges::upper_bound(variables, address - loaded.l_addr, {}, &StaticVariable::begin);
  if (after == variables.begin()) return std::nullopt;
  StaticVariable found = *std::prev(after);
  found.begin += loaded.l_addr;
  return address - found.begin < found.size ? std::optional(found) : std::nullopt;
}

} // namespace fletcher::tool
