// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages, from Fortran.

#include "lib/interpose/mpi/fortran/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

// Buffer, count, datatype, the other rank, tag, communicator, and then a request or a status.
using Transfer = Subroutine<void*, int*, int*, int*, int*, int*>;
using Request = Subroutine<void*, int*, int*, int*, int*, int*, int*>;

constinit Transfer real_send{"mpi_send_"}, real_bsend{"mpi_bsend_"}, real_ssend{"mpi_ssend_"}, real_rsend{"mpi_rsend_"};
constinit Request real_isend{"mpi_isend_"}, real_ibsend{"mpi_ibsend_"}, real_issend{"mpi_issend_"},
    real_irsend{"mpi_irsend_"}, real_irecv{"mpi_irecv_"}, real_recv{"mpi_recv_"}, real_send_init{"mpi_send_init_"},
    real_bsend_init{"mpi_bsend_init_"}, real_ssend_init{"mpi_ssend_init_"}, real_rsend_init{"mpi_rsend_init_"},
    real_recv_init{"mpi_recv_init_"};
constinit Subroutine<void*, int*, int*, int*, int*, void*, int*, int*, int*, int*, int*, int*> real_sendrecv{
    "mpi_sendrecv_"};
constinit Subroutine<void*, int*, int*, int*, int*, int*, int*, int*, int*> real_replace{"mpi_sendrecv_replace_"};

void send(Transfer& real, Address pc, void* from, int* count, int* type, int* to, int* tag, int* on, int* error) {
  perform(
      call_to(pc, real.name(), error),
      [&](Uses& uses) { of_send(uses, buffer(from), *count, datatype(type), *to, *tag, communicator(on)); },
      [&] { return real(from, count, type, to, tag, on, error); });
}

enum class Way : bool { begun, prepared };

/// `of` is of_send or of_receive.
template <auto of, Way way>
void request(Request& real, Address pc, void* memory, int* count, int* type, int* other, int* tag, int* on,
             int* variable, int* error) {
  const auto say = [&](Uses& uses) {
    of(uses, buffer(memory), *count, datatype(type), *other, *tag, communicator(on));
  };
  const auto perform_it = [&] { return real(memory, count, type, other, tag, on, variable, error); };
  const Call call = call_to(pc, real.name(), error);
  if constexpr (way == Way::begun)
    begin(call, requests(variable), say, perform_it);
  else
    prepare(call, requests(variable), say, perform_it);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_send_(void* from, int* count, int* type, int* to, int* tag, int* on, int* error) {
  send(real_send, caller(), from, count, type, to, tag, on, error);
}
[[gnu::weak]] void mpi_bsend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* error) {
  send(real_bsend, caller(), from, count, type, to, tag, on, error);
}
[[gnu::weak]] void mpi_ssend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* error) {
  send(real_ssend, caller(), from, count, type, to, tag, on, error);
}
[[gnu::weak]] void mpi_rsend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* error) {
  send(real_rsend, caller(), from, count, type, to, tag, on, error);
}

