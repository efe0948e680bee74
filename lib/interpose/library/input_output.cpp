// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading into and writing from the program's buffers, which orders threads where one reads what the other one writes.

#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/mpi/process.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/channels.hpp"
#include "lib/tool/advice.hpp"

#include <cstdio>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;

constinit Real<ssize_t(int, void*, Size)> real_read{"read"};
constinit Real<ssize_t(int, const void*, Size)> real_write{"write"};
constinit Real<ssize_t(int, void*, Size, off_t)> real_pread{"pread"};
constinit Real<ssize_t(int, const void*, Size, off_t)> real_pwrite{"pwrite"};
constinit Real<ssize_t(int, void*, Size, int)> real_recv{"recv"};
constinit Real<ssize_t(int, const void*, Size, int)> real_send{"send"};
constinit Real<ssize_t(int, void*, Size, int, sockaddr*, socklen_t*)> real_recvfrom{"recvfrom"};
constinit Real<ssize_t(int, const void*, Size, int, const sockaddr*, socklen_t)> real_sendto{"sendto"};
constinit Real<Size(void*, Size, Size, FILE*)> real_fread{"fread"}, real_fread_unlocked{"fread_unlocked"};
constinit Real<Size(const void*, Size, Size, FILE*)> real_fwrite{"fwrite"}, real_fwrite_unlocked{"fwrite_unlocked"};
// The checked variants of _FORTIFY_SOURCE end the program when `room` is too small.
constinit Real<ssize_t(int, void*, Size, Size)> real_read_chk{"__read_chk"};
constinit Real<ssize_t(int, void*, Size, off_t, Size)> real_pread_chk{"__pread_chk"};
constinit Real<ssize_t(int, void*, Size, Size, int)> real_recv_chk{"__recv_chk"};
constinit Real<Size(void*, Size, Size, Size, FILE*)> real_fread_chk{"__fread_chk"};

/// Instrumented code gets what `call` put into `buffer`: it returned the number of units, or an error.
template <class Call>
[[gnu::always_inline]] inline auto filling(void* buffer, Size room, Size unit, Address pc, Call call) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->off > 0 || !modules::is_instrumented(pc)) [[likely]]
    return call();
  const auto count = call();
  // A truncated message is said to be longer than what was stored.
  const Size bytes = count > 0 ? static_cast<Size>(count) * unit : 0;
  writes(*thread, buffer, bytes < room ? bytes : room, pc);
  return count;
}

