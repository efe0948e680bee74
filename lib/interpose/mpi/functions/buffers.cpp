// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer that buffered sends copy their messages to: from MPI_Buffer_attach until MPI_Buffer_detach it is MPI's.

#include "lib/interpose/mpi/fortran/fortran.hpp"
#include "lib/interpose/mpi/operations.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(void*, int)> real_attach{"MPI_Buffer_attach"};
constinit Function<int(void*, int*)> real_detach{"MPI_Buffer_detach"};
constinit fortran::Subroutine<void*, int*> real_attach_fortran{"mpi_buffer_attach_"},
    real_detach_fortran{"mpi_buffer_detach_"};

template <class Real> int attach(const Call& call, void* buffer, int size, Real real) {
  const int error = real();
  if (!call || error != success || size <= 0) return error;
  Uses uses;
  uses.writes_bytes(buffer, static_cast<std::size_t>(size));
  operations::begin_attached(call, uses);
  return error;
}
template <class Real> int detach(const Call& call, Real real) {
  const int error = real();
  if (call && error == success) operations::completed_attached(call);
  return error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Buffer_attach(void* buffer, int size) {
  return attach(Call(caller(), real_attach.name(), {attached_buffer(access::Kind::write)}), buffer, size,
                [&] { return real_attach(buffer, size); });
}
[[gnu::weak]] int MPI_Buffer_detach(void* where, int* size) {
  const Call call(caller(), real_detach.name(), {attached_buffer(access::Kind::write)});
  const int error = detach(call, [&] { return real_detach(where, size); });
  if (call && error == success) {
    call.writes(where, sizeof(void*));
    call.writes(size, sizeof *size);
  }
  return error;
}

[[gnu::weak]] void mpi_buffer_attach_(void* buffer, int* size, int* error) {
  attach(fortran::call_to(caller(), "MPI_Buffer_attach", error, {attached_buffer(access::Kind::write)}), buffer, *size,
         [&] { return real_attach_fortran(buffer, size, error); });
}
[[gnu::weak]] void mpi_buffer_detach_(void* where, int* size, int* error) {
  detach(fortran::call_to(caller(), "MPI_Buffer_detach", error, {attached_buffer(access::Kind::write)}),
         [&] { return real_detach_fortran(where, size, error); });
}

} // extern "C"
#pragma GCC visibility pop
