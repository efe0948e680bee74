// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules as a reader meets them: identifier, name, what is wrong, why, what to change. docs/rules has a page for
// each identifier.
#pragma once

#include "checker/finding.hpp"

#include <span>
#include <string_view>

namespace fletcher::reports {

struct RuleText {
  Rule rule;
  std::string_view id;      ///< "data-race"
  std::string_view name;    ///< "DataRace"
  std::string_view title;   ///< "data race": how a diagnostic begins
  std::string_view summary; ///< one sentence
  std::string_view details; ///< what is wrong and why
  std::string_view remedy;  ///< what to change
  Severity level = Severity::error;
};

/// All rules, in the order of the enumeration.
std::span<const RuleText> rule_catalogue() noexcept;
const RuleText& rule_text(Rule rule) noexcept;

} // namespace fletcher::reports
