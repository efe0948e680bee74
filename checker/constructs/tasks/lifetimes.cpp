// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that ends its life takes its recorded accesses with it, so that they never meet the next owner of the address;
// and what the runtime itself does with the program's memory is nobody's access.
#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

void Execution::begin_memory(const MemoryBegin& e) {
  if (races_ == nullptr) return;
  if (e.kind == MemoryKind::runtime) return races_->ignore(e.address, e.size);
  if (e.kind == MemoryKind::copy) return races_->use_as_copy(e.address, e.size);
  // Allocators hand out whole granules: what is left of an old owner in the last one is forgotten, too.
  const std::size_t size = e.kind == MemoryKind::heap ? (e.size + 7) & ~std::size_t{7} : e.size;
  thread(e.thread).told_ranges.forget();
  races_->shadow().clear(e.address, size);
}

void Execution::end_memory(const MemoryEnd& e) {
  if (races_ == nullptr) return;
  access::ThreadState& t = thread(e.thread);
  t.own = {};
  t.told_ranges.forget();
  races_->end_of_life(t, e.address, e.size, e.kind, e.pc);
}

// Its stack and its thread-local storage are the next thread's.
void Execution::end_thread(const ThreadEnd& e) {
  access::ThreadState& t = thread(e.thread);
  forget_stack(t, t.stack_high);
  if (races_ != nullptr) races_->shadow().clear(t.tls_low, t.tls_high - t.tls_low);
  t.stack_low = t.stack_high = t.tls_low = t.tls_high = 0;
}

void Execution::reduction(const Reduction& e) {
  access::ThreadState& t = thread(e.thread);
  e.begin ? t.switch_off() : t.switch_on();
}

} // namespace fletcher::constructs
