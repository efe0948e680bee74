// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/windows.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/mpi/uses.hpp"
#include "lib/tool/thread.hpp"

#include <unordered_map>

namespace fletcher::interpose::mpi::windows {

namespace {

struct Part {
  Address base = 0;
  Displacement unit = 1;
  int rank = -1;
};
struct Parts {
  memory::SpinLock lock;
  std::unordered_map<Handle, Part> of;
};
Parts& parts() {
  static auto* const the = new Parts; // never destroyed
  return *the;
}

} // namespace

void made(Handle window, const void* base, Displacement unit, Handle communicator) {
  const tool::InsideTool inside;
  const Part part{reinterpret_cast<Address>(base), unit, rank_in(communicator)};
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  all.of[abi()->clean(window)] = part;
}

void forget(Handle window) {
  const tool::InsideTool inside;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  all.of.erase(abi()->clean(window));
}

const void* own_part(Handle window, int target, Displacement at) {
  const tool::InsideTool inside;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.of.find(abi()->clean(window));
  if (found == all.of.end() || found->second.rank != target) return nullptr;
  return reinterpret_cast<const void*>(found->second.base + static_cast<Address>(at * found->second.unit));
}

} // namespace fletcher::interpose::mpi::windows
