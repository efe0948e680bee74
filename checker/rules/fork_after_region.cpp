// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/fork_after_region.hpp"

#include <utility>

namespace fletcher::rules {

// Inner regions get threads of their own, and lose them at their ends.
void ForkAfterRegion::encounters(access::ThreadState& thread, const ParallelBegin& e) {
  OfThread* const own = of(e.thread);
  if (own == nullptr) return;
  const bool outermost = thread.task != nullptr && thread.task->team() == nullptr && thread.task->parent() == nullptr;
  own->encountered = e.gomp && !e.league && outermost ? execution_.place(thread, e.pc) : ContextId::none;
}

void ForkAfterRegion::begins(const ImplicitTaskBegin& e) {
  OfThread* const own = of(e.thread);
  if (own == nullptr) return;
  const ContextId here = std::exchange(own->encountered, ContextId::none);
  if (here == ContextId::none || e.size < 2) return;
  own->begun = here;
  const ContextId before = std::exchange(own->before_fork, ContextId::none);
  if (before == ContextId::none) return;
  const access::CallTree& calls = execution_.calls();
  reporter_.report({Rule::fork_after_region, calls.pc(here), calls.pc(before)}, [&] {
    Finding f;
    f.rule = Rule::fork_after_region;
    f.severity = Severity::warning;
    f.message = "a parallel region in a child of fork, after the parent ran one on the same thread: it works here, on "
                "LLVM's runtime, but hangs on gcc's libgomp, which waits for threads that the child does not have";
    f.steps.push_back({"", calls.stack(here)});
    f.steps.push_back({"the region before the fork is here", calls.stack(before)});
    return f;
  });
}

void ForkAfterRegion::forked(ThreadId thread) {
  if (OfThread* const own = of(thread))
    if (const ContextId last = std::exchange(own->begun, ContextId::none); last != ContextId::none)
      own->before_fork = last;
}

void ForkAfterRegion::released(ThreadId thread) {
  if (OfThread* const own = of(thread)) own->begun = ContextId::none;
}

} // namespace fletcher::rules
