// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded module calls and names by its dynamic symbols, read from its relocations in memory.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace fletcher::interpose {

/// A relocation of a dynamic symbol.
struct Reference {
  const char* text; ///< the symbol's name, which lives as long as the module is loaded
  /// Where the module's code reads the function's address before it calls or takes it, which may be that of a stub of
  /// the module's own until the first call; null for references of other kinds.
  void** slot = nullptr;
  bool defined = false;   ///< by the module itself, too
  std::size_t symbol = 0; ///< its index in the module's table

  std::string_view name() const noexcept { return text; }
  bool begins(std::string_view prefix) const noexcept { return std::strncmp(text, prefix.data(), prefix.size()) == 0; }
};

/// Calls `visit(reference)` for each until that returns true. Whether it did. O(the module's relocations).
template <class Visit> bool any_reference(const dl_phdr_info& module, Visit&& visit);

/// Calls `visit(name)` for each dynamic symbol that the module refers to and does not define, until that returns true.
/// Whether it did. O(these symbols), where their number can be known: libraries of C++ templates have a hundred times
/// as many relocations.
template <class Visit> bool any_undefined(const dl_phdr_info& module, Visit&& visit);

/// Whether the module refers to a dynamic symbol of that name which it does not define.
bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept;

namespace detail {
bool any_reference(const dl_phdr_info& module, bool (*visit)(void*, const Reference&), void* data);
bool any_undefined(const dl_phdr_info& module, bool (*visit)(void*, const char*), void* data);
} // namespace detail

template <class Visit> bool any_reference(const dl_phdr_info& module, Visit&& visit) {
  return detail::any_reference(
      module, [](void* data, const Reference& reference) { return (*static_cast<Visit*>(data))(reference); }, &visit);
}
template <class Visit> bool any_undefined(const dl_phdr_info& module, Visit&& visit) {
  return detail::any_undefined(
      module, [](void* data, const char* name) { return (*static_cast<Visit*>(data))(name); }, &visit);
}

/// Whether it begins so. Without a look at the whole name: there are tens of thousands.
inline bool begins(const char* name, std::string_view prefix) noexcept {
  return std::strncmp(name, prefix.data(), prefix.size()) == 0;
}

} // namespace fletcher::interpose
