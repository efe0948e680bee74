// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages from one process to another: what is sent is read, what is received written.

#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/message_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

using Send = int(const void*, int, Handle, int, int, Handle);
using BeginSend = int(const void*, int, Handle, int, int, Handle, void*);
using BeginReceive = int(void*, int, Handle, int, int, Handle, void*);

constinit Function<Send> real_send{"MPI_Send"}, real_bsend{"MPI_Bsend"}, real_ssend{"MPI_Ssend"},
    real_rsend{"MPI_Rsend"};
constinit Function<BeginSend> real_isend{"MPI_Isend"}, real_ibsend{"MPI_Ibsend"}, real_issend{"MPI_Issend"},
    real_irsend{"MPI_Irsend"}, real_send_init{"MPI_Send_init"}, real_bsend_init{"MPI_Bsend_init"},
    real_ssend_init{"MPI_Ssend_init"}, real_rsend_init{"MPI_Rsend_init"};
constinit Function<BeginReceive> real_irecv{"MPI_Irecv"}, real_recv_init{"MPI_Recv_init"};
constinit Function<int(void*, int, Handle, int, int, Handle, void*)> real_recv{"MPI_Recv"};
constinit Function<int(void*, int, Handle, void*, void*)> real_mrecv{"MPI_Mrecv"}, real_imrecv{"MPI_Imrecv"};
constinit Function<int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, void*)> real_sendrecv{
    "MPI_Sendrecv"};
