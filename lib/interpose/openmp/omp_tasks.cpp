// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of the OpenMP runtime whose arguments say what its events hide: whether a task's if clause is false,
// what it shares with its creator, how long its list items are; where gcc's programs are in a doacross loop. Each
// leaves a hint for this thread's next events and jumps on, so that the runtime still sees the program's return
// address.

#include "lib/interpose/gomp/gomp_by_numbers.hpp"
#include "lib/interpose/gomp/gomp_detach.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/openmp/call_stub.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/arguments.hpp"
#include "lib/ompt/block.hpp"
#include "lib/ompt/quirks/undeferred.hpp"
#include "lib/tool/thread.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#if defined(__x86_64__)

using fletcher::Address;
using fletcher::ompt::call_hint;
using fletcher::ompt::call_pc;
using fletcher::ompt::CallHint;
using Code = fletcher::interpose::Code;

namespace {

enum Function : std::uint32_t {
  begin_if0,
  gomp_task,
  kmpc_taskloop,
  kmpc_taskloop_5,
  gomp_taskloop,
  gomp_taskloop_ull,
  gomp_doacross_wait,
  gomp_doacross_ull_wait,
  gomp_doacross_post,
  gomp_doacross_ull_post,
  kmpc_task_alloc,
  kmpc_task,
  kmpc_task_with_deps,
  kmpc_taskwait_deps,
  kmpc_wait_deps,
  count
};
constexpr std::array<const char*, count> names{"__kmpc_omp_task_begin_if0",
                                               "GOMP_task",
                                               "__kmpc_taskloop",
                                               "__kmpc_taskloop_5",
                                               "GOMP_taskloop",
                                               "GOMP_taskloop_ull",
                                               "GOMP_doacross_wait",
                                               "GOMP_doacross_ull_wait",
                                               "GOMP_doacross_post",
                                               "GOMP_doacross_ull_post",
                                               "__kmpc_omp_task_alloc",
                                               "__kmpc_omp_task",
                                               "__kmpc_omp_task_with_deps",
                                               "__kmpc_omp_taskwait_deps_51",
                                               "__kmpc_omp_wait_deps"};

constexpr std::uint32_t gomp_flag_if = 1u << 10; ///< GOMP_TASK_FLAG_IF: of GOMP_taskloop only

} // namespace

/// The runtime's functions, as far as they have been called. Read by the stubs below.
extern "C" {
[[gnu::visibility("hidden")]] constinit std::array<Code, count> fletcher_task_originals{};
}

namespace {

Code original(Function function) {
  Code& code = fletcher_task_originals[function];
  if (code == nullptr) code = fletcher::interpose::behind(names[function]);
  return code;
}

std::span<const fletcher::ompt::DependInfo> list_of(const std::uint64_t* registers, std::size_t number) {
  return {reinterpret_cast<const fletcher::ompt::DependInfo*>(registers[number + 1]),
          static_cast<std::uint32_t>(registers[number])};
}

void note_arguments(Function function, const std::uint64_t* registers) {
  auto& noted = fletcher::ompt::arguments;
  switch (function) {
  case kmpc_task_with_deps: // loc gtid task number list | …
    fletcher_task_arguments.task = registers[2];
    noted.items = list_of(registers, 3);
    return;
  default: // loc gtid number list number list | nowait (of a taskwait)
    noted.items = list_of(registers, 2);
    noted.nowait = function == kmpc_taskwait_deps && static_cast<std::int32_t>(registers[7]) != 0;
  }
}

/// LLVM's runtime tells the list of a wait to tools, and writes the types of mutexinoutset and inoutset items behind it
/// (__kmpc_omp_taskwait_deps_51, up to LLVM 19). Of items that are said to be free of duplicates it does not. That list
/// must not have omp_all_memory.
void tell_no_duplicates(std::uint64_t* registers) { // loc gtid number list number list
  using fletcher::ompt::DependInfo;
  const std::span list = list_of(registers, 2);
  if (registers[4] != 0 || std::ranges::none_of(list, &DependInfo::is_set)) return;
  // The runtime reads it before it executes anything else. A pointer: there is little room for threads' own variables
  // in a library that is loaded late.
  static thread_local std::unique_ptr<std::vector<DependInfo>> made;
  if (made == nullptr) made = std::make_unique<std::vector<DependInfo>>();
  std::vector<DependInfo>& items = *made;
  items.clear();
  const DependInfo* all = nullptr;
  for (const DependInfo& item : list) {
    if (item.is_all_memory())
      all = &item;
    else if (const auto same = std::ranges::find(items, item.base, &DependInfo::base); same != items.end())
      same->flags |= item.flags;
    else
      items.push_back(item);
  }
  registers[2] = all != nullptr ? 1 : 0;
  registers[3] = reinterpret_cast<std::uint64_t>(all);
  registers[4] = items.size();
  registers[5] = reinterpret_cast<std::uint64_t>(items.data());
}

// The runtime's GOMP_ functions call its __kmpc_ ones: the place is that of the program's call.
void note_call(Address pc, CallHint hint) {
  if (!fletcher::interpose::modules::is_openmp(pc)) call_pc = pc;
  call_hint = hint;
}

/// Nothing in the block that gcc's code has filled for a task points into the stack: it has copies of what it uses.
bool points_to_no_frame(const void* block, std::size_t size) {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0)), end = fletcher::tool::this_thread.stack.high;
  for (std::size_t at = 0; at + sizeof(Address) <= size; at += sizeof(Address)) {
    Address word = 0;
    std::memcpy(&word, static_cast<const unsigned char*>(block) + at, sizeof word);
    if (word - here < end - here) return false;
  }
  return end > here;
}

