// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// data-race between iterations of one loop, which a simd construct lets run in the lanes of vectors at the same time.
// There is no second strand that clocks could compare: the compiler plugin found the dependence.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher {

/// Two accesses of a loop, of which the later one's iteration needs what the earlier one's did before.
struct LaneDependence {
  Address address = 0; ///< that the earlier access had in the first iteration; 0 where unknown
  std::uint32_t size = 0;
  std::uint64_t distance = 0; ///< in iterations
  Address earlier_pc = 0, later_pc = 0;
  bool earlier_writes = false, later_writes = false;
};

namespace rules {

/// Thread-safe.
class LaneRace {
public:
  LaneRace(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}
  /// The running task of `thread` executed such a loop, with more iterations than the distance.
  void met(access::ThreadState& thread, const LaneDependence& dependence);

private:
  constructs::Execution& execution_;
  Reporter& reporter_;
};

} // namespace rules
} // namespace fletcher
