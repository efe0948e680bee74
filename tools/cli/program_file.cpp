// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the headers of an ELF file of this machine. Every offset is checked: the file may be anything.

#include "tools/cli/program_file.hpp"

#include "reports/symbols/subprocess.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

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

} // namespace

std::vector<LoadedLibrary> loaded_libraries(const std::string& interpreter, const std::filesystem::path& file) {
  std::vector<LoadedLibrary> found;
  const auto list = reports::run_filter(interpreter, {"--list", file.string()}, {}, std::chrono::seconds(10));
  if (!list) return found;
  std::istringstream lines(*list);
  for (std::string line; std::getline(lines, line);) { // "name => path (address)", or "path (address)"
    std::istringstream words(line);
    std::string name, arrow, path;
    words >> name >> arrow >> path;
    if (arrow != "=>") path = name;
    found.push_back({name.substr(name.rfind('/') + 1), path});
  }
  return found;
}

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
  if (program.interpreter.empty()) return program;
  for (const LoadedLibrary& library : loaded_libraries(program.interpreter, file)) {
    program.loads_libomp |= library.name.starts_with("libomp.so") || library.name.starts_with("libiomp5.so");
    program.loads_libgomp |= library.name.starts_with("libgomp.so");
  }
  return program;
}

bool gains_rights(const std::filesystem::path& file) {
  struct stat status{};
  struct statvfs system{};
  if (::stat(file.c_str(), &status) != 0 || ::statvfs(file.c_str(), &system) != 0) return false;
  if ((system.f_flag & ST_NOSUID) != 0 || ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return false;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid()) return true;
  constexpr mode_t group = S_ISGID | S_IXGRP;
  if ((status.st_mode & group) == group && status.st_gid != ::getegid()) return true;
  return ::geteuid() != 0 && ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
}

} // namespace fletcher::cli
