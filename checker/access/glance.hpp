// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an access needs to know of its thread where its strand has made the same access before. Code that the compiler
// plugin (lib/pass) puts into programs reads it: its layout, and that of cells, belong to the library's interface.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace fletcher::access {

struct Glance {
  std::byte* shadow = nullptr;       ///< the shadow's first plane
  std::uintptr_t shadow_mask = 0;    ///< selects the granule's bits of an address
  StrandId strand = StrandId::none;  ///< the current strand; none until its first recorded access
  StrandId horizon = StrandId::none; ///< all smaller ids are before everything to come
};
static_assert(sizeof(Glance) == 24 && offsetof(Glance, shadow) == 0 && offsetof(Glance, shadow_mask) == 8 &&
              offsetof(Glance, strand) == 16);

} // namespace fletcher::access
