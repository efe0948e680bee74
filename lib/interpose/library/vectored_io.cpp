// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input and output of several buffers at once (readv, writev, recvmsg, sendmsg): their accesses for instrumented code.
// Nothing is looked at before the call, which is where bad addresses are found.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/channels.hpp"

#include <algorithm>

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using Thread = access::ThreadState;

constinit Real<ssize_t(int, const iovec*, int)> real_readv{"readv"}, real_writev{"writev"};
constinit Real<ssize_t(int, const iovec*, int, off_t)> real_preadv{"preadv"}, real_pwritev{"pwritev"};
constinit Real<ssize_t(int, msghdr*, int)> real_recvmsg{"recvmsg"};
constinit Real<ssize_t(int, const msghdr*, int)> real_sendmsg{"sendmsg"};

/// The first `bytes` bytes of the buffers.
void accesses_parts(Thread& thread, Address pc, const iovec* parts, Size count, Size bytes, access::Kind kind) {
  for (Size i = 0; i < count && bytes != 0; ++i) {
    reads(thread, &parts[i], sizeof parts[i], pc);
    const Size here = std::min(bytes, parts[i].iov_len);
    access_range(thread, parts[i].iov_base, here, kind, pc);
    bytes -= here;
  }
}

// What each function accesses, by its result.
void fills(Thread& thread, Address pc, ssize_t bytes, int, const iovec* parts, int count) {
  if (bytes > 0)
    accesses_parts(thread, pc, parts, static_cast<Size>(count), static_cast<Size>(bytes), access::Kind::write);
}
void fills_from(Thread& thread, Address pc, ssize_t bytes, int file, const iovec* parts, int count, off_t) {
  fills(thread, pc, bytes, file, parts, count);
}
void takes(Thread& thread, Address pc, ssize_t bytes, int, const iovec* parts, int count) {
  if (bytes > 0)
    accesses_parts(thread, pc, parts, static_cast<Size>(count), static_cast<Size>(bytes), access::Kind::read);
}
void takes_for(Thread& thread, Address pc, ssize_t bytes, int file, const iovec* parts, int count, off_t) {
  takes(thread, pc, bytes, file, parts, count);
}
void receives(Thread& thread, Address pc, ssize_t bytes, int, msghdr* message, int) {
  if (bytes < 0) return;
  accesses_parts(thread, pc, message->msg_iov, message->msg_iovlen, static_cast<Size>(bytes), access::Kind::write);
  writes(thread, message->msg_control, message->msg_controllen, pc);
  writes(thread, &message->msg_controllen, sizeof message->msg_controllen, pc);
  writes(thread, &message->msg_flags, sizeof message->msg_flags, pc);
}
void sends(Thread& thread, Address pc, ssize_t bytes, int, const msghdr* message, int) {
  if (bytes < 0) return;
  reads(thread, message, sizeof *message, pc);
  accesses_parts(thread, pc, message->msg_iov, message->msg_iovlen, static_cast<Size>(bytes), access::Kind::read);
  reads(thread, message->msg_control, message->msg_controllen, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

ssize_t readv(int file, const iovec* parts, int count) {
  const Address pc = caller();
  return channels::was_read(file, pc, with_results<fills, real_readv>(pc, file, parts, count));
}
ssize_t writev(int file, const iovec* parts, int count) {
  const Address pc = caller();
  channels::writes(file, pc);
  return with_results<takes, real_writev>(pc, file, parts, count);
}
ssize_t preadv(int file, const iovec* parts, int count, off_t offset) {
  return with_results<fills_from, real_preadv>(caller(), file, parts, count, offset);
}
ssize_t pwritev(int file, const iovec* parts, int count, off_t offset) {
  return with_results<takes_for, real_pwritev>(caller(), file, parts, count, offset);
}
static_assert(sizeof(off_t) == sizeof(off64_t));
ssize_t preadv64(int file, const iovec* parts, int count, off64_t offset) {
  return with_results<fills_from, real_preadv>(caller(), file, parts, count, offset);
}
ssize_t pwritev64(int file, const iovec* parts, int count, off64_t offset) {
  return with_results<takes_for, real_pwritev>(caller(), file, parts, count, offset);
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
  const Address pc = caller();
  return channels::was_read(socket, pc, with_results<receives, real_recvmsg>(pc, socket, message, flags));
}
ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  const Address pc = caller();
  channels::writes(socket, pc);
  return with_results<sends, real_sendmsg>(pc, socket, message, flags);
}

} // extern "C"
#pragma GCC visibility pop
