// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded module defines by its dynamic symbols, read from its tables in memory. None of those of a module
// without GNU's hash table.
#pragma once

#include "checker/ids.hpp"

#include <link.h>

#include <cstddef>
#include <string_view>

namespace fletcher::interpose {

struct Definition {
  std::string_view name; ///< lives as long as the module is loaded
  Address at;
  std::size_t size;
  bool is_function;
};

/// Calls `visit(definition)` for each until that returns true. Whether it did. O(the module's symbols).
template <class Visit> bool any_definition(const dl_phdr_info& module, Visit&& visit);

/// Whether there is one whose name begins so. As costly.
bool defines_with_prefix(const dl_phdr_info& module, std::string_view prefix) noexcept;
/// The address of the one of that name; 0 where there is none. As costly.
Address defined_at(const dl_phdr_info& module, std::string_view name) noexcept;

namespace detail {
bool any_definition(const dl_phdr_info& module, bool (*visit)(void*, const Definition&), void* data);
}

template <class Visit> bool any_definition(const dl_phdr_info& module, Visit&& visit) {
  return detail::any_definition(
      module, [](void* data, const Definition& definition) { return (*static_cast<Visit*>(data))(definition); },
      &visit);
}

} // namespace fletcher::interpose
