// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constructs of the tasks that a group of races whose cause is a missing dependence is about, and words of their
// text.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// What a task does at the sites of the races.
struct Taker {
  bool writes = false;
  std::vector<SourcePlace> sites;
};

/// By the lines of the constructs.
struct TaskConstructs {
  const Code* code = nullptr;
  std::map<std::uint32_t, Taker> takers;
  std::map<std::uint32_t, DirectiveText> constructs;
};

/// Nothing where not all are deferred tasks, or one is more than the text tells.
std::optional<TaskConstructs> task_constructs(const Group& group, Codes& codes);

/// The names in a piece of code that stand for variables, as far as the text tells.
std::set<std::string> names_in(std::string_view text);
/// "a[i - 1][j]", or Fortran's "a(i-1,j)", where the name stands; empty where no index follows on the line.
std::string element_at(const Code& code, Position at, std::string_view name);

} // namespace fletcher::reports
