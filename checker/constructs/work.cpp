// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing constructs: they order nothing by themselves, but a report that knows which construct an access belongs
// to can name the missing barrier.
#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

void Execution::work(const Work& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr || e.kind == WorkKind::single_other || e.kind == WorkKind::taskloop) return;
  Rare& rare = t.task->rare();
  if (e.begin && e.kind <= WorkKind::loop_other) ++rare.loops;
  t.task->work = {e.begin ? place(t, e.pc) : ContextId::none, ++rare.works};
  close_block(t, *t.task);
}

} // namespace fletcher::constructs
