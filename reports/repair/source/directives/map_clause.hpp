// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map clauses as they stand in directives: which items they have, of which type, and the edits that change one of them.
#pragma once

#include "reports/repair/source/directives/directive_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

struct MapClause {
  std::string modifiers; ///< with a comma behind each: "always, "
  std::string type;      ///< "tofrom" where none stands there
  std::vector<std::string> items;

  /// The item of a variable: "a[0:n]" of 'a'; empty for none.
  std::string item_of(std::string_view variable) const;
};

std::optional<MapClause> read_map(const Clause& clause);

/// A directive of the target family that maps a variable.
struct Mapping {
  DirectiveText directive;
  std::size_t clause = 0; ///< of the directive's clauses
  MapClause map;
  std::string item;

  bool is(std::string_view word) const { return directive.is(word) || directive.clause(word) != nullptr; }
  /// The clause with another type for the item, or with another item.
  std::optional<Edit> with_type(const Code& code, const std::string& type) const;
  std::optional<Edit> with_item(const Code& code, const std::string& other) const;
};

/// In the order of their lines.
std::vector<Mapping> mappings_of(std::string_view variable, const Extent& in, const Code& code);

/// How many elements the memory of a pointer or an array has, as the text of its allocation or declaration says it.
std::string elements_of(std::string_view variable, const Extent& in, const Code& code);

/// The same as the loops of a construct's body use it: `n` of a variable whose every mention there is an element by the
/// index of a loop from 0 to below n; empty where one is not.
std::string elements_used(std::string_view variable, const Extent& body, const Code& code);

} // namespace fletcher::reports
