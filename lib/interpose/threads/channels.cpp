// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/threads/channels.hpp"

#include "lib/interpose/real.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(int)> real_close{"close"};
constinit Real<int(int, int) noexcept> real_shutdown{"shutdown"};
constinit Real<int(int, eventfd_t*)> real_eventfd_read{"eventfd_read"};
constinit Real<int(int, eventfd_t)> real_eventfd_write{"eventfd_write"};
constinit Real<int(int, sockaddr*, socklen_t*)> real_accept{"accept"};
constinit Real<int(int, sockaddr*, socklen_t*, int)> real_accept4{"accept4"};
constinit Real<int(int, const sockaddr*, socklen_t)> real_connect{"connect"};

// Both ends of a pipe are one file. Two pipes that share a place order a little too much.
constinit std::array<char, 1021> pipes{};
constinit char sockets = 0, counters = 0;

} // namespace

const volatile void* fletcher::interpose::channels::detail::find(int descriptor) noexcept {
  if (descriptor <= STDERR_FILENO) return nullptr;
  const KeptErrno kept;
  const tool::InsideTool inside;
  struct stat file{};
  if (fstat(descriptor, &file) != 0) return nullptr;
  switch (file.st_mode & S_IFMT) {
  case S_IFIFO:
    return &pipes[static_cast<std::size_t>(file.st_ino) % pipes.size()];
  case S_IFSOCK:
    return &sockets;
  case 0: // of no file system: eventfd, timerfd, epoll and the like
    return &counters;
  default:
    return nullptr;
  }
}

#pragma GCC visibility push(default)
extern "C" {

// Who reads sees the end then.
int close(int descriptor) {
  channels::writes(descriptor, caller());
  return real_close(descriptor);
}
int shutdown(int descriptor, int how) noexcept {
  channels::writes(descriptor, caller());
  return real_shutdown(descriptor, how);
}

int eventfd_read(int descriptor, eventfd_t* value) {
  return channels::was_read(descriptor, caller(), real_eventfd_read(descriptor, value));
}
int eventfd_write(int descriptor, eventfd_t value) {
  channels::writes(descriptor, caller());
  return real_eventfd_write(descriptor, value);
}

int accept(int descriptor, sockaddr* name, socklen_t* length) {
  return channels::was_read(descriptor, caller(), real_accept(descriptor, name, length));
}
int accept4(int descriptor, sockaddr* name, socklen_t* length, int flags) {
  return channels::was_read(descriptor, caller(), real_accept4(descriptor, name, length, flags));
}
int connect(int descriptor, const sockaddr* name, socklen_t length) {
  channels::writes(descriptor, caller());
  return real_connect(descriptor, name, length);
}

} // extern "C"
#pragma GCC visibility pop
