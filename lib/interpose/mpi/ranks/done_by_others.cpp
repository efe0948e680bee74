// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/ranks/done_by_others.hpp"

#include "lib/interpose/mpi/executors.hpp"
#include "lib/interpose/mpi/operations.hpp"

#include "checker/access/check.hpp"
#include "checker/checker.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/tool/serials.hpp"

#include <unordered_map>

namespace fletcher::interpose::mpi::operations {

namespace {

/// An operation that has not ended keeps the moment.
struct Mark {
  access::ThreadState* thread = nullptr;
  TaskId task = TaskId::none;
};

struct OfOthers {
  memory::SpinLock lock;
  std::unordered_map<Address, Mark> marks;
  std::unordered_map<Address, std::string> functions;
};
OfOthers& of_others() {
  static auto* const the = new OfOthers; // never destroyed
  return *the;
}

} // namespace

void mark(const Call& call, Address since) {
  if (call.thread().task == nullptr) return;
  Listener& listener = tool::session()->listener();
  access::ThreadState& thread = take_thread(*call.thread().checker);
  InitialTaskBegin waits{thread.id, tool::next_task_id(), TaskKind::operation};
  waits.creator = call.thread().id;
  waits.pc = call.pc() - 1;
  listener.on(waits);
  listener.on(Release{call.thread().id, since});
  OfOthers& all = of_others();
  const memory::SpinGuard guard(all.lock);
  all.marks[since] = {&thread, waits.task};
}

void forget_mark(Address since) {
  const tool::InsideTool inside;
  OfOthers& all = of_others();
  Mark mark;
  {
    const memory::SpinGuard guard(all.lock);
    const auto found = all.marks.find(since);
    if (found == all.marks.end()) return;
    mark = found->second;
    all.marks.erase(found);
  }
  tool::session()->listener().on(InitialTaskEnd{mark.thread->id, mark.task});
  give_back(*mark.thread);
}

void done_by_another(const Call& call, Address since, Address pc, const char* function, Address begin, std::size_t size,
                     access::Kind kind) {
  tell_completion(pc, call.pc());
  {
    OfOthers& all = of_others();
    const memory::SpinGuard guard(all.lock);
    all.functions.try_emplace(pc, function);
  }
  if (call.thread().task == nullptr) return;
  const std::uint32_t slot = take_slot();
  if (slot == no_slot) return;
  Listener& listener = tool::session()->listener();
  {
    const Executor executor(*call.thread().checker);
    access::ThreadState& thread = executor.thread();
    const TaskId task = tool::next_task_id();
    InitialTaskBegin operation{thread.id, task, TaskKind::operation};
    operation.pc = pc - 1;
    thread.stack = call.thread().stack;
    listener.on(operation);
    listener.on(Acquire{thread.id, since});
    access::check_whole(thread, begin, size, kind, pc - 1);
    listener.on(Release{thread.id, end_of(slot), true});
    listener.on(InitialTaskEnd{thread.id, task});
  }
  listener.on(Acquire{tool::where().thread, end_of(slot)});
  give_back(slot);
}

std::string function_of_another(Address pc) {
  OfOthers& all = of_others();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.functions.find(pc);
  return found == all.functions.end() ? std::string() : found->second;
}

} // namespace fletcher::interpose::mpi::operations
