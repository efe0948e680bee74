// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/uses/message_uses.hpp"

namespace fletcher::interpose::mpi {

namespace {
constinit Function<int(const void*, Handle, int*)> get_count{"PMPI_Get_count"};
} // namespace

int Status::count(Handle type, int most) const {
  int received = 0;
  return get_count(at_, type, &received) == success && received >= 0 && received < most ? received : most;
}

} // namespace fletcher::interpose::mpi
