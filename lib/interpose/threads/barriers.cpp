// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX barriers. Who goes on comes after what all did before they came to the barrier as often as it did; but not
// after what one of them did that was let go first and has come to the barrier once more.

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/thread.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)> real_init{"pthread_barrier_init"};
constinit Real<int(pthread_barrier_t*)> real_wait{"pthread_barrier_wait"}, real_destroy{"pthread_barrier_destroy"};

/// As long as no more threads use it than it lets go together, each comes once before any comes again: that many
/// arrivals are one turn.
struct Barrier {
  explicit Barrier(unsigned threads_together) noexcept : together(threads_together) {}
  const unsigned together;
  std::atomic<bool> used_by_more{false};
  memory::SpinLock lock;
  unsigned arrivals = 0;
  std::vector<pthread_t> users; ///< two that live at the same time differ
};

struct Barriers {
  memory::SpinLock lock;
  std::map<const void*, std::shared_ptr<Barrier>> by_address;
};
/// Those whose beginning was seen. Never destroyed.
Barriers& barriers() {
  static auto* const the = new Barriers;
  return *the;
}

/// 0: none is there any more.
void put(const void* address, unsigned threads_together) {
  const tool::InsideTool inside;
  Barriers& all = barriers();
  const memory::SpinGuard guard(all.lock);
  if (threads_together != 0)
    all.by_address.insert_or_assign(address, std::make_shared<Barrier>(threads_together));
  else
    all.by_address.erase(address);
}

/// Turns take turns in two objects: nobody comes to the next but one before all have left this one.
struct Arrival {
  std::shared_ptr<Barrier> barrier; ///< null: its turns are not known, and there is one object
  unsigned turn = 0;

  bool is_in(unsigned one) const noexcept {
    return one == turn || (barrier && barrier->used_by_more.load(std::memory_order_acquire));
  }
};

Arrival arrive(const void* address) {
  const tool::InsideTool inside;
  Arrival arrival;
  {
    Barriers& all = barriers();
    const memory::SpinGuard guard(all.lock);
    const auto found = all.by_address.find(address);
    if (found == all.by_address.end()) return arrival;
    arrival.barrier = found->second;
  }
  Barrier& barrier = *arrival.barrier;
  if (barrier.used_by_more.load(std::memory_order_relaxed)) return arrival;
  const memory::SpinGuard guard(barrier.lock);
  arrival.turn = barrier.arrivals++ / barrier.together % 2;
  if (const pthread_t self = pthread_self(); std::ranges::find(barrier.users, self) == barrier.users.end()) {
    if (barrier.users.size() == barrier.together)
      barrier.used_by_more.store(true, std::memory_order_release);
    else
      barrier.users.push_back(self);
  }
  return arrival;
}

/// Every byte of a barrier can be an object.
void for_objects(const Arrival& arrival, const pthread_barrier_t* barrier, auto&& act) {
  const auto* const begin = reinterpret_cast<const char*>(barrier);
  for (const unsigned turn : {0U, 1U})
    if (arrival.is_in(turn)) act(begin + turn);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  const int error = real_init(barrier, attributes, count);
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &shared);
  if (error == 0) put(barrier, shared == PTHREAD_PROCESS_PRIVATE ? count : 0);
  return error;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  put(barrier, 0); // its memory may have another one as soon as it is gone
  return real_destroy(barrier);
}

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const bool told = is_told(caller());
  Arrival arrival = arrive(barrier); // all count
  if (told) for_objects(arrival, barrier, [](const void* object) { release(object); });
  const int result = real_wait(barrier);
  if (told && (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD))
    for_objects(arrival, barrier, [](const void* object) { acquire(object); });
  if (arrival.barrier) {
    const tool::InsideTool inside;
    arrival.barrier.reset();
  }
  return result;
}

} // extern "C"
#pragma GCC visibility pop
