// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/fortran/fortran.hpp"

#include <dlfcn.h>

namespace fletcher::interpose::mpi::fortran {

namespace {

constinit Function<Handle(int)> type_of{"PMPI_Type_f2c"}, communicator_of{"PMPI_Comm_f2c"}, window_of{"PMPI_Win_f2c"},
    operation_of{"PMPI_Op_f2c"};

const int* variable(const char* name) noexcept { return static_cast<const int*>(dlsym(RTLD_DEFAULT, name)); }
const int* behind(const int* variable, std::ptrdiff_t integers) noexcept {
  return variable == nullptr ? nullptr : variable + integers;
}

/// Null: there is none.
struct Constants {
  const void *bottom, *in_place, *ignored, *all_ignored;
};

/// Open MPI has a variable for each; MPICH's stand in common blocks, one behind the other.
Constants find_constants() noexcept {
  if (!abi()->is_mpich())
    return {variable("mpi_fortran_bottom_"), variable("mpi_fortran_in_place_"), variable("mpi_fortran_status_ignore_"),
            variable("mpi_fortran_statuses_ignore_")};
  const int* const common = variable("mpipriv1_");
  return {common, behind(common, 1), behind(common, 2), variable("mpipriv2_")};
}

const Constants& constants() noexcept {
  static const Constants the = find_constants();
  return the;
}

} // namespace

void* buffer(void* given) noexcept {
  if (given == constants().in_place) return abi()->in_place();
  return given == constants().bottom ? nullptr : given;
}
Handle datatype(const int* handle) { return abi()->is_mpich() ? std::uint32_t(*handle) : type_of(*handle); }
Handle communicator(const int* handle) { return abi()->is_mpich() ? std::uint32_t(*handle) : communicator_of(*handle); }
Handle window(const int* handle) { return abi()->is_mpich() ? std::uint32_t(*handle) : window_of(*handle); }
Handle operation(const int* handle) { return abi()->is_mpich() ? std::uint32_t(*handle) : operation_of(*handle); }
bool is_ignored(const void* status) noexcept {
  return status == constants().ignored || status == constants().all_ignored;
}

} // namespace fletcher::interpose::mpi::fortran
