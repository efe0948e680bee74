// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/team_construct.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {

std::optional<TeamConstruct> team_construct_at(std::uint32_t line, const Code& code) {
  auto directive = DirectiveText::at(code, line);
  if (!directive || directive->is("end") || directive->is("parallel") || directive->is("task")) return std::nullopt;
  constexpr std::array<std::string_view, 4> words{"barrier", "for", "single", "sections"};
  if (std::ranges::none_of(words, [&](std::string_view word) { return directive->is(word); })) return std::nullopt;
  const auto body = directive->body(code);
  if (!body && !directive->stands_alone()) return std::nullopt;
  const Position begin{directive->first_line(), 0}, end = body ? body->end : Position{directive->last_line() + 1, 0};
  return TeamConstruct{std::move(*directive), {begin, end}};
}

bool has_team_construct(const Extent& in, const Code& code) {
  for (std::uint32_t line = in.begin.line; line <= in.end.line; ++line)
    if (team_construct_at(line, code)) return true;
  return false;
}

bool is_all_of(const Extent& block, const TeamConstruct& construct, const Code& code) {
  const Position first{block.begin.line, block.begin.column + 1}, last{block.end.line, block.end.column - 1};
  if (!block.contains(construct.extent.begin) || last < construct.extent.end) return false;
  for (std::uint32_t line = block.begin.line + 1; line < construct.extent.begin.line; ++line)
    if (!code.directive_line(line).empty()) return false;
  for (std::uint32_t line = construct.extent.end.line + 1; line < block.end.line; ++line)
    if (!code.directive_line(line).empty()) return false;
  return trimmed(code.text({first, construct.extent.begin})).empty() &&
         trimmed(code.text({construct.extent.end, last})).empty();
}

bool is_pure(std::string_view condition) {
  for (std::size_t i = 0; i < condition.size(); ++i) {
    const char c = condition[i], next = i + 1 < condition.size() ? condition[i + 1] : ' ';
    if ((c == '+' || c == '-') && next == c) return false;
    if (c == '=' && next != '=' &&
        (i == 0 || std::string_view("=!<>").find(condition[i - 1]) == std::string_view::npos))
      return false;
    if (c != '(' || i == 0 || !is_word(condition[i - 1])) continue;
    std::size_t begin = i;
    while (begin > 0 && is_word(condition[begin - 1])) --begin;
    if (!condition.substr(begin).starts_with("omp_get_")) return false;
  }
  return true;
}

Edit with_part(const Code& code, std::uint32_t line, std::size_t begin, std::size_t end, const std::string& by) {
  std::string text(code.original(line));
  text.replace(begin, end - begin, by);
  return {{code.file(), line, 1}, std::move(text), true};
}

std::optional<Head> head_of(const Extent& block, const Code& code) {
  const std::string_view text = code.line(block.begin.line);
  const std::string_view before = trimmed(text.substr(0, block.begin.column));
  const auto word = text.find("if");
  if (first_word(before) != "if" || !before.ends_with(')') || !trimmed(text.substr(block.begin.column + 1)).empty())
    return std::nullopt;
  const std::size_t open = text.find('(', word), close = text.rfind(')', block.begin.column);
  Head out{block.begin.line, word, open, close + 1, std::string(text.substr(open, close + 1 - open))};
  return is_pure(out.condition) ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Extent> else_of(const Extent& block, const Code& code) {
  const std::string_view line = code.line(block.end.line);
  const std::string_view behind = trimmed(line.substr(block.end.column));
  const auto open = line.find('{', block.end.column);
  if (!line.starts_with(std::string(block.end.column - 1, ' ') + "}") || first_word(behind) != "else" ||
      !behind.ends_with('{') || trimmed(behind.substr(4)) != "{")
    return std::nullopt;
  return code.statement_from({block.end.line, open});
}

bool has_else(const Extent& block, const Code& code) {
  const auto behind = code.next(block.end);
  return behind && first_word(code.line(behind->line).substr(behind->column)) == "else";
}

std::vector<Arrival> arrivals_of(const Diagnostic& diagnostic) {
  std::vector<Arrival> out{{diagnostic.place, &diagnostic.stack}};
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::step) out.push_back({note.place, &note.stack});
  return out;
}

} // namespace fletcher::reports
