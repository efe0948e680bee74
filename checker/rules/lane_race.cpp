// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/lane_race.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>
#include <string>

namespace fletcher::rules {

void LaneRace::met(access::ThreadState& thread, const LaneDependence& dependence) {
  if (thread.task == nullptr) return;
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  const auto side = [&](Address pc, bool writes) {
    return describe(execution_, thread, execution_.place(thread, pc), writes ? access::Kind::write : access::Kind::read,
                    {dependence.address, dependence.address + dependence.size});
  };
  const Address a = dependence.earlier_pc, b = dependence.later_pc;
  reporter_.report({Rule::data_race, std::min(a, b), std::max(a, b)}, [&] {
    Finding f;
    f.rule = Rule::data_race;
    f.severity = Severity::error;
    f.cause = Cause::simd_lanes;
    f.distance = dependence.distance;
    f.accesses = {side(b, dependence.later_writes), side(a, dependence.earlier_writes)};
    f.object = describe_stack(execution_, dependence.address);
    return f;
  });
}

} // namespace fletcher::rules
