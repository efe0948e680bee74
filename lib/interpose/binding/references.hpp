// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded module calls and names by its dynamic symbols, read from its relocations in memory.
#pragma once

#include <link.h>

#include <cstring>
#include <string_view>

namespace fletcher::interpose {

/// A relocation of a dynamic symbol.
struct Reference {
  const char* text; ///< the symbol's name, which lives as long as the module is loaded
  /// Where the module's code reads the function's address before it calls or takes it, which may be that of a stub of
  /// the module's own until the first call; null for references of other kinds.
  void** slot = nullptr;
  bool defined = false; ///< by the module itself, too

  std::string_view name() const noexcept { return text; }
  /// Without a look at the whole name: there are tens of thousands.
  bool begins(std::string_view prefix) const noexcept { return std::strncmp(text, prefix.data(), prefix.size()) == 0; }
};

/// Calls `visit(reference)` for each until that returns true. Whether it did. O(the module's relocations).
template <class Visit> bool any_reference(const dl_phdr_info& module, Visit&& visit);

/// Whether the module refers to a dynamic symbol of that name which it does not define. O(its relocations).
bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept;

namespace detail {
bool any_reference(const dl_phdr_info& module, bool (*visit)(void*, const Reference&), void* data);
}

template <class Visit> bool any_reference(const dl_phdr_info& module, Visit&& visit) {
  return detail::any_reference(
      module, [](void* data, const Reference& reference) { return (*static_cast<Visit*>(data))(reference); }, &visit);
}

} // namespace fletcher::interpose
