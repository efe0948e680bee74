// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's own parts of windows: where they are in its memory, and its epochs.
#pragma once

#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::mpi::windows {

/// The window was made with `base`, whose displacements count such units, by the processes of the communicator.
/// `id`: by which the other processes know it, too; 0: they do not.
void made(Handle window, const void* base, Displacement unit, Handle communicator, std::uint64_t id);
void forget(Handle window);

// Epochs in which this process may operate on a window.

/// Operations may follow on a fence with this assertion.
bool allows_more(int assertion) noexcept;
/// MPI_Win_fence was called with this assertion.
void fenced(Handle window, int assertion);
/// By a call that goes on at `pc` the epoch of one target, or of all (-1), began, or it ended.
void began(Handle window, int target, Address pc);
void ended(Handle window, int target);
/// False: no epoch has begun in which it may operate on the target. True, too, where nothing is known of the window.
bool is_in_epoch(Handle window, int target);
/// Where the epoch began that has not ended, of those that are not a fence's; 0: none.
Address still_open(Handle window);

/// What other processes may do to the own part between two fences.
struct Exposure {
  std::uint64_t id = 0; ///< 0: nothing is known of the window, or they do not know it
  std::uint64_t fences = 0;
  Address base = 0;
  Displacement unit = 1;
  int rank = -1;
  bool by_fences = false; ///< no other epoch has begun
  Address since = 0;      ///< stands for the last fence
};
Exposure exposure(Handle window);
/// The same, and another fence is over.
Exposure next_fence(Handle window);

/// What is at the displacement in the part of the process `target`; null where that is another process or not known.
const void* own_part(Handle window, int target, Displacement at);

} // namespace fletcher::interpose::mpi::windows
