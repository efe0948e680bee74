// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's Fortran interface of mpif.h, the module mpi and Open MPI's module mpi_f08, as gfortran calls it: arguments by
// reference, handles as integers, constants that are the addresses of variables, the error at the end.
#pragma once

#include "lib/interpose/mpi/completion.hpp"
#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/message_uses.hpp"

namespace fletcher::interpose::mpi::fortran {

/// As C's functions would take it, with C's MPI_IN_PLACE and MPI_BOTTOM.
void* buffer(void* given) noexcept;
Handle datatype(const int* handle);
Handle communicator(const int* handle);
Handle window(const int* handle);
Handle operation(const int* handle);
/// For Call: 0 where nothing is checked.
inline Handle communicator_if_checked(const int* handle) {
  return outside_tool() == nullptr || abi() == nullptr ? 0 : communicator(handle);
}
inline Handle window_if_checked(const int* handle) {
  return outside_tool() == nullptr || abi() == nullptr ? 0 : window(handle);
}
/// MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.
bool is_ignored(const void* status) noexcept;

/// A subroutine of MPI's, by the types of its arguments but the last one, the error. The module mpi_f08 lets a program
/// leave that out.
template <class... Arguments> class Subroutine {
public:
  explicit constexpr Subroutine(const char* name) noexcept : function_(name) {}
  const char* name() const noexcept { return function_.name(); }
  /// Returns the error.
  int operator()(Arguments... arguments, int* error) {
    int own = success;
    if (error == nullptr) error = &own;
    function_(arguments..., error);
    return *error;
  }

private:
  Function<void(Arguments..., int*)> function_;
};

/// The call stores the error.
[[gnu::always_inline]] inline Call storing(const int* error, const Call& call) {
  if (call && error != nullptr) call.writes(error, sizeof *error);
  return call;
}
[[gnu::always_inline]] inline Call call_to(Address pc, const char* function, const int* error,
                                           std::initializer_list<ObjectUse> uses = {}) {
  return storing(error, Call(pc, function, uses));
}

inline RequestVariables requests(const int* variables) noexcept { return {variables, Language::fortran}; }

} // namespace fletcher::interpose::mpi::fortran