[[gnu::weak]] void mpi_isend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made, int* error) {
  request<of_send, Way::begun>(real_isend, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_ibsend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made, int* error) {
  request<of_send, Way::begun>(real_ibsend, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_issend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made, int* error) {
  request<of_send, Way::begun>(real_issend, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_irsend_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made, int* error) {
  request<of_send, Way::begun>(real_irsend, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_irecv_(void* to, int* count, int* type, int* from, int* tag, int* on, int* made, int* error) {
  request<of_receive, Way::begun>(real_irecv, caller(), to, count, type, from, tag, on, made, error);
}

[[gnu::weak]] void mpi_send_init_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made,
                                  int* error) {
  request<of_send, Way::prepared>(real_send_init, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_bsend_init_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made,
                                   int* error) {
  request<of_send, Way::prepared>(real_bsend_init, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_ssend_init_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made,
                                   int* error) {
  request<of_send, Way::prepared>(real_ssend_init, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_rsend_init_(void* from, int* count, int* type, int* to, int* tag, int* on, int* made,
                                   int* error) {
  request<of_send, Way::prepared>(real_rsend_init, caller(), from, count, type, to, tag, on, made, error);
}
[[gnu::weak]] void mpi_recv_init_(void* to, int* count, int* type, int* from, int* tag, int* on, int* made,
                                  int* error) {
  request<of_receive, Way::prepared>(real_recv_init, caller(), to, count, type, from, tag, on, made, error);
}

[[gnu::weak]] void mpi_recv_(void* to, int* count, int* type, int* from, int* tag, int* on, int* status, int* error) {
  const Call call = call_to(caller(), real_recv.name(), error);
  if (!call) [[likely]]
    return static_cast<void>(real_recv(to, count, type, from, tag, on, status, error));
  Uses uses;
  uses.receives(*from, *tag, communicator(on));
  receive(call, uses, buffer(to), *count, datatype(type), status, is_ignored(status),
          [&](void* stored) { return real_recv(to, count, type, from, tag, on, static_cast<int*>(stored), error); });
}
[[gnu::weak]] void mpi_sendrecv_(void* sent, int* send_count, int* send_type, int* to, int* send_tag, void* received,
                                 int* count, int* type, int* from, int* tag, int* on, int* status, int* error) {
  const Call call = call_to(caller(), real_sendrecv.name(), error);
  const auto real = [&](void* stored) {
    return real_sendrecv(sent, send_count, send_type, to, send_tag, received, count, type, from, tag, on,
                         static_cast<int*>(stored), error);
  };
  if (!call) [[likely]]
    return static_cast<void>(real(status));
  Uses uses;
  of_send(uses, buffer(sent), *send_count, datatype(send_type), *to, *send_tag, communicator(on));
  uses.receives(*from, *tag, communicator(on));
  call.before(uses);
  receive(call, uses, buffer(received), *count, datatype(type), status, is_ignored(status), real);
}
[[gnu::weak]] void mpi_sendrecv_replace_(void* memory, int* count, int* type, int* to, int* send_tag, int* from,
                                         int* tag, int* on, int* status, int* error) {
  const Call call = call_to(caller(), real_replace.name(), error);
  const auto real = [&](void* stored) {
    return real_replace(memory, count, type, to, send_tag, from, tag, on, static_cast<int*>(stored), error);
  };
  if (!call) [[likely]]
    return static_cast<void>(real(status));
  Uses uses;
  uses.in_place();
  of_send(uses, buffer(memory), *count, datatype(type), *to, *send_tag, communicator(on));
  uses.receives(*from, *tag, communicator(on));
  call.before(uses);
  receive(call, uses, buffer(memory), *count, datatype(type), status, is_ignored(status), real);
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_send_) mpi_send_f08_ [[gnu::weak, gnu::alias("mpi_send_")]];
extern decltype(mpi_bsend_) mpi_bsend_f08_ [[gnu::weak, gnu::alias("mpi_bsend_")]];
extern decltype(mpi_ssend_) mpi_ssend_f08_ [[gnu::weak, gnu::alias("mpi_ssend_")]];
extern decltype(mpi_rsend_) mpi_rsend_f08_ [[gnu::weak, gnu::alias("mpi_rsend_")]];
extern decltype(mpi_isend_) mpi_isend_f08_ [[gnu::weak, gnu::alias("mpi_isend_")]];
extern decltype(mpi_ibsend_) mpi_ibsend_f08_ [[gnu::weak, gnu::alias("mpi_ibsend_")]];
extern decltype(mpi_issend_) mpi_issend_f08_ [[gnu::weak, gnu::alias("mpi_issend_")]];
extern decltype(mpi_irsend_) mpi_irsend_f08_ [[gnu::weak, gnu::alias("mpi_irsend_")]];
extern decltype(mpi_irecv_) mpi_irecv_f08_ [[gnu::weak, gnu::alias("mpi_irecv_")]];
extern decltype(mpi_send_init_) mpi_send_init_f08_ [[gnu::weak, gnu::alias("mpi_send_init_")]];
extern decltype(mpi_bsend_init_) mpi_bsend_init_f08_ [[gnu::weak, gnu::alias("mpi_bsend_init_")]];
extern decltype(mpi_ssend_init_) mpi_ssend_init_f08_ [[gnu::weak, gnu::alias("mpi_ssend_init_")]];
extern decltype(mpi_rsend_init_) mpi_rsend_init_f08_ [[gnu::weak, gnu::alias("mpi_rsend_init_")]];
extern decltype(mpi_recv_init_) mpi_recv_init_f08_ [[gnu::weak, gnu::alias("mpi_recv_init_")]];
extern decltype(mpi_recv_) mpi_recv_f08_ [[gnu::weak, gnu::alias("mpi_recv_")]];
extern decltype(mpi_sendrecv_) mpi_sendrecv_f08_ [[gnu::weak, gnu::alias("mpi_sendrecv_")]];
extern decltype(mpi_sendrecv_replace_) mpi_sendrecv_replace_f08_ [[gnu::weak, gnu::alias("mpi_sendrecv_replace_")]];

} // extern "C"
#pragma GCC visibility pop
