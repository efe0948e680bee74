// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/executors.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/tool/serials.hpp"

#include <vector>

namespace fletcher::interpose::mpi {

namespace {

constexpr std::uint32_t most_slots = 1u << 14;

struct Free {
  memory::SpinLock lock;
  std::vector<std::uint32_t> slots;
  std::uint32_t slots_made = 0;
  std::vector<access::ThreadState*> threads;
};
Free& free_ones() {
  static auto* const the = new Free; // never destroyed
  return *the;
}

} // namespace

std::uint32_t take_slot() {
  Free& all = free_ones();
  const memory::SpinGuard guard(all.lock);
  if (all.slots.empty()) return all.slots_made < most_slots ? all.slots_made++ : no_slot;
  const std::uint32_t slot = all.slots.back();
  all.slots.pop_back();
  return slot;
}

void give_back(std::uint32_t slot) {
  Free& all = free_ones();
  const memory::SpinGuard guard(all.lock);
  all.slots.push_back(slot);
}

access::ThreadState& take_thread(Checker& checker) {
  Free& all = free_ones();
  {
    const memory::SpinGuard guard(all.lock);
    if (!all.threads.empty()) {
      access::ThreadState* const thread = all.threads.back();
      all.threads.pop_back();
      return *thread;
    }
  }
  return checker.thread(tool::next_thread_id());
}

void give_back(access::ThreadState& thread) {
  Free& all = free_ones();
  const memory::SpinGuard guard(all.lock);
  all.threads.push_back(&thread);
}

} // namespace fletcher::interpose::mpi
