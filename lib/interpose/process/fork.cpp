// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork(): the child has the forking thread only. Where others may have been inside the checker at that moment, holding
// a lock that nobody will open, the child goes on unchecked; otherwise it is checked like its parent.

#include "lib/interpose/memory/heap_registry.hpp"
#include "lib/interpose/memory/own_heap.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <pthread.h>

using namespace fletcher;

namespace {

// The handlers of others that run in between may call what is interposed. It would wait for the locks that are held.
void before_fork() {
  tool::InsideTool::enter();
  if (tool::session() != nullptr) interpose::heap::before_fork();
  interpose::own_heap::before_fork();
}
void after_fork_in_parent() {
  interpose::own_heap::after_fork();
  if (tool::session() != nullptr) interpose::heap::after_fork();
  tool::InsideTool::leave();
}
void after_fork_in_child() {
  interpose::own_heap::after_fork();
  if (tool::session() != nullptr) interpose::heap::after_fork();
  // Checking is on: the thread forked inside a parallel region, or while tasks or threads were alive.
  if (tool::this_thread.attached != nullptr && tool::this_thread.attached->off <= 0) {
    tool::attach_to(nullptr);
    tool::this_thread.current = nullptr;
  } else if (tool::session() != nullptr && tool::where().thread != ThreadId::none) {
    tool::session()->listener().on(Forked{tool::where().thread});
  }
  tool::InsideTool::leave();
}

[[gnu::constructor]] void loaded() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

} // namespace
