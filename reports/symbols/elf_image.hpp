// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an ELF file says without debug information: names of functions and variables, and which compilers made it. The
// fallback when there is no symbolizer. Of a stripped file, the separate one with its symbols is read, too. Relies on
// the system's <elf.h>; 64-bit files of this machine's byte order.
#pragma once

#include "checker/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

struct ElfSymbol {
  std::string name; ///< demangled
  Address start = 0;
  std::uint64_t size = 0;
};

class ElfImage {
public:
  /// An unreadable or foreign file gives an image without symbols.
  explicit ElfImage(const std::string& path);

  std::optional<ElfSymbol> function(Address address) const;
  std::optional<ElfSymbol> object(Address address) const;
  /// False only if the file names its compilers and clang is not among them.
  bool maybe_clang() const noexcept { return maybe_clang_; }

private:
  struct Entry {
    Address start;
    std::uint64_t size;
    std::string mangled;
  };
  void read(const std::string& path);
  static std::optional<ElfSymbol> find(const std::vector<Entry>& entries, Address address);

  std::vector<Entry> functions_, objects_; ///< sorted by start
  std::string build_id_;
  bool maybe_clang_ = true, has_all_symbols_ = false;
};

/// A C++ name as written in source; any other name unchanged.
std::string demangled(const std::string& name);

} // namespace fletcher::reports
