// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/called_libraries.hpp"

#include "lib/effects/forms.hpp"
#include "reports/symbols/subprocess.hpp"
#include "tools/cli/program_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

namespace fletcher::cli {

namespace {

struct Symbols {
  std::set<std::string> called, defined;
};

template <class T> std::optional<T> read(const std::string& bytes, std::uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The dynamic symbols of a file of 64 bits.
Symbols symbols_of(const std::filesystem::path& path) {
  Symbols symbols;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto header = read<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return symbols;
  const auto section = [&](std::uint64_t index) {
    return read<Elf64_Shdr>(bytes, header->e_shoff + index * header->e_shentsize);
  };
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto table = section(i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto names = section(table->sh_link);
    for (std::uint64_t at = 0; names && at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(bytes, table->sh_offset + at);
      if (!symbol || names->sh_offset + symbol->st_name >= bytes.size()) break;
      const unsigned type = ELF64_ST_TYPE(symbol->st_info);
      if (type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) continue;
      const std::string name(bytes.c_str() + names->sh_offset + symbol->st_name);
      if (!name.empty()) (symbol->st_shndx == SHN_UNDEF ? symbols.called : symbols.defined).insert(name);
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
  const auto list = reports::run_filter(file.interpreter, {"--list", std::filesystem::absolute(program).string()}, {},
                                        std::chrono::seconds(10));
  if (!list) return found;
  const std::set<std::string> called = symbols_of(program).called;
  std::istringstream lines(*list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, arrow, path;
    words >> name >> arrow >> path;
    if (arrow != "=>") path = name; // "path (address)"
    name = name.substr(name.rfind('/') + 1);
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
