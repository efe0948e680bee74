// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detachable tasks: the end of one is the later of its body's end and the fulfilling strand.
#include "checker/constructs/execution.hpp"

#include <optional>
#include <utility>

namespace fletcher::constructs {

void Execution::fulfill(const TaskFulfill& e) {
  access::ThreadState& t = thread(e.thread);
  Task* detached = task(e.task);
  if (detached == nullptr) return;
  order::Knowledge knowledge;
  if (t.task != nullptr) {
    knowledge = released(*t.task);
    close_strand(t);
  }
  bool complete_now = false;
  {
    const memory::SpinGuard guard(detached->lock);
    if (is_fulfilled(*detached)) return;
    fulfilments_.add(e.task, std::move(knowledge));
    complete_now = detached->body_ended;
  }
  if (complete_now) complete(t, *detached);
}

bool Execution::is_fulfilled(const Task& task) const { return fulfilments_.any() && fulfilments_.has(task.id); }

void Execution::take_fulfiller(Task& task) {
  std::optional<order::Knowledge> known = fulfilments_.take(task.id);
  if (!known) return;
  task.now().known.join(*known);
  task.learn();
}

} // namespace fletcher::constructs
