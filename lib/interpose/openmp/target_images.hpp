// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program registers for its images for devices: the variables of `declare target`, and whether it requires that
// host and devices share their memory.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <vector>

namespace fletcher::interpose::target_images {

struct Declared {
  Address on_host = 0, on_device = 0;
  std::size_t size = 0;
};

/// Those of images that were loaded since the last call. O(variables * symbols) for a new image.
std::vector<Declared> new_variables();
/// `requires unified_shared_memory`: there is one copy of everything.
bool share_memory() noexcept;
/// This thread allocates memory that the host may access, too.
bool allocates_shared() noexcept;

} // namespace fletcher::interpose::target_images