/// LLVM's GOMP_task runs an undeferred task on its creator's data, also where `copy` has to make the task's own from
/// it, which look different. So they are made here, as libgomp does it: on the stack, where they end with the task.
void gomp_task_of_copies(fletcher::interpose::GompBody* body, void* data, fletcher::interpose::GompCopy* copy,
                         long size, long align, bool if_clause, unsigned flags, void** depend, int priority,
                         void* detach) {
  const auto room = static_cast<std::size_t>(size + align - 1);
  const auto first = reinterpret_cast<Address>(__builtin_alloca(room));
  const auto alignment = static_cast<Address>(align);
  void* const copies = reinterpret_cast<void*>((first + alignment - 1) & ~(alignment - 1));
  copy(copies, data);
  note_call(reinterpret_cast<Address>(__builtin_return_address(0)), CallHint::undeferred);
  reinterpret_cast<fletcher::interpose::GompTask*>(original(gomp_task))(body, copies, nullptr, size, align, if_clause,
                                                                        flags, depend, priority, detach);
}

void gomp_detachable_task(fletcher::interpose::GompBody* body, void* data, fletcher::interpose::GompCopy* copy,
                          long size, long align, bool if_clause, unsigned flags, void** depend, int priority,
                          void* detach) {
  note_call(reinterpret_cast<Address>(__builtin_return_address(0)),
            if_clause ? CallHint::deferred : CallHint::undeferred);
  if (!fletcher::interpose::make_gomp_detachable_task(body, data, copy, size, align, if_clause, flags, depend, detach))
    reinterpret_cast<fletcher::interpose::GompTask*>(original(gomp_task))(body, data, copy, size, align, if_clause,
                                                                          flags, depend, priority, detach);
}

constinit fletcher::interpose::Real<int()> real_team_size{"omp_get_num_threads"};

/// A team of one executes its iterations in order. LLVM's runtime keeps nothing of a doacross loop for it, which its
/// entry points for clang's programs know, while those for gcc's crash.
void nothing_to_order() {}

/// The runtime copies the task of a taskloop's call and gives its memory to others without a word: what the creator
/// wrote there must not meet them; nor what copying and destroying it read, until the construct's end.
void forget_pattern(Address task) {
  const std::size_t size = fletcher::ompt::arguments.pattern(task);
  const fletcher::ThreadId thread = fletcher::tool::where().thread;
  if (size == 0 || thread == fletcher::ThreadId::none || fletcher::tool::InsideTool::here()) return;
  fletcher::ompt::taskloop_pattern = {task, size};
  fletcher::interpose::raise(fletcher::MemoryEnd{thread, task, size, fletcher::MemoryKind::runtime, 0});
}

bool has_iterations_from_0_on(std::int64_t start, std::int64_t end) { return start >= 0 && start < end; }

} // namespace

extern "C" [[gnu::visibility("hidden"), gnu::used]] fletcher::interpose::CallHandler fletcher_task_call;