/// And gives what is in it.
void takes(access::ThreadState& thread, Address pc, int, const void* buffer, Size size) {
  reads(thread, buffer, size, pc);
}
void takes_at(access::ThreadState& thread, Address pc, int, const void* buffer, Size size, off_t) {
  reads(thread, buffer, size, pc);
}
void takes_to_send(access::ThreadState& thread, Address pc, int, const void* buffer, Size size, int) {
  reads(thread, buffer, size, pc);
}
void takes_to_send_there(access::ThreadState& thread, Address pc, int, const void* buffer, Size size, int,
                         const sockaddr* name, socklen_t length) {
  reads(thread, buffer, size, pc);
  if (name != nullptr) reads(thread, name, length, pc);
}
void takes_items(access::ThreadState& thread, Address pc, const void* buffer, Size size, Size count, FILE*) {
  tool::advice::uses_stream(thread, pc);
  reads(thread, buffer, size * count, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

ssize_t read(int file, void* buffer, Size size) {
  const Address pc = caller();
  return channels::was_read(file, pc, filling(buffer, size, 1, pc, [=] { return real_read(file, buffer, size); }));
}
ssize_t pread(int file, void* buffer, Size size, off_t offset) {
  return filling(buffer, size, 1, caller(), [=] { return real_pread(file, buffer, size, offset); });
}
static_assert(sizeof(off_t) == sizeof(off64_t));
ssize_t pread64(int file, void* buffer, Size size, off64_t offset) {
  return filling(buffer, size, 1, caller(), [=] { return real_pread(file, buffer, size, offset); });
}
ssize_t recv(int socket, void* buffer, Size size, int flags) {
  const Address pc = caller();
  return channels::was_read(socket, pc,
                            filling(buffer, size, 1, pc, [=] { return real_recv(socket, buffer, size, flags); }));
}
ssize_t recvfrom(int socket, void* buffer, Size size, int flags, sockaddr* name, socklen_t* length) {
  const Address pc = caller();
  return channels::was_read(socket, pc, filling(buffer, size, 1, pc, [=] {
                              return real_recvfrom(socket, buffer, size, flags, name, length);
                            }));
}
Size fread(void* buffer, Size size, Size count, FILE* file) {
  return filling(buffer, size * count, size, caller(), [=] { return real_fread(buffer, size, count, file); });
}
Size fread_unlocked(void* buffer, Size size, Size count, FILE* file) {
  return filling(buffer, size * count, size, caller(), [=] { return real_fread_unlocked(buffer, size, count, file); });
}
ssize_t __read_chk(int file, void* buffer, Size size, Size room) {
  const Address pc = caller();
  return channels::was_read(file, pc,
                            filling(buffer, size, 1, pc, [=] { return real_read_chk(file, buffer, size, room); }));
}
ssize_t __pread_chk(int file, void* buffer, Size size, off_t offset, Size room) {
  return filling(buffer, size, 1, caller(), [=] { return real_pread_chk(file, buffer, size, offset, room); });
}
ssize_t __pread64_chk(int file, void* buffer, Size size, off64_t offset, Size room) {
  return filling(buffer, size, 1, caller(), [=] { return real_pread_chk(file, buffer, size, offset, room); });
}
ssize_t __recv_chk(int socket, void* buffer, Size size, Size room, int flags) {
  const Address pc = caller();
  return channels::was_read(
      socket, pc, filling(buffer, size, 1, pc, [=] { return real_recv_chk(socket, buffer, size, room, flags); }));
}
Size __fread_chk(void* buffer, Size room, Size size, Size count, FILE* file) {
  return filling(buffer, size * count, size, caller(), [=] { return real_fread_chk(buffer, room, size, count, file); });
}

ssize_t write(int file, const void* buffer, Size size) {
  if (mpi::in_library()) [[unlikely]]
    mpi::process::tell_before_the_end({static_cast<const char*>(buffer), size});
  const Address pc = caller();
  channels::writes(file, pc);
  return with_accesses<takes, real_write>(pc, file, buffer, size);
}
ssize_t pwrite(int file, const void* buffer, Size size, off_t offset) {
  return with_accesses<takes_at, real_pwrite>(caller(), file, buffer, size, offset);
}
ssize_t pwrite64(int file, const void* buffer, Size size, off64_t offset) {
  return with_accesses<takes_at, real_pwrite>(caller(), file, buffer, size, offset);
}
ssize_t send(int socket, const void* buffer, Size size, int flags) {
  const Address pc = caller();
  channels::writes(socket, pc);
  return with_accesses<takes_to_send, real_send>(pc, socket, buffer, size, flags);
}
ssize_t sendto(int socket, const void* buffer, Size size, int flags, const sockaddr* name, socklen_t length) {
  const Address pc = caller();
  channels::writes(socket, pc);
  return with_accesses<takes_to_send_there, real_sendto>(pc, socket, buffer, size, flags, name, length);
}
Size fwrite(const void* buffer, Size size, Size count, FILE* file) {
  return with_accesses<takes_items, real_fwrite>(caller(), buffer, size, count, file);
}
Size fwrite_unlocked(const void* buffer, Size size, Size count, FILE* file) {
  return with_accesses<takes_items, real_fwrite_unlocked>(caller(), buffer, size, count, file);
}

} // extern "C"
#pragma GCC visibility pop
