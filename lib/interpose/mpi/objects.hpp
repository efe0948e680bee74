// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for communicators, windows, info objects and files: handles are used again for others.
#pragma once

#include "checker/rules/mpi_threads.hpp"
#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::mpi::objects {

/// From 1 on. A part of a window: one target's epochs, or one of its places, of which only so many have a number that
/// is followed.
std::uint32_t number(MpiUse::Of kind, Handle object, std::int64_t part);
/// What comes by this handle is another one.
void forget(MpiUse::Of kind, Handle object);
void forget_communicator(Handle communicator);

} // namespace fletcher::interpose::mpi::objects
