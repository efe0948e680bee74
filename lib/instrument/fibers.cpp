// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User-level contexts (coroutines, fibers) as ThreadSanitizer's interface tells them. They belong to the task that the
// thread runs; switching orders what was before with what comes, so that a context may move to another thread. Each has
// a shadow call stack of its own.

#include "lib/instrument/annotations.hpp"

#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <map>
#include <memory>

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

constexpr unsigned no_synchronisation = 1u << 0; ///< flag of __tsan_switch_to_fiber

struct Fiber {
  access::CallStack stack; ///< while it does not run
  memory::ReservedArray<access::Frame> frames;
};

std::unique_ptr<Fiber> make_fiber() {
  constexpr std::size_t depth = 64 * 1024;
  auto fiber = std::make_unique<Fiber>();
  fiber->frames = memory::ReservedArray<access::Frame>(depth);
  fiber->stack.attach(fiber->frames.data(), fiber->frames ? depth : 0);
  return fiber;
}

/// Of a program that was taken over from ThreadSanitizer: the fibers that it names by what that one gave it, and those
/// that were made since. By their names.
class Named {
public:
  /// Makes those that are not known.
  Fiber* find(void* name) {
    const memory::SpinGuard guard(lock_);
    std::unique_ptr<Fiber>& fiber = fibers_[name];
    if (fiber == nullptr) fiber = make_fiber();
    return fiber.get();
  }
  Fiber* add(std::unique_ptr<Fiber> fiber) {
    const memory::SpinGuard guard(lock_);
    return (fibers_[fiber.get()] = std::move(fiber)).get();
  }
  void erase(void* name) {
    const memory::SpinGuard guard(lock_);
    fibers_.erase(name);
  }

private:
  memory::SpinLock lock_;
  std::map<void*, std::unique_ptr<Fiber>> fibers_;
};

/// Null: all fibers are this library's own, and their names their addresses.
Named* named() {
  const tool::Session* const session = tool::session();
  if (session == nullptr || !session->taken_over()) return nullptr;
  static auto* const the = new Named; // never destroyed
  return the;
}

Fiber* keep(std::unique_ptr<Fiber> fiber) {
  Named* const names = named();
  return names != nullptr ? names->add(std::move(fiber)) : fiber.release();
}
Fiber* of_name(void* name) {
  Named* const names = named();
  return names != nullptr ? names->find(name) : static_cast<Fiber*>(name);
}

/// The context that runs here; null: the thread's own, which gets one when it is first asked for.
[[gnu::tls_model("initial-exec")]] constinit thread_local Fiber* current = nullptr;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __tsan_get_current_fiber() {
  const tool::InsideTool inside;
  if (current == nullptr) current = keep(std::make_unique<Fiber>());
  return current;
}

void* __tsan_create_fiber(unsigned) {
  const tool::InsideTool inside;
  Fiber* const fiber = keep(make_fiber());
  happens_before(fiber);
  return fiber;
}

void __tsan_destroy_fiber(void* fiber) {
  const tool::InsideTool inside;
  if (Named* const names = named())
    names->erase(fiber);
  else
    delete static_cast<Fiber*>(fiber);
}

void __tsan_switch_to_fiber(void* to, unsigned flags) {
  auto* const from = static_cast<Fiber*>(__tsan_get_current_fiber());
  Fiber* next = nullptr;
  {
    const tool::InsideTool inside;
    next = of_name(to);
  }
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
