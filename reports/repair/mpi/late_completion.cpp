// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call that completes an operation is moved in front of what uses the operation's buffer.
#include "reports/repair/mpi/late_completion.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/fortran_blocks.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
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

/// Of Fortran: what parentheses follow is an element of an array that the unit declares, or a function of the language.
bool calls_nothing_in_fortran(const Extent& lines, const Code& code) {
  static const std::set<std::string, std::less<>> harmless{
      "if",    "while",  "write", "print", "abs",         "acos",   "aimag",  "asin", "atan", "ceiling",
      "cmplx", "cos",    "cosh",  "dble",  "exp",         "floor",  "int",    "log",  "max",  "maxval",
      "min",   "minval", "mod",   "nint",  "real",        "sign",   "sin",    "sinh", "size", "sqrt",
      "sum",   "tan",    "tanh",  "merge", "dot_product", "matmul", "modulo", "kind"};
  const auto unit = code.function_around(lines.begin.line);
  if (!unit) return false;
  const auto is_array = [&](const std::string& name) {
    for (std::uint32_t line = unit->begin.line; line < lines.begin.line; ++line) {
      const std::string text = without_blanks(code.line(line));
      const auto names = text.find("::");
      if (names == std::string::npos || !mentions(code.line(line), name) || mentions(code.line(line), "external"))
        continue;
      if (text.find(name + "(", names) != std::string::npos || text.find("dimension(") < names) return true;
    }
    return false;
  };
  for (std::uint32_t line = lines.begin.line; line < lines.end.line; ++line) {
    if (mentions(code.line(line), "call") || code.line(line).find("mpi_") != std::string_view::npos) return false;
    for (const std::string& word : words_of(code.line(line), true))
      if (!harmless.contains(word) && !word.starts_with("omp_") && !is_array(word)) return false;
  }
  return true;
}

/// What the lines call, and what the file's functions call in their turn, has nothing to do with MPI.
bool calls_no_mpi(const Extent& lines, const Code& code) {
  if (!code.is_c()) return calls_nothing_in_fortran(lines, code);
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

/// The line of the statement of the block, with its constructs, that the use is in.
std::optional<std::uint32_t> statement_of_use(std::uint32_t used, const Extent& block, const Extent& call,
                                              const Code& code) {
  const std::vector<Extent> parts = code.parts_of(block);
  const auto user = std::ranges::find_if(parts, [&](const Extent& part) { return part.end.line >= used; });
  if (user == parts.end() || user->begin >= call.begin) return std::nullopt;
  // All that a branch or a construct does is not taken away.
  if (top_of(call, code) != call.begin.line || std::ranges::find(parts, call.begin, &Extent::begin) == parts.end())
    return std::nullopt;
  return top_of(*user, code);
}

/// The same of Fortran, where loops and branches are the blocks.
std::optional<std::uint32_t> statement_of_use_in_fortran(std::uint32_t used, const Extent& call, const Code& code) {
  const auto unit = code.function_around(used);
  const auto blocks = unit ? fortran_blocks_around(code, used, *unit) : std::nullopt;
  if (!blocks) return std::nullopt;
  std::uint32_t line = used;
  for (const FortranBlock& block : *blocks)
    if (!block.contains(call.begin.line)) line = block.first - 1;
  if (without_blanks(code.line(line)).starts_with("else")) return std::nullopt;
  while (line > 1 && trimmed(code.line(line - 1)).ends_with('&')) --line;
  for (const DirectiveText& one : DirectiveText::around(code, used))
    if (const auto body = one.body(code); body && !body->contains(call.begin.line))
      line = std::min(line, one.first_line());
  return line;
}

} // namespace

std::optional<Extent> block_around(std::uint32_t line, const Code& code) {
  if (code.is_c()) {
    const auto blocks = code.blocks_around(line);
    return blocks.empty() ? std::nullopt : std::optional(blocks.front());
  }
  const auto unit = code.function_around(line);
  const auto blocks = unit ? fortran_blocks_around(code, line, *unit) : std::nullopt;
  if (!blocks || !DirectiveText::around(code, line).empty()) return std::nullopt;
  return blocks->empty() ? unit : std::optional(Extent{{blocks->front().first, 0}, {blocks->front().last + 1, 0}});
}

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
  const auto call = code.statement_at({code.file(), wait, 0});
  const auto block = block_around(wait, code);
  if (!call || !is_alone(code, *call) || !block) return std::nullopt;
  const std::string text = code.text(*call);
  static const std::regex completes(R"(^(?:MPI_Wait|MPI_Waitall|call\s+mpi_wait|call\s+mpi_waitall)\b)");
  if (!std::regex_search(text, completes)) return std::nullopt;
  std::uint32_t before = wait, begun = 0; // the uses come in one of the statements between
  for (const Diagnostic* one : group) {
    const auto late = late_completion(*one, code);
    if (!late || late->completed != wait || !block->contains(late->used)) return std::nullopt;
    begun = std::max(begun, late->begun);
    before = std::min(before, late->used);
  }
  const auto line_of_use =
      code.is_c() ? statement_of_use(before, *block, *call, code) : statement_of_use_in_fortran(before, *call, code);
  if (!line_of_use) return std::nullopt;
  const std::uint32_t line = *line_of_use;
  if (begun >= line || !begins_a_statement(code, line)) return std::nullopt;
  const Extent between{{line, 0}, call->begin};
  for (const std::string& name : words_of(text, false)) {
    if (name.starts_with("MPI_") || name.starts_with("mpi_") || name == "call") continue;
    for (std::uint32_t l = line; l < wait; ++l)
      if (mentions(code.line(l), name) || mentions(code.directive_line(l), name)) return std::nullopt;
  }
  if (!calls_no_mpi(between, code)) return std::nullopt;
  return Repair{"complete the operation before this line: '" + std::string(trimmed(code.original(wait))) + "'",
                {inserted_before(code, line, std::string(trimmed(code.original(wait))), wait),
                 {{code.file(), wait, 1}, "", true}}};
}

} // namespace fletcher::reports
