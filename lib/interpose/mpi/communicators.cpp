// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/communicators.hpp"

#include "lib/interpose/mpi/call.hpp"

#include "checker/memory/spin_lock.hpp"

#include <unordered_map>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

struct Numbers {
  memory::SpinLock lock;
  std::unordered_map<Handle, std::uint32_t> known;
  std::uint32_t last = 0;
};
Numbers& numbers() {
  static auto* const the = new Numbers; // never destroyed
  return *the;
}

constinit Function<int(void*)> real_free{"MPI_Comm_free"}, real_disconnect{"MPI_Comm_disconnect"};

int end(Function<int(void*)>& real, void* communicator, Address pc) {
  const Call call(pc, real.name());
  if (call) {
    communicators::forget(abi()->handle_at(communicator, 0)); // before another thread may get the handle
    call.writes(communicator, abi()->handle_size());
  }
  return real(communicator);
}

} // namespace

namespace fletcher::interpose::mpi::communicators {

std::uint32_t number(Handle communicator) {
  const tool::InsideTool inside;
  Numbers& all = numbers();
  const memory::SpinGuard guard(all.lock);
  std::uint32_t& number = all.known[abi()->clean(communicator)];
  if (number == 0) number = ++all.last;
  return number;
}

void forget(Handle communicator) {
  const tool::InsideTool inside;
  Numbers& all = numbers();
  const memory::SpinGuard guard(all.lock);
  all.known.erase(abi()->clean(communicator));
}

} // namespace fletcher::interpose::mpi::communicators

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Comm_free(void* communicator) { return end(real_free, communicator, caller()); }
[[gnu::weak]] int MPI_Comm_disconnect(void* communicator) { return end(real_disconnect, communicator, caller()); }

} // extern "C"
#pragma GCC visibility pop
