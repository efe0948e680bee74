// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// data-race: two accesses that nothing orders. Says why (the cause) and what would order them (the fix), from where the
// two tasks stand in the tree of tasks and in their worksharing constructs.
#pragma once

#include "checker/access/race_check.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher::rules {

class DataRace final : public access::RaceListener {
public:
  DataRace(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}
  access::Repeats race(const access::Race& race) override;

private:
  Finding describe_race(const access::Race& race);
  void explain(const access::Race& race, Finding& finding);
  void explain_order(const access::Race& race, Finding& finding);
  void explain_team(const access::Race& race, Finding& finding);
  void explain_tasks(const access::Race& race, Finding& finding);
  void explain_relatives(order::RecordId later, order::RecordId earlier, Finding& finding);

  constructs::Execution& execution_;
  Reporter& reporter_;
};

} // namespace fletcher::rules
