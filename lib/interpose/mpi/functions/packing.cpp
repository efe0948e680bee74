// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Pack and MPI_Unpack, from C and Fortran: what is packed is read or written by its datatype, and of the packed
// bytes those by which the position moves on.

#include "lib/interpose/mpi/fortran/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(const void*, int, Handle, void*, int, int*, Handle)> real_pack{"MPI_Pack"};
constinit Function<int(const void*, int, int*, void*, int, Handle, Handle)> real_unpack{"MPI_Unpack"};
constinit fortran::Subroutine<void*, int*, int*, void*, int*, int*, int*> real_pack_of_fortran{"mpi_pack_"};
constinit fortran::Subroutine<void*, int*, int*, void*, int*, int*, int*> real_unpack_of_fortran{"mpi_unpack_"};

/// `kind`: of the access to `memory`, `count` elements of `type`; `packed` has the opposite one.
template <access::Kind kind, class Real>
int pack(const Call& call, const void* memory, int count, Handle type, const void* packed, const int* position,
         Real real) {
  Uses before, after;
  if constexpr (kind == access::Kind::read) before.reads(memory, count, type);
  call.before(before);
  call.reads(position, sizeof *position);
  const int begin = *position, error = real();
  if (error != success || *position < begin) return error;
  const auto* const moved = static_cast<const std::byte*>(packed) + begin;
  const auto size = static_cast<std::size_t>(*position - begin);
  if constexpr (kind == access::Kind::read) {
    after.writes_bytes(moved, size);
  } else {
    call.reads(moved, size);
    after.writes(memory, count, type);
  }
  call.after(after);
  call.writes(position, sizeof *position);
  return error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Pack(const void* memory, int count, Handle type, void* packed, int room, int* position,
                           Handle communicator) {
  const auto real = [&] { return real_pack(memory, count, type, packed, room, position, communicator); };
  const Call call(caller(), real_pack.name());
  return call ? pack<access::Kind::read>(call, memory, count, type, packed, position, real) : real();
}
[[gnu::weak]] int MPI_Unpack(const void* packed, int size, int* position, void* memory, int count, Handle type,
                             Handle communicator) {
  const auto real = [&] { return real_unpack(packed, size, position, memory, count, type, communicator); };
  const Call call(caller(), real_unpack.name());
  return call ? pack<access::Kind::write>(call, memory, count, type, packed, position, real) : real();
}

[[gnu::weak]] void mpi_pack_(void* memory, int* count, int* type, void* packed, int* room, int* position, int* on,
                             int* error) {
  const auto real = [&] { return real_pack_of_fortran(memory, count, type, packed, room, position, on, error); };
  if (const Call call = fortran::call_to(caller(), real_pack_of_fortran.name(), error); call)
    pack<access::Kind::read>(call, fortran::buffer(memory), *count, fortran::datatype(type), packed, position, real);
  else
    real();
}
[[gnu::weak]] void mpi_unpack_(void* packed, int* size, int* position, void* memory, int* count, int* type, int* on,
                               int* error) {
  const auto real = [&] { return real_unpack_of_fortran(packed, size, position, memory, count, type, on, error); };
  if (const Call call = fortran::call_to(caller(), real_unpack_of_fortran.name(), error); call)
    pack<access::Kind::write>(call, fortran::buffer(memory), *count, fortran::datatype(type), packed, position, real);
  else
    real();
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_pack_) mpi_pack_f08_ [[gnu::weak, gnu::alias("mpi_pack_")]];
extern decltype(mpi_unpack_) mpi_unpack_f08_ [[gnu::weak, gnu::alias("mpi_unpack_")]];

} // extern "C"
#pragma GCC visibility pop