constinit Function<int(void*, int, Handle, int, int, int, int, Handle, void*)> real_replace{"MPI_Sendrecv_replace"};
constinit Function<int(int, int, Handle, void*)> real_probe{"MPI_Probe"};
constinit Function<int(int, int, Handle, int*, void*)> real_iprobe{"MPI_Iprobe"};
constinit Function<int(int, int, Handle, void*, void*)> real_mprobe{"MPI_Mprobe"};
constinit Function<int(int, int, Handle, int*, void*, void*)> real_improbe{"MPI_Improbe"};
/// Nothing is known where nothing is checked.
bool is_status_ignored(const void* status) { return abi() != nullptr && abi()->is_ignored(status); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Send(const void* buffer, int count, Handle type, int to, int tag, Handle communicator) {
  return perform<of_send>(real_send, caller(), 0, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Bsend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator) {
  return perform(
      Call(caller(), real_bsend.name(), {attached_buffer(access::Kind::read)}),
      [&](Uses& uses) { of_send(uses, buffer, count, type, to, tag, communicator); },
      [&] { return real_bsend(buffer, count, type, to, tag, communicator); });
}
[[gnu::weak]] int MPI_Ssend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator) {
  return perform<of_send>(real_ssend, caller(), 0, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Rsend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator) {
  return perform<of_send>(real_rsend, caller(), 0, buffer, count, type, to, tag, communicator);
}

[[gnu::weak]] int MPI_Isend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                            void* request) {
  return begin<of_send>(real_isend, caller(), 0, request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Ibsend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                             void* request) {
  return begin(
      Call(caller(), real_ibsend.name(), {attached_buffer(access::Kind::read)}), request,
      [&](Uses& uses) { of_send(uses, buffer, count, type, to, tag, communicator); },
      [&] { return real_ibsend(buffer, count, type, to, tag, communicator, request); });
}
[[gnu::weak]] int MPI_Issend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                             void* request) {
  return begin<of_send>(real_issend, caller(), 0, request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Irsend(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                             void* request) {
  return begin<of_send>(real_irsend, caller(), 0, request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Irecv(void* buffer, int count, Handle type, int from, int tag, Handle communicator,
                            void* request) {
  return begin<of_receive>(real_irecv, caller(), 0, request, buffer, count, type, from, tag, communicator);
}
[[gnu::weak]] int MPI_Imrecv(void* buffer, int count, Handle type, void* message, void* request) {
  return begin<of_matched_receive>(real_imrecv, caller(), 0, request, buffer, count, type, message);
}

[[gnu::weak]] int MPI_Send_init(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                                void* request) {
  return prepare<of_send>(real_send_init, caller(), request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Bsend_init(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                                 void* request) {
  return prepare<of_send>(real_bsend_init, caller(), request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Ssend_init(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                                 void* request) {
  return prepare<of_send>(real_ssend_init, caller(), request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Rsend_init(const void* buffer, int count, Handle type, int to, int tag, Handle communicator,
                                 void* request) {
  return prepare<of_send>(real_rsend_init, caller(), request, buffer, count, type, to, tag, communicator);
}
[[gnu::weak]] int MPI_Recv_init(void* buffer, int count, Handle type, int from, int tag, Handle communicator,
                                void* request) {
  return prepare<of_receive>(real_recv_init, caller(), request, buffer, count, type, from, tag, communicator);
}

[[gnu::weak]] int MPI_Recv(void* buffer, int count, Handle type, int from, int tag, Handle communicator, void* status) {
  const Call call(caller(), real_recv.name());
  if (!call) [[likely]]
    return real_recv(buffer, count, type, from, tag, communicator, status);
  Uses uses;
  uses.receives(from, tag, communicator);
  return receive(call, uses, buffer, count, type, status, abi()->is_ignored(status),
                 [&](void* stored) { return real_recv(buffer, count, type, from, tag, communicator, stored); });
}
[[gnu::weak]] int MPI_Mrecv(void* buffer, int count, Handle type, void* message, void* status) {
  const Call call(caller(), real_mrecv.name());
  if (!call) [[likely]]
    return real_mrecv(buffer, count, type, message, status);
  Uses uses;
  call.reads(message, abi()->handle_size());
  const int error = receive(call, uses, buffer, count, type, status, abi()->is_ignored(status),
                            [&](void* stored) { return real_mrecv(buffer, count, type, message, stored); });
  call.writes(message, abi()->handle_size()); // which is that of no message now
  return error;
}
[[gnu::weak]] int MPI_Sendrecv(const void* sent, int send_count, Handle send_type, int to, int send_tag, void* received,
                               int count, Handle type, int from, int tag, Handle communicator, void* status) {
  const Call call(caller(), real_sendrecv.name());
  const auto real = [&](void* stored) {
    return real_sendrecv(sent, send_count, send_type, to, send_tag, received, count, type, from, tag, communicator,
                         stored);
  };
  if (!call) [[likely]]
    return real(status);
  Uses uses;
  of_send(uses, sent, send_count, send_type, to, send_tag, communicator);
  uses.receives(from, tag, communicator);
  call.before(uses);
  return receive(call, uses, received, count, type, status, abi()->is_ignored(status), real);
}
[[gnu::weak]] int MPI_Sendrecv_replace(void* buffer, int count, Handle type, int to, int send_tag, int from, int tag,
                                       Handle communicator, void* status) {
  const Call call(caller(), real_replace.name());
  const auto real = [&](void* stored) {
    return real_replace(buffer, count, type, to, send_tag, from, tag, communicator, stored);
  };
  if (!call) [[likely]]
    return real(status);
  Uses uses;
  uses.in_place();
  of_send(uses, buffer, count, type, to, send_tag, communicator);
  uses.receives(from, tag, communicator);
  call.before(uses);
  return receive(call, uses, buffer, count, type, status, abi()->is_ignored(status), real);
}

[[gnu::weak]] int MPI_Probe(int from, int tag, Handle communicator, void* status) {
  return probe<false>(
      Call(caller(), real_probe.name()), from, tag, communicator, status, is_status_ignored(status),
      [&](void* stored) { return real_probe(from, tag, communicator, stored); }, [] { return true; });
}
[[gnu::weak]] int MPI_Iprobe(int from, int tag, Handle communicator, int* flag, void* status) {
  return probe<false>(
      Call(caller(), real_iprobe.name()), from, tag, communicator, status, is_status_ignored(status),
      [&](void* stored) { return real_iprobe(from, tag, communicator, flag, stored); }, [&] { return *flag != 0; });
}
[[gnu::weak]] int MPI_Mprobe(int from, int tag, Handle communicator, void* message, void* status) {
  const Call call(caller(), real_mprobe.name());
  const int error = probe<true>(
      call, from, tag, communicator, status, is_status_ignored(status),
      [&](void* stored) { return real_mprobe(from, tag, communicator, message, stored); }, [] { return true; });
  if (call) call.writes(message, abi()->handle_size());
  return error;
}
[[gnu::weak]] int MPI_Improbe(int from, int tag, Handle communicator, int* flag, void* message, void* status) {
  const Call call(caller(), real_improbe.name());
  const int error = probe<true>(
      call, from, tag, communicator, status, is_status_ignored(status),
      [&](void* stored) { return real_improbe(from, tag, communicator, flag, message, stored); },
      [&] { return *flag != 0; });
  if (call && error == success && *flag != 0) call.writes(message, abi()->handle_size());
  return error;
}

} // extern "C"
#pragma GCC visibility pop
