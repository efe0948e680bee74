// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier-mismatch without a hang: the sequence of worksharing constructs and barriers is not the same for all members
// of a team (OpenMP 5.1, 2.11), but a runtime counts arrivals only, and nowait leaves nothing to wait for. What a
// runtime needs for itself (barrier_internal) is not the program's, and neither are the constructs of a league.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher::rules {

/// Thread-safe.
class ConstructMismatch {
public:
  ConstructMismatch(constructs::Execution& execution, Reporter& reporter)
      : execution_(execution), reporter_(reporter) {}

  /// Before the execution follows the event of `member`, which runs on `thread`.
  void barrier(access::ThreadState& thread, constructs::Task& member, const SyncBegin& event);
  void work(access::ThreadState& thread, constructs::Task& member, const Work& event);

private:
  void meets(access::ThreadState& thread, constructs::Task& member, constructs::Met what, Address pc);
  void report_nested(access::ThreadState& thread, constructs::Task& task, constructs::Met what, Address pc);
  void report(access::ThreadState& thread, constructs::Task& member, constructs::Meeting own,
              constructs::Meeting other);

  constructs::Execution& execution_;
  Reporter& reporter_;
};

} // namespace fletcher::rules
