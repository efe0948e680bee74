// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that the program itself creates and joins. Those of the OpenMP runtime become known by its own events; at
// level graph all do, so that a thread that never comes to OpenMP keeps nothing.

#include "lib/interpose/threads/threads.hpp"

#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <atomic>
#include <time.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{"pthread_create"};
constinit Real<void(void*)> real_exit{"pthread_exit"};
constinit Real<int(pthread_t, void**)> real_join{"pthread_join"}, real_tryjoin{"pthread_tryjoin_np"};
constinit Real<int(pthread_t, void**, const timespec*)> real_timedjoin{"pthread_timedjoin_np"};
constinit Real<int(pthread_t, void**, clockid_t, const timespec*)> real_clockjoin{"pthread_clockjoin_np"};

/// What a thread is started with.
struct Start {
  threads::Routine routine;
  void* argument;
  Address edge; ///< a number that no object has stands for the edge from its creator
};
constinit std::atomic<Address> last_edge{Address{1} << 63};

/// The edge to the thread that joins another: its handle, which is not used again before.
const volatile void* end_of(pthread_t thread) noexcept { return reinterpret_cast<const volatile void*>(thread); }

/// A key's destructor is the one place that every end of a thread comes by: return, pthread_exit and cancellation. It
/// asks for further rounds, so that the destructors of the program's keys are part of the thread. An OpenMP runtime
/// whose key is older may let the thread leave before: then what was published at the return or pthread_exit counts.
constinit std::atomic<bool> key_made{false};
pthread_key_t end_key;
constexpr long rounds = 3;

void thread_ends(void* left) {
  const long round = reinterpret_cast<long>(left);
  threads::publish_end();
  if (round > 1)
    pthread_setspecific(end_key, reinterpret_cast<void*>(round - 1));
  else
    tool::detach_thread();
}

void* run(void* given) {
  const Start start = *static_cast<Start*>(given);
  {
    const tool::InsideTool inside;
    tool::attach_announced_thread();
    if (tool::this_thread.attached != nullptr) acquire(reinterpret_cast<const void*>(start.edge));
    threads::expect_end();
    delete static_cast<Start*>(given);
  }
  void* const result = start.routine.of_posix != nullptr ? start.routine.of_posix(start.argument)
                                                         : threads::result_of_c11(start.routine.of_c11(start.argument));
  threads::publish_end();
  return result;
}

void announce(bool failed) {
  const tool::InsideTool inside;
  tool::session()->listener().on(ThreadCreate{tool::where().thread, failed});
}

int joined(pthread_t thread, int error) {
  if (error == 0) acquire(end_of(thread));
  return error;
}

} // namespace

namespace fletcher::interpose::threads {

int create(pthread_t* thread, const pthread_attr_t* attributes, Routine routine, void* argument) {
  Start* start = nullptr;
  {
    const tool::InsideTool inside;
    start = new Start{routine, argument, ++last_edge};
  }
  release(reinterpret_cast<const void*>(start->edge));
  announce(false);
  const int error = real_create(thread, attributes, run, start);
  if (error != 0) {
    announce(true);
    const tool::InsideTool inside;
    delete start;
  }
  return error;
}

void expect_end() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { key_made = pthread_key_create(&end_key, thread_ends) == 0; });
  if (key_made) pthread_setspecific(end_key, reinterpret_cast<void*>(rounds));
}

void publish_end() {
  if (tool::thread_state() != nullptr) release(end_of(pthread_self()));
}

void leave(void* result) {
  real_exit(result);
  __builtin_unreachable();
}

int join(pthread_t thread, void** result) { return joined(thread, real_join(thread, result)); }

} // namespace fletcher::interpose::threads

#pragma GCC visibility push(default)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) noexcept {
  modules::find_runtimes(); // the runtime may have been loaded since, and be the caller
  if (observed(caller()) == nullptr || mpi::in_library()) [[likely]]
    return real_create(thread, attributes, routine, argument);
  return threads::create(thread, attributes, {.of_posix = routine}, argument);
}

void pthread_exit(void* result) {
  if (observed(caller()) != nullptr) threads::publish_end();
  threads::leave(result);
}

int pthread_join(pthread_t thread, void** result) {
  if (!is_told(caller())) [[likely]]
    return real_join(thread, result);
  return threads::join(thread, result);
}
int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  if (!is_told(caller())) [[likely]]
    return real_tryjoin(thread, result);
  return joined(thread, real_tryjoin(thread, result));
}
int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* until) {
  if (!is_told(caller())) [[likely]]
    return real_timedjoin(thread, result, until);
  return joined(thread, real_timedjoin(thread, result, until));
}
int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* until) {
  if (!is_told(caller())) [[likely]]
    return real_clockjoin(thread, result, clock, until);
  return joined(thread, real_clockjoin(thread, result, clock, until));
}

} // extern "C"
#pragma GCC visibility pop
