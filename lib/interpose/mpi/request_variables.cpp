// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/request_variables.hpp"

namespace fletcher::interpose::mpi {

namespace {
constinit Function<Handle(int)> request_of{"PMPI_Request_f2c"};
} // namespace

Handle RequestVariables::handle(std::size_t index) const {
  if (language_ == Language::c || abi()->is_mpich()) return abi()->clean(abi()->handle_at(first_, index));
  return request_of(static_cast<const int*>(first_)[index]);
}

} // namespace fletcher::interpose::mpi
