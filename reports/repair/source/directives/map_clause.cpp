// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/map_clause.hpp"

#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <map>
#include <regex>

namespace fletcher::reports {
namespace {

/// The parts between separators that are in no parentheses or brackets.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != separator || (depth != 0 && i < text.size())) continue;
    out.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& one : items) out += (out.empty() ? "" : ", ") + one;
  return out;
}

/// Inside of the parentheses that open at a place of the text; empty where they do not close.
std::string_view inside(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

/// "n" of "malloc(n * sizeof *a)", "calloc(n, 8)" and "new double[n]".
std::string allocated(std::string_view value) {
  if (const auto at = value.find("malloc"); at != std::string_view::npos && value.find('(', at) == at + 6) {
    std::vector<std::string> factors = split(inside(value, at + 6), '*');
    // The star of "sizeof *a" separates, too.
    for (std::size_t i = 0; i + 1 < factors.size(); ++i)
      if (factors[i] == "sizeof") factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const auto size_at =
        std::ranges::find_if(factors, [](const std::string& one) { return one.starts_with("sizeof"); });
    if (size_at == factors.end() || factors.size() < 2) return {};
    factors.erase(size_at);
    std::string out;
    for (const std::string& one : factors) out += (out.empty() ? "" : " * ") + one;
    return out;
  }
  if (const auto at = value.find("calloc"); at != std::string_view::npos && value.find('(', at) == at + 6) {
    const std::vector<std::string> parts = split(inside(value, at + 6), ',');
    return parts.size() == 2 ? parts.front() : std::string();
  }
  if (first_word(value) == "new")
    if (const auto open = value.find('['); open != std::string_view::npos) return std::string(inside(value, open));
  return {};
}

/// One more than the largest value of an index: a number, `i`, `i - 1`, `i * n + j` where j ends at n. Empty: another.
std::string end_of(const std::string& index, const std::map<std::string, std::string>& ends) {
  static const std::regex number(R"(^\d{1,4}$)"), shifted(R"(^(\w+)-\d+$)"), row(R"(^(\w+)\*(\w+)\+(\w+)$)");
  std::smatch match;
  if (std::regex_match(index, number)) return std::to_string(std::stoi(index) + 1);
  const auto end = [&](const std::string& name) {
    const auto known = ends.find(name);
    return known == ends.end() ? std::string() : known->second;
  };
  if (std::regex_match(index, match, shifted)) return end(match[1].str());
  if (std::regex_match(index, match, row))
    return end(match[3].str()) == match[2].str() && !end(match[1].str()).empty()
               ? end(match[1].str()) + " * " + match[2].str()
               : std::string();
  return end(index);
}

} // namespace

std::string MapClause::item_of(std::string_view variable) const {
  for (const std::string& item : items)
    if (first_word(item) == variable && item.find('.') == std::string::npos && item.find("->") == std::string::npos)
      return item;
  return {};
}

std::optional<MapClause> read_map(const Clause& clause) {
  if (clause.name != "map") return std::nullopt;
  MapClause out;
  const std::vector<std::string> sides = split(clause.arguments, ':');
  if (sides.size() > 2 || sides.back().find("mapper") != std::string::npos) return std::nullopt;
  out.items = split(sides.back(), ',');
  out.type = "tofrom";
  if (sides.size() == 2) {
    std::vector<std::string> words = split(sides.front(), ',');
    out.type = words.back();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) out.modifiers += words[i] + ", ";
  }
  return out;
}

std::optional<Edit> Mapping::with_type(const Code& code, const std::string& type) const {
  std::vector<std::string> others;
  for (const std::string& one : map.items)
    if (one != item) others.push_back(one);
  std::string by = others.empty() ? "" : "map(" + map.modifiers + map.type + ": " + joined(others) + ") ";
  by += "map(" + map.modifiers + type + ": " + item + ")";
  return directive.with_replaced(code, directive.clauses()[clause], by);
}

std::optional<Edit> Mapping::with_item(const Code& code, const std::string& other) const {
  std::vector<std::string> items = map.items;
  std::ranges::replace(items, item, other);
  return directive.with_replaced(code, directive.clauses()[clause],
                                 "map(" + map.modifiers + map.type + ": " + joined(items) + ")");
}

std::vector<Mapping> mappings_of(std::string_view variable, const Extent& in, const Code& code) {
  std::vector<Mapping> out;
  for (std::uint32_t line = in.begin.line; line <= in.end.line; ++line) {
    const auto directive = DirectiveText::at(code, line);
    if (!directive || !directive->is("target") || directive->is("declare")) continue;
    for (std::size_t i = 0; i < directive->clauses().size(); ++i) {
      const auto map = read_map(directive->clauses()[i]);
      if (const std::string item = map ? map->item_of(variable) : std::string(); !item.empty())
        out.push_back({*directive, i, *map, item});
    }
  }
  return out;
}

std::string elements_of(std::string_view variable, const Extent& in, const Code& code) {
  std::string found;
  for (const Position at : code.mentions(variable, in)) {
    const std::string_view line = code.line(at.line);
    const std::string_view before = trimmed(line.substr(0, at.column)),
                           behind = trimmed(line.substr(at.column + variable.size()));
    std::string own;
    const bool declares = !before.empty() && is_word(before.back()) && first_word(before) != "return" &&
                          before.find_first_of("=(") == std::string_view::npos;
    if (declares && behind.starts_with('[')) {
      own = inside(behind, 0);
      if (behind.find("][") != std::string_view::npos) return {};
    } else if (behind.starts_with('=') && !behind.starts_with("==")) {
      std::string_view value = trimmed(behind.substr(1));
      if (value.starts_with('(')) value = trimmed(value.substr(inside(value, 0).size() + 2)); // a cast
      own = allocated(value);
      if (own.empty() && (declares || before.ends_with('*') || before.empty())) return {}; // it is set otherwise
    }
    if (own.empty()) continue;
    if (!found.empty()) return {};
    found = own;
  }
  return found;
}

std::string elements_used(std::string_view variable, const Extent& body, const Code& code) {
  static const std::regex head(
      R"(for\s*\(\s*(?:int|long|size_t|unsigned|auto)?\s*(\w+)\s*=\s*\w+\s*;\s*(\w+)\s*<\s*([\w\s*]+);\s*(?:\+\+\s*\w+|\w+\s*\+\+)\s*\))");
  std::map<std::string, std::string> ends; ///< by the loop's variable
  for (std::uint32_t line = body.begin.line; line <= body.end.line; ++line) {
    const std::string text(code.line(line));
    for (std::sregex_iterator loop(text.begin(), text.end(), head), none; loop != none; ++loop) {
      if ((*loop)[1] != (*loop)[2]) continue;
      const std::string end(trimmed((*loop)[3].str()));
      const auto [known, fresh] = ends.try_emplace((*loop)[1].str(), end);
      if (!fresh && known->second != end) return {};
    }
  }
  std::string found;
  for (const Position at : code.mentions(variable, body)) {
    const std::string_view behind = code.line(at.line).substr(at.column + variable.size());
    const std::string end =
        end_of(without_blanks(behind.starts_with('[') ? inside(behind, 0) : std::string_view()), ends);
    if (end.empty() || (!found.empty() && found != end)) return {};
    found = end;
  }
  // Nothing of the bound may change in there.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string_view word = first_word(std::string_view(found).substr(i));
    if (word.empty()) continue;
    for (const Position at : code.mentions(word, body))
      if (is_changed_at(code, at, word)) return {};
    i += word.size() - 1;
  }
  return found;
}

} // namespace fletcher::reports
