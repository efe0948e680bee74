// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/observe.hpp"

namespace fletcher::interpose::detail {

bool is_runtime(Address pc) noexcept { return modules::is_runtime(pc); }
bool is_instrumented(Address pc) noexcept { return modules::is_instrumented(pc); }

bool tells_order(Address pc) noexcept {
  if (tool::InsideTool::here()) return false;
  const access::ThreadState* const thread = tool::thread_state();
  if (thread != nullptr) return !thread->in_checker && !is_runtime(pc);
  const tool::Session* const session = tool::session();
  return session != nullptr && session->level() == tool::Level::graph && !is_runtime(pc);
}

} // namespace fletcher::interpose::detail
