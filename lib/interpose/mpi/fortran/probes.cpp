// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes, and receives of what they have taken out, from Fortran.

#include "lib/interpose/mpi/fortran/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Subroutine<int*, int*, int*, int*> real_probe{"mpi_probe_"};
constinit Subroutine<int*, int*, int*, int*, int*> real_iprobe{"mpi_iprobe_"}, real_mprobe{"mpi_mprobe_"};
constinit Subroutine<int*, int*, int*, int*, int*, int*> real_improbe{"mpi_improbe_"};
constinit Subroutine<void*, int*, int*, int*, int*> real_mrecv{"mpi_mrecv_"}, real_imrecv{"mpi_imrecv_"};

/// `real(status)`, then `is_found()`: as in C's probe.
template <bool removes, class Real, class IsFound>
void probe(const Call& call, const int* from, const int* tag, const int* on, int* status, Real real, IsFound is_found) {
  const auto with = [&](void* stored) { return real(static_cast<int*>(stored)); };
  if (!call) [[likely]]
    return static_cast<void>(with(status));
  mpi::probe<removes>(call, *from, *tag, communicator(on), status, is_ignored(status), with, is_found);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_probe_(int* from, int* tag, int* on, int* status, int* error) {
  probe<false>(
      call_to(caller(), real_probe.name(), error), from, tag, on, status,
      [&](int* stored) { return real_probe(from, tag, on, stored, error); }, [] { return true; });
}
[[gnu::weak]] void mpi_iprobe_(int* from, int* tag, int* on, int* flag, int* status, int* error) {
  probe<false>(
      call_to(caller(), real_iprobe.name(), error), from, tag, on, status,
      [&](int* stored) { return real_iprobe(from, tag, on, flag, stored, error); }, [&] { return *flag != 0; });
}
[[gnu::weak]] void mpi_mprobe_(int* from, int* tag, int* on, int* message, int* status, int* error) {
  const Call call = call_to(caller(), real_mprobe.name(), error);
  probe<true>(
      call, from, tag, on, status, [&](int* stored) { return real_mprobe(from, tag, on, message, stored, error); },
      [] { return true; });
  if (call) call.writes(message, sizeof *message);
}
[[gnu::weak]] void mpi_improbe_(int* from, int* tag, int* on, int* flag, int* message, int* status, int* error) {
  const Call call = call_to(caller(), real_improbe.name(), error);
  probe<true>(
      call, from, tag, on, status,
      [&](int* stored) { return real_improbe(from, tag, on, flag, message, stored, error); },
      [&] { return *flag != 0; });
  if (call && *flag != 0) call.writes(message, sizeof *message);
}
[[gnu::weak]] void mpi_mrecv_(void* to, int* count, int* type, int* message, int* status, int* error) {
  const Call call = call_to(caller(), real_mrecv.name(), error);
  const auto real = [&](void* stored) {
    return real_mrecv(to, count, type, message, static_cast<int*>(stored), error);
  };
  if (!call) [[likely]]
    return static_cast<void>(real(status));
  Uses uses;
  call.reads(message, sizeof *message);
  receive(call, uses, buffer(to), *count, datatype(type), status, is_ignored(status), real);
  call.writes(message, sizeof *message); // which is that of no message now
}
[[gnu::weak]] void mpi_imrecv_(void* to, int* count, int* type, int* message, int* made, int* error) {
  begin(
      call_to(caller(), real_imrecv.name(), error), requests(made),
      [&](Uses& uses) { uses.writes(buffer(to), *count, datatype(type)); },
      [&] { return real_imrecv(to, count, type, message, made, error); });
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_probe_) mpi_probe_f08_ [[gnu::weak, gnu::alias("mpi_probe_")]];
extern decltype(mpi_iprobe_) mpi_iprobe_f08_ [[gnu::weak, gnu::alias("mpi_iprobe_")]];
extern decltype(mpi_mprobe_) mpi_mprobe_f08_ [[gnu::weak, gnu::alias("mpi_mprobe_")]];
extern decltype(mpi_improbe_) mpi_improbe_f08_ [[gnu::weak, gnu::alias("mpi_improbe_")]];
extern decltype(mpi_mrecv_) mpi_mrecv_f08_ [[gnu::weak, gnu::alias("mpi_mrecv_")]];
extern decltype(mpi_imrecv_) mpi_imrecv_f08_ [[gnu::weak, gnu::alias("mpi_imrecv_")]];

} // extern "C"
#pragma GCC visibility pop
