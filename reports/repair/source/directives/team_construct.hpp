// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier or worksharing construct, and the condition around it that lets only a part of the team come to it.
#pragma once

#include "reports/repair/source/directives/directive_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// A construct of the whole team, with its statement where it has one.
struct TeamConstruct {
  DirectiveText directive;
  Extent extent; ///< from the directive's line on
};
std::optional<TeamConstruct> team_construct_at(std::uint32_t line, const Code& code);
bool has_team_construct(const Extent& in, const Code& code);
/// The block has the construct, and nothing else.
bool is_all_of(const Extent& block, const TeamConstruct& construct, const Code& code);

/// Where one of the team has come to, or waits.
struct Arrival {
  SourcePlace place;
  const std::vector<Frame>* stack;
};
/// The diagnostic's own place, and those of its steps.
std::vector<Arrival> arrivals_of(const Diagnostic& diagnostic);

/// `if (condition) {` alone on its line: where the condition's parentheses stand.
struct Head {
  std::uint32_t line = 0;
  std::size_t word = 0, open = 0, close = 0;
  std::string condition; ///< with its parentheses
};
std::optional<Head> head_of(const Extent& block, const Code& code);
/// The block of an else that stands behind the end of another block, on its line.
std::optional<Extent> else_of(const Extent& block, const Code& code);
bool has_else(const Extent& block, const Code& code);
/// A condition that computes nothing but whether.
bool is_pure(std::string_view condition);

/// A line with a part of it replaced.
Edit with_part(const Code& code, std::uint32_t line, std::size_t begin, std::size_t end, const std::string& by);

} // namespace fletcher::reports
