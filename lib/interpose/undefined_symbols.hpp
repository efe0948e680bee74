// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded module expects others to define, read from its relocations in memory.
#pragma once

#include <link.h>

#include <string_view>

namespace fletcher::interpose {

/// Whether the module refers to a dynamic symbol of that name which it does not define. O(its relocations).
bool has_undefined(const dl_phdr_info& module, std::string_view name) noexcept;

} // namespace fletcher::interpose
