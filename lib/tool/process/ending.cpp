// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The normal ends of a process.

#include "lib/tool/process/ending.hpp"

#include "lib/interpose/mpi/process.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/task_trace.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace fletcher::tool {

namespace {

/// The process that this memory belongs to. A vfork child or a raw clone finds another process's number here.
constinit pid_t owner = 0;

void before_fork() {
  if (Session* const the = session()) the->collector().lock();
}
void after_fork_in_parent() {
  if (Session* const the = session()) the->collector().unlock();
}
void after_fork_in_child() {
  owner = getpid();
  drop_errors();
  if (Session* const the = session()) {
    the->collector().unlock();
    the->collector().clear();
    forget_delivered();
    if (the->trace() != nullptr) the->trace()->clear();
  }
}

constinit std::atomic<int> last_status{-1};

/// Registered when the library is loaded, before whatever the program registers: so it is the last handler where the
/// library is linked or preloaded. exit() from within goes on with the handlers that are left.
void at_exit(int status, void*) {
  const int result = finish(status);
  last_status = result;
  if (result != status) exit(result);
}

[[gnu::constructor]] void loaded() {
  owner = getpid();
  // Not atexit(): that would run when the library is finalised, in the midst of the program's own destructors.
  on_exit(at_exit, nullptr);
}

} // namespace

int status_at_end() noexcept { return last_status; }

void expect_end() {
  owner = getpid();
  keep_errors();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  watch_signals();
}

int finish(int status) {
  if (getpid() != owner) return status;
  explain_unchecked();
  Session* const the = session();
  if (the == nullptr) return status;
  interpose::mpi::process::tell_failure();
  interpose::mpi::board::leave();
  if (status == EXIT_SUCCESS) interpose::mpi::process::tell_end(); // else it may be a way out of an error
  const bool errors = deliver(Occasion::exit);
  const auto exitcode = static_cast<int>(the->options().exitcode);
  return errors && exitcode != 0 ? exitcode : status;
}

} // namespace fletcher::tool
