// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The depend clauses of a directive as lists of items.
#pragma once

#include "reports/repair/source/directives/directive_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// "depend(in: x, y)" as type and items.
struct DependClause {
  std::string type;
  std::vector<std::string> items;
};

/// Nothing for other clauses, and for those with an iterator.
std::optional<DependClause> read_depend(const Clause& clause);
std::vector<DependClause> depend_clauses(const DirectiveText& directive);
std::string depend(const std::string& type, const std::string& item);

/// The type by which a construct names an item; empty where it does not.
std::string type_of(const DirectiveText& directive, const std::string& item);

/// The item is the first element of what the other text names, or a section from there on: "t[0:n]" of "t". Both
/// without blanks.
bool is_first_of(std::string_view item, std::string_view whole);

} // namespace fletcher::reports
