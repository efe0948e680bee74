// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/locks/locks_in_turn.hpp"

#include "reports/repair/source/calls/lock_call.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// Where two indices differ that are all that two texts differ in.
std::optional<std::pair<std::string, std::string>> other_index(std::string_view a, std::string_view b) {
  static const std::regex element(R"(^([^\[\]]*\[\s*)(\w+)(\s*\][^\[\]]*)$)");
  std::match_results<std::string_view::const_iterator> first, second;
  if (!std::regex_match(a.begin(), a.end(), first, element) || !std::regex_match(b.begin(), b.end(), second, element) ||
      first[1].str() != second[1].str() || first[3].str() != second[3].str() || first[2] == second[2])
    return std::nullopt;
  const std::string x = first[2].str(), y = second[2].str();
  return is_identifier(x) && is_identifier(y) ? std::optional(std::pair(x, y)) : std::nullopt;
}

/// Two locks of one array, set by one function in the order of what it is called with: the smaller index comes first.
std::optional<Repair> by_index(const Diagnostic& leader, const Code& code) {
  const auto lines = lines_of_steps(leader);
  if (!lines || lines->size() != 2 || !code.is_c()) return std::nullopt;
  const std::uint32_t line = *lines->begin(), below = *lines->rbegin();
  const std::string_view first = trimmed(code.line(line)), second = trimmed(code.line(below));
  const auto indices = other_index(first, second);
  if (!indices || first.find("set_lock") == std::string_view::npos || below != line + 1 ||
      !begins_a_statement(code, line) || trimmed(code.line(line - 1)).ends_with(')'))
    return std::nullopt;
  const auto& [x, y] = *indices;
  const auto with = [&](std::uint32_t number, const std::string& index, const std::string& condition) {
    std::string text(code.original(number));
    const auto at = text.find('[' + index + ']');
    if (at != std::string::npos) text.replace(at + 1, index.size(), condition);
    return Edit{{code.file(), number, 1}, std::move(text), true};
  };
  const std::string smaller = x + " < " + y + " ? ";
  Repair out{"take the lock with the smaller index first: all tasks then take the locks in the same order",
             {with(line, x, smaller + x + " : " + y), with(below, y, smaller + y + " : " + x)}};
  const bool changed =
      std::ranges::all_of(out.edits, [&](const Edit& edit) { return edit.text.find(smaller) != std::string::npos; });
  return changed ? std::optional(out) : std::nullopt;
}

/// Statements that set two locks, one right behind the other, in one function, by the words for the locks.
struct InTurn {
  std::uint32_t line = 0; ///< of the first one
  std::string function, first, second;

  Repair with(const Code& code, const std::string& sentence, const std::string& one, const std::string& other) const {
    const auto call = [&](std::uint32_t at, const std::string& lock) {
      const std::string_view own = code.original(at);
      return Edit{{code.file(), at, 1},
                  std::string(own.substr(0, own.find_first_not_of(" \t"))) + function + "(" + lock + ");",
                  true};
    };
    return {sentence, {call(line, one), call(line + 1, other)}};
  }
};

