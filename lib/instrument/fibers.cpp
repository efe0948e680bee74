// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User-level contexts (coroutines, fibers) as ThreadSanitizer's interface tells them. They belong to the task that the
// thread runs; switching orders what was before with what comes, so that a context may move to another thread. Each has
// a shadow call stack of its own.

#include "lib/instrument/annotations.hpp"

#include "checker/memory/reserved.hpp"

#include <memory>

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

constexpr unsigned no_synchronisation = 1u << 0; ///< flag of __tsan_switch_to_fiber

struct Fiber {
  access::CallStack stack; ///< while it does not run
  memory::ReservedArray<access::Frame> frames;
};

/// The context that runs here; null: the thread's own, which gets one when it is first asked for.
[[gnu::tls_model("initial-exec")]] constinit thread_local Fiber* current = nullptr;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __tsan_get_current_fiber() {
  const tool::InsideTool inside;
  if (current == nullptr) current = new Fiber;
  return current;
}

void* __tsan_create_fiber(unsigned) {
  const tool::InsideTool inside;
  constexpr std::size_t depth = 64 * 1024;
  auto fiber = std::make_unique<Fiber>();
  fiber->frames = memory::ReservedArray<access::Frame>(depth);
  fiber->stack.attach(fiber->frames.data(), fiber->frames ? depth : 0);
  happens_before(fiber.get());
  return fiber.release();
}

void __tsan_destroy_fiber(void* fiber) {
  const tool::InsideTool inside;
  delete static_cast<Fiber*>(fiber);
}

void __tsan_switch_to_fiber(void* to, unsigned flags) {
  auto* const from = static_cast<Fiber*>(__tsan_get_current_fiber());
  auto* const next = static_cast<Fiber*>(to);
  access::ThreadState* const thread = tool::thread_state();
  if (next == from) return;
  happens_before(from);
  if (thread != nullptr) {
    from->stack = thread->stack;
    thread->stack = next->stack;
  }
  current = next;
  if ((flags & no_synchronisation) == 0) happens_after(next);
}

void __tsan_set_fiber_name(void*, const char*) {}

} // extern "C"
#pragma GCC visibility pop
