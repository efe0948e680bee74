// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/called_libraries.hpp"

#include "lib/effects/forms.hpp"
#include "reports/symbols/mapped_file.hpp"
#include "tools/cli/program_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <set>
#include <string_view>
#include <utility>

namespace fletcher::cli {

namespace {

struct Symbols {
  std::set<std::string> called, defined;
};

/// The dynamic symbols of a file of 64 bits.
Symbols symbols_of(const std::filesystem::path& path) {
  Symbols symbols;
  const reports::MappedFile file(path.string());
  const auto headers = reports::records<Elf64_Ehdr>(file.part(0, sizeof(Elf64_Ehdr)));
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      headers[0].e_ident[EI_CLASS] != ELFCLASS64)
    return symbols;
  const auto sections = reports::records<Elf64_Shdr>(
      file.part(headers[0].e_shoff, std::uint64_t{headers[0].e_shnum} * sizeof(Elf64_Shdr)));
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= sections.size()) continue;
    const std::string_view names = file.part(sections[table.sh_link].sh_offset, sections[table.sh_link].sh_size);
    for (const Elf64_Sym& symbol : reports::records<Elf64_Sym>(file.part(table.sh_offset, table.sh_size))) {
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) || symbol.st_name >= names.size()) continue;
      const std::string_view rest = names.substr(symbol.st_name);
      const std::string name(rest.substr(0, rest.find('\0')));
      if (!name.empty()) (symbol.st_shndx == SHN_UNDEF ? symbols.called : symbols.defined).insert(name);
    }
  }
  return symbols;
}

bool is_of_system(const std::string& name) {
  static constexpr std::array<std::string_view, 12> begins{"libc.so",     "libm.so",  "libdl.so", "libpthread.so",
                                                           "librt.so",    "ld-linux", "libgcc",   "libstdc++",
                                                           "libgfortran", "libomp",   "libgomp",  "libfletcher"};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

} // namespace

std::vector<CalledLibrary> called_libraries(const std::filesystem::path& program) {
  std::vector<CalledLibrary> found;
  const ProgramFile file = inspect(program);
  if (file.interpreter.empty()) return found;
  const std::set<std::string> called = symbols_of(program).called;
  for (const auto& [name, path] : loaded_libraries(file.interpreter, std::filesystem::absolute(program))) {
    if (is_of_system(name)) continue;
    CalledLibrary library{name, {}, {}};
    for (const std::string& function : symbols_of(path).defined)
      if (called.contains(function))
        (effects::find(effects::built_in, function) ? library.known : library.unknown).push_back(function);
    if (!library.known.empty() || !library.unknown.empty()) found.push_back(std::move(library));
  }
  return found;
}

} // namespace fletcher::cli
