// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call that completes an operation is moved in front of what uses the operation's buffer.
#include "reports/repair/mpi/late_completion.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directive_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace fletcher::reports {
namespace {

/// Of the frames the line that is in the function.
std::optional<std::uint32_t> line_in(const Extent& function, const std::vector<Frame>& stack, const Code& code) {
  for (const Frame& frame : stack)
    if (frame.place.file == code.file() && function.contains(frame.place.line)) return frame.place.line;
  return std::nullopt;
}

/// The words of a piece of code that parentheses follow, or, of others, that none do.
std::set<std::string> words_of(std::string_view text, bool calls) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const bool is_call = trimmed(text.substr(i)).starts_with('(');
    if (is_call == calls && std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
      out.emplace(text.substr(begin, i - begin));
  }
  return out;
}

/// The body of a function of the file.
std::optional<Extent> definition_of(const std::string& function, const Code& code) {
  constexpr std::uint32_t longest_head = 4;
  for (const Position at : code.mentions(function, code.whole()))
    for (std::uint32_t line = at.line; line < at.line + longest_head; ++line) {
      const auto body = code.function_around(line + 1);
      if (body && at < body->begin && body->begin.line < at.line + longest_head) return body;
    }
  return std::nullopt;
}

/// What the lines call, and what the file's functions call in their turn, has nothing to do with MPI.
bool calls_no_mpi(const Extent& lines, const Code& code) {
  static const std::set<std::string, std::less<>> harmless{
      "for", "if",  "while", "switch", "return", "sizeof", "printf", "sqrt", "fabs",   "sin",
      "cos", "tan", "exp",   "log",    "pow",    "abs",    "fmax",   "fmin", "memcpy", "memset"};
  std::set<std::string> seen;
  std::vector<Extent> left{lines};
  while (!left.empty()) {
    const std::string text = code.text(left.back());
    left.pop_back();
    if (text.find("MPI_") != std::string::npos) return false;
    for (const std::string& function : words_of(text, true)) {
      if (harmless.contains(function) || function.starts_with("omp_") || !seen.insert(function).second) continue;
      const auto body = definition_of(function, code);
      if (!body) return false;
      left.push_back(*body);
    }
  }
  return true;
}

/// The first line of a statement with the constructs that it belongs to.
std::uint32_t top_of(const Extent& statement, const Code& code) {
  std::uint32_t out = statement.begin.line;
  for (const DirectiveText& one : DirectiveText::around(code, statement.begin.line))
    if (const auto body = one.body(code); body && body->begin == statement.begin) out = std::min(out, one.first_line());
  return out;
}

} // namespace

std::optional<LateCompletion> late_completion(const Diagnostic& race, const Code& code) {
  const Note *const other = note_of(race, Note::Kind::other_access), *const completed = note_of(race, Note::Kind::step);
  if (race.cause != Cause::pending_operation || race.sites.size() != 2 || other == nullptr || completed == nullptr ||
      completed->place.file != code.file())
    return std::nullopt;
  const bool first = race.sites[0].task == TaskKind::operation;
  if (first == (race.sites[1].task == TaskKind::operation)) return std::nullopt;
  const auto function = code.function_around(completed->place.line);
  if (!function) return std::nullopt;
  const auto begun = line_in(*function, first ? race.stack : other->stack, code),
             used = line_in(*function, first ? other->stack : race.stack, code);
  if (!begun || !used) return std::nullopt;
  return LateCompletion{*begun, *used, completed->place.line};
}

std::optional<Repair> repair_late_completion(const Group& group, Codes& codes) {
  const Note* const completed = note_of(*group.front(), Note::Kind::step);
  if (completed == nullptr) return std::nullopt;
  const Code& code = codes.of(completed->place.file);
  const std::uint32_t wait = completed->place.line;
  const auto call = code.is_c() ? code.statement_at({code.file(), wait, 0}) : std::nullopt;
  const auto blocks = code.blocks_around(wait);
  if (!call || !is_alone(code, *call) || blocks.empty()) return std::nullopt;
  const std::string text = code.text(*call);
  if (first_word(text) != "MPI_Wait" && first_word(text) != "MPI_Waitall") return std::nullopt;
  std::uint32_t before = wait, begun = 0; // the uses come in one of the statements between
  for (const Diagnostic* one : group) {
    const auto late = late_completion(*one, code);
    if (!late || late->completed != wait || !blocks.front().contains(late->used)) return std::nullopt;
    begun = std::max(begun, late->begun);
    before = std::min(before, late->used);
  }
  const std::vector<Extent> parts = code.parts_of(blocks.front());
  const auto user = std::ranges::find_if(parts, [&](const Extent& part) { return part.end.line >= before; });
  if (user == parts.end() || user->begin >= call->begin) return std::nullopt;
  const std::uint32_t line = top_of(*user, code);
  if (begun >= line || !begins_a_statement(code, line)) return std::nullopt;
  const Extent between{{line, 0}, call->begin};
  for (const std::string& name : words_of(text, false)) {
    if (name.starts_with("MPI_")) continue;
    for (std::uint32_t l = line; l < wait; ++l)
      if (mentions(code.line(l), name) || mentions(code.directive_line(l), name)) return std::nullopt;
  }
  if (!calls_no_mpi(between, code)) return std::nullopt;
  return Repair{"complete the operation before this line: '" + text + "'",
                {inserted_before(code, line, std::string(trimmed(code.original(wait))), wait),
                 {{code.file(), wait, 1}, "", true}}};
}

} // namespace fletcher::reports
