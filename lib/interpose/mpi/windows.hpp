// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's own parts of windows: where they are in its memory.
#pragma once

#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::mpi::windows {

/// The window was made with `base`, whose displacements count such units, by the processes of the communicator.
void made(Handle window, const void* base, Displacement unit, Handle communicator);
void forget(Handle window);
/// What is at the displacement in the part of the process `target`; null where that is another process or not known.
const void* own_part(Handle window, int target, Displacement at);

} // namespace fletcher::interpose::mpi::windows
