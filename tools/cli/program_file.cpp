// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the headers of an ELF file of this machine. Every offset is checked: the file may be anything.

#include "tools/cli/program_file.hpp"

#include "reports/subprocess.hpp"

#include <chrono>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

namespace fletcher::cli {

namespace {

/// A file of which parts are read as values; what lies outside of it is not there.
class Reader {
public:
  explicit Reader(const std::filesystem::path& file) : stream_(file, std::ios::binary) {}

  template <class T> std::optional<T> at(std::uint64_t offset) {
    T value;
    if (!read(offset, &value, sizeof value)) return std::nullopt;
    return value;
  }
  std::string text(std::uint64_t offset, std::uint64_t size) {
    constexpr std::uint64_t largest = 1U << 28U;
    std::string result(size < largest ? size : 0, '\0');
    if (!read(offset, result.data(), result.size())) result.clear();
    return result;
  }

private:
  bool read(std::uint64_t offset, void* to, std::size_t size) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
    return static_cast<bool>(stream_);
  }
  std::ifstream stream_;
};

std::string interpreter_of(Reader& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.at<Elf64_Phdr>(header.e_phoff + std::uint64_t{i} * header.e_phentsize);
    if (segment && segment->p_type == PT_INTERP) return file.text(segment->p_offset, segment->p_filesz).c_str();
  }
  return {};
}

/// Among the dynamic symbols, which even a stripped program has, is one that `wanted(name, defined)` is true of.
template <class Wanted> bool has_symbol(Reader& file, const Elf64_Ehdr& header, Wanted wanted) {
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = file.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize);
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto names = file.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{section->sh_link} * header.e_shentsize);
    if (!names) return false;
    const std::string text = file.text(names->sh_offset, names->sh_size);
    const std::string symbols = file.text(section->sh_offset, section->sh_size);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
      if (symbol.st_name < text.size() &&
          wanted(std::string_view(text.c_str() + symbol.st_name), symbol.st_shndx != SHN_UNDEF))
        return true;
    }
  }
  return false;
}

/// The dynamic linker lists "name => path (address)" lines and runs nothing of the program.
void read_libraries(ProgramFile& program, const std::filesystem::path& file) {
  const auto list = reports::run_filter(program.interpreter, {"--list", file.string()}, {}, std::chrono::seconds(10));
  if (!list) return;
  std::istringstream lines(*list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string path;
    words >> path;
    const std::string name = path.substr(path.rfind('/') + 1);
    program.loads_fletcher |= name.starts_with("libfletcher.so");
    program.loads_libomp |= name.starts_with("libomp.so") || name.starts_with("libiomp5.so");
    program.loads_libgomp |= name.starts_with("libgomp.so");
    program.loads_libtsan |= name.starts_with("libtsan.so") || name.starts_with("libclang_rt.tsan");
  }
}

} // namespace

ProgramFile inspect(const std::filesystem::path& file) {
  ProgramFile program;
  Reader reader(file);
  const auto identity = reader.at<std::array<unsigned char, EI_NIDENT>>(0);
  program.elf = identity && std::memcmp(identity->data(), ELFMAG, SELFMAG) == 0;
  if (!program.elf) return program;
  const auto header = reader.at<Elf64_Ehdr>(0);
  program.same_machine = header && header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64;
  if (!program.same_machine) return program;
  program.interpreter = interpreter_of(reader, *header);
  // A statically linked ThreadSanitizer exports its functions.
  program.contains_tsan =
      has_symbol(reader, *header, [](auto name, bool defined) { return defined && name == "__tsan_init"; });
  program.calls_gomp_target =
      has_symbol(reader, *header, [](auto name, bool defined) { return !defined && name.starts_with("GOMP_target"); });
  if (!program.interpreter.empty()) read_libraries(program, file);
  return program;
}

} // namespace fletcher::cli
