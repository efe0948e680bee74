// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that asks which thread it is on, by OpenMP's functions or the system's, may use data of that thread's own.

#include "checker/checker.hpp"
#include "checker/constructs/strand.hpp"
#include "lib/annotate/annotator.hpp"
#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <unistd.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int()> real_number{"omp_get_thread_num"}, real_number_fortran{"omp_get_thread_num_"};
constinit Real<int(int)> real_ancestor{"omp_get_ancestor_thread_num"};
constinit Real<int()> real_place{"omp_get_place_num"}, real_place_fortran{"omp_get_place_num_"};
constinit Real<pthread_t() noexcept> real_self{"pthread_self"};
constinit Real<void*(pthread_key_t) noexcept> real_specific{"pthread_getspecific"};
constinit Real<thrd_t()> real_current{"thrd_current"};
constinit Real<void*(tss_t)> real_tss{"tss_get"};
constinit Real<int() noexcept> real_cpu{"sched_getcpu"};
constinit Real<pid_t() noexcept> real_tid{"gettid"};

/// `more`: than the number that the thread has in its team, which may be another one's in another team.
[[gnu::noinline]] void ask(access::ThreadState& thread, bool more = false) {
  if (mpi::in_library()) return; // which asks for itself
  const tool::InsideTool inside;
  if (!more) return thread.checker->asked_thread_number(thread);
  constructs::ask_number(thread);
  constructs::identify(thread);
}

[[gnu::always_inline]] inline void asks(Address pc) {
  if (annotate::judges_tasks.load(std::memory_order_relaxed)) [[unlikely]]
    annotate::ask_thread_number();
  access::ThreadState* const thread = outside_tool();
  if (thread != nullptr && !thread->asked_thread_number && !modules::libraries.contains(pc)) ask(*thread);
}

[[gnu::always_inline]] inline void asks_more(access::ThreadState* thread) {
  if (thread != nullptr && thread->task != nullptr &&
      !(thread->asked_thread_number && thread->task->now().knows_thread.load(std::memory_order_relaxed)))
    ask(*thread, true);
}

[[gnu::noinline]] void ask_of_system(Address pc) noexcept {
  if (!modules::is_runtime(pc)) annotate::ask_thread_number();
}

/// The OpenMP runtime asks the system for itself.
[[gnu::always_inline]] inline void asks_system(Address pc) noexcept {
  if (annotate::judges_tasks.load(std::memory_order_relaxed)) [[unlikely]]
    ask_of_system(pc);
  asks_more(observed(pc));
}

[[gnu::always_inline]] inline void asks_place(Address pc) {
  if (annotate::judges_tasks.load(std::memory_order_relaxed)) [[unlikely]]
    annotate::ask_thread_number();
  if (!modules::libraries.contains(pc)) asks_more(outside_tool());
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int omp_get_thread_num() {
  asks(caller());
  return real_number();
}
/// What the compiler plugin (lib/pass/doubts/doubts) makes of it where nobody can use the number for an address,
int __fletcher_get_thread_num() { return real_number(); }
/// until it is stored where others may read it.
void __fletcher_asked_thread_num() { asks(caller()); }
int omp_get_thread_num_() {
  asks(caller());
  return real_number_fortran();
}
int omp_get_ancestor_thread_num(int level) {
  asks_place(caller());
  return real_ancestor(level);
}
int omp_get_place_num() {
  asks_place(caller());
  return real_place();
}
int omp_get_place_num_() {
  asks_place(caller());
  return real_place_fortran();
}

pthread_t pthread_self() noexcept {
  asks_system(caller());
  return real_self();
}
void* pthread_getspecific(pthread_key_t key) noexcept {
  asks_system(caller());
  return real_specific(key);
}
thrd_t thrd_current() {
  asks_system(caller());
  return real_current();
}
void* tss_get(tss_t key) {
  asks_system(caller());
  return real_tss(key);
}
int sched_getcpu() noexcept {
  asks_system(caller());
  return real_cpu();
}
pid_t gettid() noexcept {
  asks_system(caller());
  return real_tid();
}

} // extern "C"
#pragma GCC visibility pop
