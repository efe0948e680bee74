// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective calls of several processes: the n-th on a communicator is the same call in each of them, and is given the
// same root, operation and number of elements. Each process writes down what it calls (board.hpp), and compares it with
// what others have written before: whoever comes later tells. MPI_Finalize is such a call of all.
#pragma once

#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"

namespace fletcher::interpose::mpi {
class Call;
}

namespace fletcher::interpose::mpi::meetings {

/// Which call of which communicator; 0: other processes do not know it by a name that this one knows.
using Key = std::uint64_t;

/// The call takes part in a collective operation on the communicator.
Key enter(const Call& call, Handle communicator);
/// What it has been given.
void agree(const Call& call, Key key, const board::Agreement& agreement);
/// The call has made a communicator. `part`: of those that the same call makes for other processes, this one.
void made(Key by, Handle communicator, int part = 0);
void forget(Handle communicator);

/// For Agreement: one that MPI itself has, the same in all processes; 0 for another one.
std::uint64_t operation(Handle handle);
/// As many bytes of data as `count` elements have, which are of a certain kind.
void elements(board::Agreement& agreement, std::int64_t count, Handle type);

} // namespace fletcher::interpose::mpi::meetings
