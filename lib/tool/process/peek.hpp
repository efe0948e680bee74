// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of memory that may not be there: the kernel checks.
#pragma once

#include "checker/ids.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <optional>

namespace fletcher::tool {

/// One system call.
template <class T> std::optional<T> peek(Address address) noexcept {
  T value{};
  iovec to{&value, sizeof value}, from{reinterpret_cast<void*>(address), sizeof value};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof value) return std::nullopt;
  return value;
}

} // namespace fletcher::tool
