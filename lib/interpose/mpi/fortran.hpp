// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's Fortran interface of mpif.h and the module mpi, as gfortran calls it: arguments by reference, handles as
// integers, constants that are the addresses of variables, the error at the end.
#pragma once

#include "lib/interpose/mpi/completion.hpp"
#include "lib/interpose/mpi/message_uses.hpp"
#include "lib/interpose/mpi/transfers.hpp"

namespace fletcher::interpose::mpi::fortran {

/// As C's functions would take it, with C's MPI_IN_PLACE and MPI_BOTTOM.
void* buffer(void* given) noexcept;
Handle datatype(const int* handle);
Handle communicator(const int* handle);
/// For Call: 0 where nothing is checked.
inline Handle communicator_if_checked(const int* handle) {
  return outside_tool() == nullptr || abi() == nullptr ? 0 : communicator(handle);
}
/// MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.
bool is_ignored(const void* status) noexcept;

inline RequestVariables requests(const int* variables) noexcept { return {variables, Language::fortran}; }

} // namespace fletcher::interpose::mpi::fortran