std::optional<InTurn> set_in_turn(const Diagnostic& leader, const Code& code) {
  const auto lines = lines_of_steps(leader);
  if (!lines || lines->size() != 2 || !code.is_c() || *lines->rbegin() != *lines->begin() + 1) return std::nullopt;
  const std::uint32_t line = *lines->begin();
  static const std::regex call(R"(^\s*(\w+)\s*\(\s*([^();]*[^();\s])\s*\)\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> first, second;
  const std::string_view own = code.line(line), next = code.line(line + 1);
  if (!std::regex_match(own.begin(), own.end(), first, call) ||
      !std::regex_match(next.begin(), next.end(), second, call) || first[1].str() != second[1].str() ||
      undone_by(first[1].str()).empty() || !begins_a_statement(code, line) ||
      trimmed(code.line(line - 1)).ends_with(')'))
    return std::nullopt;
  return InTurn{line, first[1].str(), first[2].str(), second[2].str()};
}

/// Two locks in elements of one array, by pointers to the elements: the one that comes first in memory is set first.
std::optional<Repair> by_address(const Diagnostic& leader, const Code& code) {
  static const std::regex member(R"(^&\s*(\w+)(\s*->\s*\w+)$)");
  const auto both = set_in_turn(leader, code);
  std::smatch a, b;
  if (!both || !std::regex_match(both->first, a, member) || !std::regex_match(both->second, b, member) ||
      without_blanks(a[2].str()) != without_blanks(b[2].str()) || a[1].str() == b[1].str())
    return std::nullopt;
  const std::string smaller = a[1].str() + " < " + b[1].str() + " ? ";
  return both->with(code,
                    "take the lock of the element that comes first in the array first: all tasks then take the locks "
                    "in the same order",
                    smaller + both->first + " : " + both->second, smaller + both->second + " : " + both->first);
}

/// A condition chooses which of two locks is set first: it is always the same one.
std::optional<Repair> without_choice(const Diagnostic& leader, const Code& code) {
  static const std::regex choice(R"(^(\w+)\s*\?\s*([^?:]*[^?:\s])\s*:\s*([^?:]*[^?:\s])$)");
  const auto both = set_in_turn(leader, code);
  std::smatch a, b;
  if (!both || !std::regex_match(both->first, a, choice) || !std::regex_match(both->second, b, choice) ||
      a[1].str() != b[1].str() || a[2].str() != b[3].str() || a[3].str() != b[2].str())
    return std::nullopt;
  return both->with(code, "take the two locks in the same order, whatever the condition is", a[2].str(), a[3].str());
}

/// Two guards of C++ in one block: one guard takes both mutexes, in whatever order others take them.
std::optional<Repair> by_one_guard(const Diagnostic& leader, const Code& code) {
  static const std::regex guard(
      R"(^\s*(?:const\s+)?std::(?:lock_guard|scoped_lock)\s*(?:<[^;()]*>)?\s+(\w+)\s*(?:\([^(),;]+\)|\{[^{},;]+\})\s*;\s*$)");
  const auto lines = lines_of_steps(leader);
  if (!lines || lines->size() != 2 || *lines->rbegin() != *lines->begin() + 1) return std::nullopt;
  const std::uint32_t line = *lines->begin();
  const std::string_view own = code.line(line), next = code.line(line + 1);
  std::match_results<std::string_view::const_iterator> first, second;
  if (!std::regex_match(own.begin(), own.end(), first, guard) ||
      !std::regex_match(next.begin(), next.end(), second, guard) || !begins_a_statement(code, line))
    return std::nullopt;
  const auto function = code.function_around(line);
  if (!function || code.mentions(second[1].str(), *function).size() != 1) return std::nullopt;
  const std::string mutexes = "(" + guarded_mutex(own) + ", " + guarded_mutex(next) + ")";
  const std::string_view original = code.original(line);
  const std::string indent(original.substr(0, original.find_first_not_of(" \t")));
  return Repair{"take both mutexes by one 'std::scoped_lock': it never waits for one of them while it holds the other",
                {{{code.file(), line, 1}, indent + "std::scoped_lock " + first[1].str() + mutexes + ";", true},
                 {{code.file(), line + 1, 1}, "", true}}};
}

} // namespace

std::optional<std::set<std::uint32_t>> lines_of_steps(const Diagnostic& leader) {
  std::set<std::uint32_t> lines{leader.place.line};
  for (const Note& note : leader.notes) {
    if (note.kind != Note::Kind::step) continue;
    if (note.place.file != leader.place.file) return std::nullopt;
    lines.insert(note.place.line);
  }
  return lines;
}

std::optional<Repair> repair_locks_in_turn(const Diagnostic& leader, Codes& codes) {
  if (!leader.place.known()) return std::nullopt;
  const Code& code = codes.of(leader.place.file);
  if (auto found = by_index(leader, code)) return found;
  if (auto found = by_address(leader, code)) return found;
  if (auto found = without_choice(leader, code)) return found;
  return by_one_guard(leader, code);
}

} // namespace fletcher::reports
