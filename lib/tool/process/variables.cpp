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

struct Variable {
  std::uint64_t offset = 0; ///< from where the module is loaded
  std::uint64_t size = 0;
};

std::vector<Variable> variables_of(const char* path) {
  std::vector<Variable> found;
  const FileBytes file(path);
  const auto header = file.at<ElfW(Ehdr)>(0, 1);
  if (header.empty()) return found;
  for (const ElfW(Shdr) & section : file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum)) {
    if (section.sh_type != SHT_SYMTAB) continue;
    for (const ElfW(Sym) & symbol : file.at<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym))))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && symbol.st_size > 0)
        found.push_back({symbol.st_value, symbol.st_size});
  }
  std::ranges::sort(found, {}, &Variable::offset);
  return found;
}

} // namespace

std::optional<std::size_t> size_of_variable(Address address) {
  static constinit memory::SpinLock lock;
  static auto& known = *new std::map<Address, std::vector<Variable>>; // by base; threads outlive every destructor
  dl_find_object module;
  if (_dl_find_object(reinterpret_cast<void*>(address), &module) != 0) return std::nullopt;
  const link_map& loaded = *module.dlfo_link_map;
  const memory::SpinGuard guard(lock);
  auto at = known.find(loaded.l_addr);
  if (at == known.end()) {
    const bool is_program = *loaded.l_name == '\0';
    at = known.emplace(loaded.l_addr, variables_of(is_program ? "/proc/self/exe" : loaded.l_name)).first;
  }
  const std::vector<Variable>& variables = at->second;
  const Address offset = address - loaded.l_addr;
  const auto after = std::ranges::upper_bound(variables, offset, {}, &Variable::offset);
  if (after == variables.begin()) return std::nullopt;
  const Variable& variable = *std::prev(after);
  return offset - variable.offset < variable.size ? std::optional(variable.size) : std::nullopt;
}

} // namespace fletcher::tool
