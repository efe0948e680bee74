// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads become known and leave.

#include "lib/tool/thread.hpp"

#include "checker/checker.hpp"
#include "lib/tool/control.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/process/thread_memory.hpp"
#include "lib/tool/serials.hpp"
#include "lib/tool/session.hpp"

#include <cerrno>

namespace {

constinit fletcher::access::Glance nobody;

} // namespace

constinit thread_local fletcher::access::Glance* __fletcher_glance_5 = &nobody;

namespace fletcher::tool {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local bool has_initial_task = false;

access::ThreadState* attach(bool with_task, TaskKind kind, bool announced = false) {
  if (this_thread.place.thread != ThreadId::none) return this_thread.attached;
  Session* const the = session();
  if (the == nullptr) return nullptr;
  const InsideTool inside;
  const ThreadId id = next_thread_id();
  this_thread.slot = gate::take_slot(id);
  this_thread.place = Where{id, TaskId::none, TeamId::none};
  this_thread.paused = false;
  this_thread.stack = own_stack();
  access::ThreadState& state = the->checker().thread(id);
  state.stack_low = this_thread.stack.low;
  state.stack_high = this_thread.stack.high;
  const MemoryRange tls = own_tls();
  state.tls_low = tls.low;
  state.tls_high = tls.high;
  state.errno_place = reinterpret_cast<Address>(&errno);
  if (the->checks_accesses()) attach_to(&state);
  the->listener().on(ThreadBegin{id, !with_task});
  has_initial_task = with_task;
  if (with_task) {
    this_thread.place.task = next_task_id();
    the->listener().on(InitialTaskBegin{id, this_thread.place.task, kind, announced});
  }
  set_stack_aside();
  return this_thread.attached;
}

} // namespace

void attach_to(access::ThreadState* state) noexcept {
  this_thread.attached = state;
  __fletcher_glance_5 = state != nullptr ? state : &nobody;
}

access::ThreadState* attach_thread(TaskKind kind) { return attach(true, kind); }
access::ThreadState* attach_announced_thread() { return attach(true, TaskKind::foreign, true); }
access::ThreadState* attach_worker() { return attach(false, TaskKind::implicit); }

void begin_foreign_task() {
  if (this_thread.place.thread == ThreadId::none || this_thread.place.task != TaskId::none) return;
  const InsideTool inside;
  has_initial_task = true;
  this_thread.place.task = next_task_id();
  session()->listener().on(InitialTaskBegin{this_thread.place.thread, this_thread.place.task, TaskKind::foreign});
}

void detach_thread() {
  if (this_thread.place.thread == ThreadId::none) return;
  const InsideTool inside;
  Listener& listener = session()->listener();
  // A thread that joins it comes after it. A cancelled one publishes that nowhere else where the runtime lets it
  // leave.
  listener.on(Release{this_thread.place.thread, reinterpret_cast<Address>(pthread_self())});
  if (has_initial_task) listener.on(InitialTaskEnd{this_thread.place.thread, this_thread.place.task});
  listener.on(ThreadEnd{this_thread.place.thread});
  free_stack_aside();
  gate::give_back(std::exchange(this_thread.slot, nullptr));
  attach_to(nullptr);
  this_thread.place = Where{};
  this_thread.left = true;
  this_thread.stack = StackBounds{};
  has_initial_task = false;
}

} // namespace fletcher::tool
