// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for communicators: handles are used again for others.
#pragma once

#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::mpi::communicators {

/// From 1 on.
std::uint32_t number(Handle communicator);
/// What comes by this handle is another one.
void forget(Handle communicator);

} // namespace fletcher::interpose::mpi::communicators
