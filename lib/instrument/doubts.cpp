// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler plugin (lib/pass/doubts/doubts) found out about sections of locks.

#include "checker/access/thread_state.hpp"
#include "lib/tool/session.hpp"

#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

/// Around the call that takes a lock whose section only brings variables up to date by their own values.
void __fletcher_only_updates(std::int32_t begins) {
  if (fletcher::access::ThreadState* const thread = fletcher::tool::thread_state()) thread->only_updates = begins != 0;
}
/// The same where nobody looks at these variables in a region.
void __fletcher_only_counts(std::int32_t begins) {
  fletcher::access::ThreadState* const thread = fletcher::tool::thread_state();
  if (thread != nullptr) thread->only_updates = thread->only_counts = begins != 0;
}
/// Around the call that takes a lock whose section keeps what it learns, except for what it writes in memory.
void __fletcher_keeps_inside(std::int32_t begins) {
  if (fletcher::access::ThreadState* const thread = fletcher::tool::thread_state()) thread->keeps_inside = begins != 0;
}

} // extern "C"
#pragma GCC visibility pop
