// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// data-race: two accesses that nothing orders. Says why (the cause) and what would order them (the fix), from where the
// two tasks stand in the tree of tasks and in their worksharing constructs.
#pragma once

#include "checker/access/memory_map.hpp"
#include "checker/access/race_check.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/rules/mapping_bug.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>

namespace fletcher::rules {

class DataRace final : public access::RaceListener {
public:
  /// `memory`: null, but where the accesses of library functions are all that is reported.
  DataRace(constructs::Execution& execution, Reporter& reporter, MappingBug& mappings, const access::MemoryMap* memory)
      : execution_(execution), reporter_(reporter), mappings_(mappings), memory_(memory) {}
  access::Repeats race(const access::Race& race) override;
  /// The program orders by hand.
  void meet_flush() noexcept { flushed_.store(true, std::memory_order_relaxed); }

private:
  bool is_certain(const access::Race& race) const;
  Finding describe_race(const access::Race& race);
  void explain(const access::Race& race, Finding& finding);
  void explain_order(const access::Race& race, Finding& finding);
  void explain_team(const access::Race& race, Finding& finding);
  void explain_tasks(const access::Race& race, Finding& finding);
  void explain_cousins(order::RecordId later, order::RecordId earlier, Finding& finding);
  void explain_relatives(order::RecordId later, order::RecordId earlier, Finding& finding);

  constructs::Execution& execution_;
  Reporter& reporter_;
  MappingBug& mappings_;
  const access::MemoryMap* memory_;
  std::atomic<bool> flushed_{false};
};

} // namespace fletcher::rules
