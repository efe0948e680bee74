// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads section headers, symbol tables and .comment of a mapped ELF file.
#include "reports/symbols/elf_image.hpp"

#include "reports/symbols/mapped_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <memory>
#include <string_view>
#include <tuple>

namespace fletcher::reports {
namespace {

std::string_view string_at(std::string_view table, std::size_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

/// In hexadecimal digits; empty where the first note is another one.
std::string build_id_of(std::string_view notes) {
  constexpr std::size_t name_size = 4; // "GNU" and its end
  const auto headers = records<Elf64_Nhdr>(notes.substr(0, std::min(notes.size(), sizeof(Elf64_Nhdr))));
  if (headers.empty() || headers[0].n_type != NT_GNU_BUILD_ID || headers[0].n_namesz != name_size) return {};
  std::string digits;
  for (const char c :
       notes.substr(std::min(notes.size(), sizeof(Elf64_Nhdr) + name_size)).substr(0, headers[0].n_descsz))
    for (const int shift : {4, 0}) digits += "0123456789abcdef"[(static_cast<unsigned char>(c) >> shift) & 0xf];
  return digits;
}

} // namespace

ElfImage::ElfImage(const std::string& path) {
  read(path);
  // What `strip` took away a package of debug symbols may have kept (GDB, Debugging Information in Separate Files).
  if (!has_all_symbols_ && build_id_.size() > 2)
    read("/usr/lib/debug/.build-id/" + build_id_.substr(0, 2) + "/" + build_id_.substr(2) + ".debug");
  const auto by_start = [](const Entry& a, const Entry& b) {
    return std::tie(a.start, a.mangled) < std::tie(b.start, b.mangled);
  };
  std::sort(functions_.begin(), functions_.end(), by_start);
  std::sort(objects_.begin(), objects_.end(), by_start);
}

void ElfImage::read(const std::string& path) {
  const MappedFile file(path);
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
    if (section.sh_type == SHT_NOTE && build_id_.empty()) build_id_ = build_id_of(content(section));
    has_all_symbols_ |= section.sh_type == SHT_SYMTAB;
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
  if (!name.starts_with("_Z")) return name; // of C: the demangler would take 'i' for a type
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

} // namespace fletcher::reports
