// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpi-usage: a call of MPI that the standard does not allow, whichever thread makes it. Who knows MPI
// (lib/interpose/mpi) notices the mistake; here it becomes a finding.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <string>

namespace fletcher {

struct MpiMistake {
  Address pc = 0;           ///< where the call goes on
  std::string message;      ///< "{task}" stands for the caller
  std::string fix = {};     ///< empty where none is plain
  Address earlier = 0;      ///< where another call goes on that it has to do with; 0: none
  std::string meaning = {}; ///< of that other call
};

namespace rules {

/// Thread-safe.
class MpiUsage {
public:
  MpiUsage(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}
  /// The running task of `thread` makes the call.
  void mistaken(access::ThreadState& thread, const MpiMistake& mistake);

private:
  constructs::Execution& execution_;
  Reporter& reporter_;
};

} // namespace rules
} // namespace fletcher
