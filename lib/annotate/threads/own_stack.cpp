// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/threads/own_stack.hpp"

#include "checker/memory/spin_lock.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>

#if defined(__x86_64__)

// The caller's frame is found by the frame pointer, also by who unwinds.
extern "C" [[gnu::visibility("hidden")]] int fletcher_call_on_stack(int thread, void* task, void* function,
                                                                    fletcher::Address stack);
asm(R"(
.pushsection .text
.type fletcher_call_on_stack, @function
.hidden fletcher_call_on_stack
.globl fletcher_call_on_stack
fletcher_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rcx, %rsp
  callq *%rdx
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size fletcher_call_on_stack, .-fletcher_call_on_stack
.popsection
)");

#else

static int fletcher_call_on_stack(int, void*, void*, fletcher::Address) { return 0; }

#endif

namespace fletcher::annotate {

namespace {

using TaskFunction = int(int thread, void* task);

/// Of clang's kmp_task_t, what the runtime calls.
struct Descriptor {
  void* shared;
  TaskFunction* entry;
  std::uint64_t part;
  TaskFunction* destructors; ///< of what the task has copies of; anything where none have to be called
};

struct Call {
  TaskFunction* function = nullptr;
  Address stack = 0;
};
/// Between the event that a task starts and the call of its function, this thread does nothing else; nor between the
/// function's end and the destructors.
[[gnu::tls_model("initial-exec")]] constinit thread_local Call next_call{};

int destroy(int thread, void* task) {
  const Call call = std::exchange(next_call, {});
  return fletcher_call_on_stack(thread, task, reinterpret_cast<void*>(call.function), call.stack);
}

int run(int thread, void* task) {
  const Call call = std::exchange(next_call, {});
  auto* const descriptor = static_cast<Descriptor*>(task);
  descriptor->entry = call.function;
  const int result = fletcher_call_on_stack(thread, task, reinterpret_cast<void*>(call.function), call.stack);
  next_call = {std::exchange(descriptor->destructors, destroy), call.stack};
  return result;
}

/// What `entry` was before, until it is called: the runtime may report that a task goes on, and calls nothing.
struct Replaced {
  TaskFunction* function;
  void (*returned)(void* task);
  void* task;
};
struct AllReplaced {
  memory::SpinLock lock;
  std::unordered_map<TaskFunction**, Replaced> by_place;
};
/// Never destroyed.
AllReplaced& all_replaced() {
  static auto* const the = new AllReplaced;
  return *the;
}

int run_and_tell(int thread, void* task) {
  TaskFunction** const place = &static_cast<Descriptor*>(task)->entry;
  Replaced call{};
  {
    AllReplaced& all = all_replaced();
    const memory::SpinGuard guard(all.lock);
    const auto at = all.by_place.find(place);
    call = at->second;
    all.by_place.erase(at);
  }
  *place = call.function; // for the next part, too
  const int result = call.function(thread, task);
  call.returned(call.task);
  return result;
}

} // namespace

void call_and_tell(Address function, void (*returned)(void* task), void* task) noexcept {
  auto** const place = reinterpret_cast<TaskFunction**>(function);
  AllReplaced& all = all_replaced();
  const memory::SpinGuard guard(all.lock);
  all.by_place.insert_or_assign(place, Replaced{*place, returned, task});
  *place = run_and_tell;
}

void call_on(Address function, Address stack) noexcept {
  auto** const place = reinterpret_cast<TaskFunction**>(function);
  next_call = {std::exchange(*place, run), stack};
}

} // namespace fletcher::annotate
