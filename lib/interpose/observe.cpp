// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/observe.hpp"

#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::detail {

bool is_runtime(Address pc) noexcept { return modules::is_runtime(pc) || modules::libraries.contains(pc); }
bool is_instrumented(Address pc) noexcept { return modules::is_instrumented(pc); }

bool tells_order(Address pc, bool sanitizer_sees) noexcept {
  // The lock that a Fortran statement for output holds is not the program's: no standard promises what it excludes.
  // Nor are those of an MPI library, and of what goes through the frames for each exception that is thrown.
  if (tool::InsideTool::here() || is_runtime(pc) || modules::fortran.contains(pc) || modules::unwinder.contains(pc) ||
      mpi::in_library())
    return false;
  const access::ThreadState* thread = tool::thread_state();
  if (thread == nullptr) thread = earlier_threads::meet();
  if (thread != nullptr) return !thread->in_checker;
  const tool::Session* const session = tool::session();
  return session != nullptr &&
         (session->level() == tool::Level::graph || (session->level() == tool::Level::tsan && !sanitizer_sees));
}

} // namespace fletcher::interpose::detail
