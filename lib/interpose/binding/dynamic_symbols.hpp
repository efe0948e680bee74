// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a loaded module shows by its dynamic symbols, read from its tables in memory.
#pragma once

#include "checker/ids.hpp"

#include <link.h>

#include <cstddef>
#include <string_view>

namespace fletcher::interpose {

/// Calls `visit(name, address, size)` for each function that the module defines; none where it has no GNU hash table.
/// The names live as long as the module is loaded. O(its symbols).
template <class Visit> void each_function(const dl_phdr_info& module, Visit&& visit);

namespace detail {
void each_function(const dl_phdr_info& module, void (*visit)(void*, std::string_view, Address, std::size_t),
                   void* data);
}

template <class Visit> void each_function(const dl_phdr_info& module, Visit&& visit) {
  detail::each_function(
      module,
      [](void* data, std::string_view name, Address at, std::size_t size) {
        (*static_cast<Visit*>(data))(name, at, size);
      },
      &visit);
}

} // namespace fletcher::interpose
