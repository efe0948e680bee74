// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading into and writing from the program's buffers.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

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
constinit Real<Size(void*, Size, Size, FILE*)> real_fread{"fread"};
constinit Real<Size(const void*, Size, Size, FILE*)> real_fwrite{"fwrite"};

/// `count` is what the call returned: bytes, or an error.
template <class Count> Count filled(access::ThreadState* thread, void* buffer, Count count, Size unit, Address pc) {
  if (count > 0) writes(*thread, buffer, static_cast<Size>(count) * unit, pc);
  return count;
}

[[gnu::always_inline]] inline void takes(const void* buffer, Size size, Address pc) {
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, buffer, size, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

ssize_t read(int file, void* buffer, Size size) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_read(file, buffer, size);
  return filled(thread, buffer, real_read(file, buffer, size), 1, pc);
}
ssize_t pread(int file, void* buffer, Size size, off_t offset) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_pread(file, buffer, size, offset);
  return filled(thread, buffer, real_pread(file, buffer, size, offset), 1, pc);
}
ssize_t recv(int socket, void* buffer, Size size, int flags) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_recv(socket, buffer, size, flags);
  const ssize_t count = real_recv(socket, buffer, size, flags);
  // MSG_TRUNC returns the length of what did not fit, too.
  return filled(thread, buffer, count, count > static_cast<ssize_t>(size) ? 0 : 1, pc);
}
Size fread(void* buffer, Size size, Size count, FILE* file) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_fread(buffer, size, count, file);
  return filled(thread, buffer, real_fread(buffer, size, count, file), size, pc);
}

ssize_t write(int file, const void* buffer, Size size) {
  takes(buffer, size, caller());
  return real_write(file, buffer, size);
}
ssize_t pwrite(int file, const void* buffer, Size size, off_t offset) {
  takes(buffer, size, caller());
  return real_pwrite(file, buffer, size, offset);
}
ssize_t send(int socket, const void* buffer, Size size, int flags) {
  takes(buffer, size, caller());
  return real_send(socket, buffer, size, flags);
}
Size fwrite(const void* buffer, Size size, Size count, FILE* file) {
  takes(buffer, size * count, caller());
  return real_fwrite(buffer, size, count, file);
}

} // extern "C"
#pragma GCC visibility pop
