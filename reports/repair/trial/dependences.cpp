// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which items of their depend clauses two siblings have in common: by name, by the element that both access, or by a
// depend object.
#include "reports/document/words.hpp"
#include "reports/repair/source/calls/accessed_argument.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/trial/trial.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

bool orders(const std::string& one, const std::string& other) {
  const auto reads = [](const std::string& type) { return type == "in"; };
  if (one.empty() || other.empty() || (reads(one) && reads(other))) return false;
  return one != "inoutset" || other != "inoutset";
}

/// The argument by which the task has handed over what is accessed, as an item names it or its first element.
bool is_argument(const std::string& item, const std::string& argument) {
  const std::string own = without_blanks(item);
  return own == argument || is_first_of(own, argument) || own == "*" + argument || "&" + own == argument;
}

std::string argument_of(const TrialSide& side, const Code& code) {
  return side.stack != nullptr && side.site != nullptr ? accessed_argument(*side.stack, *side.site, code)
                                                       : std::string();
}

/// Both tasks mean the same memory by the item: one that no iteration chooses, or the one that both access by that
/// text.
bool is_one_item(const std::string& item, const TrialPair& pair, const Code& code) {
  const auto bracket = item.find_first_of(code.is_c() ? "[" : "[(");
  const std::string_view index =
      bracket == std::string::npos ? std::string_view() : std::string_view(item).substr(bracket);
  const std::string first = argument_of(pair.sides[0], code), second = argument_of(pair.sides[1], code);
  if (!first.empty() && !second.empty()) return is_argument(item, first) && is_argument(item, second);
  if (names_in(index).empty()) return true;
  const std::string base = item.substr(0, bracket);
  for (const TrialSide& side : pair.sides) { // another element that stands there may be the one that was accessed
    const std::uint32_t line = side.at.front().front().line;
    for (const Position at : code.mentions(base, {{line, 0}, {line + 1, 0}}))
      if (without_blanks(element_at(code, at, base)) != without_blanks(item)) return false;
  }
  return std::ranges::all_of(pair.sides, [&](const TrialSide& side) {
    return std::ranges::any_of(side.at.front(), [&](const SourcePlace& place) {
      return place.file == code.file() &&
             without_blanks(code.line(place.line)).find(without_blanks(item)) != std::string::npos;
    });
  });
}

/// The items of a task's clauses; those of a depend object are where the file gives it its only ones.
struct Items {
  std::vector<std::pair<std::string, std::string>> types; ///< item and type
  bool by_unknown_object = false;

  std::string type_of(const std::string& item) const {
    for (const auto& [one, type] : types)
      if (without_blanks(one) == without_blanks(item)) return type;
    return {};
  }
};

std::optional<std::pair<std::string, std::string>> item_of_object(const std::string& object, const Code& code) {
  static const std::regex directive(R"(depobj\s*\(\s*(\w+)\s*\)\s*(update|depend\s*\(\s*(\w+)\s*:\s*(\w+)\s*\)))");
  std::optional<std::pair<std::string, std::string>> out;
  for (std::uint32_t line = 1; line <= code.lines(); ++line) {
    const std::string text(code.directive_line(line));
    std::smatch match;
    if (!std::regex_search(text, match, directive) || match[1] != object) continue;
    if (out || !match[3].matched) return std::nullopt;
    out.emplace(match[4].str(), match[3].str());
  }
  return out;
}

Items items_of(const DirectiveText& task, const Code& code) {
  Items out;
  for (const DependClause& clause : depend_clauses(task))
    for (const std::string& item : clause.items) {
      const auto of_object = clause.type == "depobj" ? item_of_object(item, code) : std::nullopt;
      if (of_object)
        out.types.push_back(*of_object);
      else if (clause.type == "depobj")
        out.by_unknown_object = true;
      else
        out.types.emplace_back(item, clause.type);
    }
  return out;
}

/// Of the children of the common task.
std::optional<std::pair<Items, Items>> items_of_both(const TrialPair& pair, const Change& change, Codes& codes) {
  const auto [i, j] = pair.common.value_or(std::pair<std::size_t, std::size_t>());
  if (i == 0 || j == 0) return std::nullopt;
  const auto one = line_of_task(pair.sides[0].tasks[i - 1].created, change, codes),
             other = line_of_task(pair.sides[1].tasks[j - 1].created, change, codes);
  const auto first = one ? change.directive_at(*one) : std::nullopt,
             second = other ? change.directive_at(*other) : std::nullopt;
  if (!first || !second) return std::nullopt;
  return std::pair(items_of(*first, change.code()), items_of(*second, change.code()));
}

/// What both name, not both to read.
std::vector<std::string> common_items(const std::pair<Items, Items>& items) {
  std::vector<std::string> out;
  for (const auto& [item, type] : items.first.types)
    if (orders(type, items.second.type_of(item))) out.push_back(item);
  return out;
}

/// The type by which the task names what it accesses at its site: each element of the variable that stands there is an
/// item. Of one that writes, that of the only item that it does not only read; empty where it leaves one out.
std::string type_of_access(const TrialSide& side, const Items& items, const std::string& base, const Code& code) {
  if (side.site == nullptr || side.site->place.file != code.file()) return {};
  if (side.stack != nullptr) {
    const std::string type = items.type_of(accessed_element(*side.stack, *side.site, code));
    if (!type.empty()) return type;
  }
  if (const std::string argument = argument_of(side, code); !argument.empty())
    for (const auto& [item, type] : items.types)
      if (is_argument(item, argument)) return type;
  const std::uint32_t line = side.site->place.line;
  std::string type;
  for (const Position at : code.mentions(base, {{line, 0}, {line + 1, 0}})) {
    const std::string element = element_at(code, at, base);
    std::string own = items.type_of(element);
    if (own.empty()) own = items.type_of(element + "[0]");
    if (element.empty() || own.empty()) return {};
    const bool changes = own != "in";
    if (is_write(side.site->type) && !changes) continue;
    if (is_write(side.site->type) && !type.empty() && type != own) return {};
    type = own;
  }
  return type;
}

/// The two accessed one place, which each names as the element that stands where it did.
bool name_their_elements(const TrialPair& pair, const std::pair<Items, Items>& items, const Code& code) {
  std::string base = pair.finding.variable;
  if (!is_identifier(base) && !items.first.types.empty()) base = items.first.types.front().first;
  base = base.substr(0, base.find_first_of("[("));
  if (!is_identifier(base)) return false;
  return orders(type_of_access(pair.sides[0], items.first, base, code),
                type_of_access(pair.sides[1], items.second, base, code));
}

} // namespace

bool have_ordering_item(const TrialPair& pair, const Change& change, Codes& codes) {
  const auto items = items_of_both(pair, change, codes);
  if (!items) return false;
  return name_their_elements(pair, *items, change.code()) ||
         std::ranges::any_of(common_items(*items),
                             [&](const std::string& item) { return is_one_item(item, pair, change.code()); });
}

bool may_have_ordering_item(const TrialPair& pair, const Change& change, Codes& codes) {
  const auto items = items_of_both(pair, change, codes);
  return items && (items->first.by_unknown_object || items->second.by_unknown_object || !common_items(*items).empty());
}

} // namespace fletcher::reports
