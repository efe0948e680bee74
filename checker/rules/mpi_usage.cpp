// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/mpi_usage.hpp"

#include "checker/constructs/strand.hpp"
#include "checker/rules/describe.hpp"

namespace fletcher::rules {

void MpiUsage::mistaken(access::ThreadState& thread, const MpiMistake& mistake) {
  if (thread.task == nullptr) return;
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mpi_threads, mistake.pc, mistake.earlier}, [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = Severity::error;
    f.message = mistake.message;
    f.fix = mistake.fix;
    f.steps.push_back({.message = "",
                       .stack = execution_.calls().stack(execution_.place(thread, mistake.pc - 1)),
                       .tasks = lineage(execution_, execution_.tables().block_of(thread.strand()).task)});
    if (mistake.earlier != 0) f.steps.push_back({.message = mistake.meaning, .stack = {mistake.earlier - 1}});
    return f;
  });
}

} // namespace fletcher::rules
