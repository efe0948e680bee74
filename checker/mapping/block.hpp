// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stretch of a device's memory and, where it is the copy of a variable or of a part of one, the host's memory that it
// belongs to, with the state of each byte and who wrote it last.
#pragma once

#include "checker/ids.hpp"
#include "checker/mapping/byte_states.hpp"

#include <cstddef>

namespace fletcher::mapping {

struct Block {
  Address device_base = 0;
  Address host_base = 0; ///< 0: memory that only the device has
  std::size_t size = 0;
  ContextId mapped_at = ContextId::none;  ///< the construct or call
  ContextId changed_at = ContextId::none; ///< that last copied all or part of it, or that unmapped it
  bool is_all = true;                     ///< what is next to it is nobody's; false: it may be a part of a variable
  bool present = true;                    ///< false: what remains of it is what the host's copy is worth
  ByteStates bytes;

  Block(Address on_device, Address on_host, std::size_t length, ContextId place, OnDevice state)
      : device_base(on_device), host_base(on_host), size(length), mapped_at(place), bytes(length, state) {}

  bool on_device(Address address) const noexcept { return present && address - device_base < size; }
  Address device_end() const noexcept { return device_base + size; }
};

} // namespace fletcher::mapping