Code fletcher_task_call(std::uint32_t which, std::uint64_t* registers) {
  const auto function = static_cast<Function>(which);
  if (function == kmpc_task_alloc || function == kmpc_task) return original(function); // the stub has noted all
  if (function >= kmpc_task_with_deps) {
    note_arguments(function, registers);
    if (function != kmpc_task_with_deps) tell_no_duplicates(registers);
    return original(function);
  }
  const Address pc = registers[6];
  switch (function) {
  case begin_if0:
    note_call(pc, CallHint::undeferred);
    break;
  case gomp_task: { // fn data cpyfn size align if_clause | flags depend priority detach
    const bool deferred = (registers[5] & 0xff) != 0, copies = registers[2] != 0;
    if ((registers[7] & fletcher::interpose::gomp_flag_detach) != 0)
      return reinterpret_cast<Code>(gomp_detachable_task);
    if (!deferred && copies) return reinterpret_cast<Code>(gomp_task_of_copies);
    fletcher::ompt::arguments.reaches_no_frame =
        points_to_no_frame(reinterpret_cast<const void*>(registers[1]), registers[3]);
    note_call(pc, deferred ? CallHint::deferred : CallHint::undeferred);
    break;
  }
  case kmpc_taskloop: // loc gtid task if_val lb ub | …
  case kmpc_taskloop_5:
    note_call(pc, static_cast<std::int32_t>(registers[3]) != 0 ? CallHint::taskloop : CallHint::taskloop_if0);
    forget_pattern(registers[2]);
    break;
  case gomp_taskloop: // fn data cpyfn size align flags | tasks priority start end …
  case gomp_taskloop_ull:
    fletcher::ompt::arguments.taskloop_of(registers[3]);
    note_call(pc, (registers[5] & gomp_flag_if) != 0 ? CallHint::taskloop : CallHint::taskloop_if0);
    if ((registers[5] & fletcher::interpose::gomp_flag_up) == 0 ||
        !has_iterations_from_0_on(static_cast<std::int64_t>(registers[9]), static_cast<std::int64_t>(registers[10])))
      return reinterpret_cast<Code>(function == gomp_taskloop ? fletcher::interpose::gomp_taskloop_by_numbers
                                                              : fletcher::interpose::gomp_taskloop_ull_by_numbers);
    break;
  case gomp_doacross_wait: // numbers of the iteration
  case gomp_doacross_ull_wait:
  case gomp_doacross_post:
  case gomp_doacross_ull_post:
    if (real_team_size() == 1) return nothing_to_order;
    call_pc = pc;
    break;
  default:
    break;
  }
  return original(function);
}

// A stub for each function. Those of every task store what is of interest by themselves (ompt::TaskCall), and ask once.
static_assert(kmpc_task_alloc == 10 && kmpc_task == 11 && sizeof(fletcher_task_originals[0]) == 8);
asm(R"asm(
  .text
  .macro fletcher_ask which
  push %rdi
  .cfi_adjust_cfa_offset 8
  mov $\which, %edi
  lea fletcher_task_call(%rip), %rax
  jmp fletcher_stub_rest
  .endm
  .macro fletcher_task_stub name which
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  fletcher_ask \which
  .cfi_endproc
  .size \name, . - \name
  .endm
  fletcher_task_stub __kmpc_omp_task_begin_if0 0
  fletcher_task_stub GOMP_task 1
  fletcher_task_stub __kmpc_taskloop 2
  fletcher_task_stub __kmpc_taskloop_5 3
  fletcher_task_stub GOMP_taskloop 4
  fletcher_task_stub GOMP_taskloop_ull 5
  fletcher_task_stub GOMP_doacross_wait 6
  fletcher_task_stub GOMP_doacross_ull_wait 7
  fletcher_task_stub GOMP_doacross_post 8
  fletcher_task_stub GOMP_doacross_ull_post 9
  .macro fletcher_noting_stub name which notes
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  mov fletcher_task_arguments@gottpoff(%rip), %rax
  \notes
  mov fletcher_task_originals+8*\which(%rip), %rax
  test %rax, %rax
  je 1f
  jmp *%rax
1:
  fletcher_ask \which
  .cfi_endproc
  .size \name, . - \name
  .endm
  # loc gtid flags task_size shared_size entry
  fletcher_noting_stub __kmpc_omp_task_alloc 10 "mov %rcx, %fs:(%rax); mov %r8, %fs:8(%rax); mov %r9, %fs:16(%rax)"
  # loc gtid task
  fletcher_noting_stub __kmpc_omp_task 11 "mov %rdx, %fs:24(%rax)"
  fletcher_task_stub __kmpc_omp_task_with_deps 12
  fletcher_task_stub __kmpc_omp_taskwait_deps_51 13
  fletcher_task_stub __kmpc_omp_wait_deps 14
)asm");

#endif
