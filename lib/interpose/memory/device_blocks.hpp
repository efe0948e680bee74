// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of devices that are the host's own processor: who allocated it, as for heap blocks. The runtime takes it from
// the heap, keeps it and hands it out again, so the heap does not tell.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <optional>

namespace fletcher::interpose::device_blocks {

struct DeviceBlock {
  Address base = 0;
  std::size_t size = 0;
  ThreadId thread = ThreadId::none; ///< that came to the construct or call
  bool serial = false;              ///< it did so outside of every parallel region
};

/// Thread-safe. What was there before is over.
void born(const DeviceBlock& block);
void died(Address base);
std::optional<DeviceBlock> find(Address address);

} // namespace fletcher::interpose::device_blocks
