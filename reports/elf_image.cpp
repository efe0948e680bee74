// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads section headers, symbol tables and .comment of a mapped ELF file. Every offset is checked against the file's
// size: the file may be truncated or hostile.
#include "reports/elf_image.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace fletcher::reports {
namespace {

class Mapping {
public:
  explicit Mapping(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status{};
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    ::close(descriptor);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (data_ != MAP_FAILED) ::munmap(data_, size_);
  }

  /// Part of the file, or empty where the file does not reach so far.
  std::string_view part(std::uint64_t offset, std::uint64_t length) const {
    if (data_ == MAP_FAILED || offset > size_ || length > size_ - offset) return {};
    return {static_cast<const char*>(data_) + offset, static_cast<std::size_t>(length)};
  }

private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

/// Copies out, because nothing promises that the file's records are aligned.
template <class T> std::vector<T> records(std::string_view bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

std::string_view string_at(std::string_view table, std::size_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

} // namespace

ElfImage::ElfImage(const std::string& path) {
  const Mapping file(path);
  const auto headers = records<Elf64_Ehdr>(file.part(0, sizeof(Elf64_Ehdr)));
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      headers[0].e_ident[EI_CLASS] != ELFCLASS64 || headers[0].e_shentsize != sizeof(Elf64_Shdr))
    return;
  const Elf64_Ehdr& header = headers[0];
  const auto sections =
      records<Elf64_Shdr>(file.part(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)));
  const auto content = [&](const Elf64_Shdr& section) {
    return section.sh_type == SHT_NOBITS ? std::string_view() : file.part(section.sh_offset, section.sh_size);
  };
  const std::string_view section_names =
      header.e_shstrndx < sections.size() ? content(sections[header.e_shstrndx]) : std::string_view();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_PROGBITS && string_at(section_names, section.sh_name) == ".comment")
      maybe_clang_ = content(section).find("clang") != std::string_view::npos;
    if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) || section.sh_link >= sections.size())
      continue;
    const std::string_view names = content(sections[section.sh_link]);
    for (const Elf64_Sym& symbol : records<Elf64_Sym>(content(section))) {
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (type != STT_FUNC && type != STT_OBJECT) continue;
      auto& entries = type == STT_FUNC ? functions_ : objects_;
      entries.push_back({symbol.st_value, symbol.st_size, std::string(string_at(names, symbol.st_name))});
    }
  }
  const auto by_start = [](const Entry& a, const Entry& b) {
    return std::tie(a.start, a.mangled) < std::tie(b.start, b.mangled);
  };
  std::sort(functions_.begin(), functions_.end(), by_start);
  std::sort(objects_.begin(), objects_.end(), by_start);
}

std::optional<ElfSymbol> ElfImage::find(const std::vector<Entry>& entries, Address address) {
  auto after = std::upper_bound(entries.begin(), entries.end(), address,
                                [](Address a, const Entry& entry) { return a < entry.start; });
  if (after == entries.begin()) return std::nullopt;
  const Entry& entry = *(after - 1);
  if (address - entry.start >= std::max<std::uint64_t>(entry.size, 1)) return std::nullopt;
  return ElfSymbol{demangled(entry.mangled), entry.start, entry.size};
}

std::optional<ElfSymbol> ElfImage::function(Address address) const { return find(functions_, address); }
std::optional<ElfSymbol> ElfImage::object(Address address) const { return find(objects_, address); }

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

} // namespace fletcher::reports
