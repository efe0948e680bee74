// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/locks/lock_initialisation.hpp"

#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// The lines that initialise a lock of the name, whatever element of it.
std::vector<std::uint32_t> initialisations(std::string_view name, const Code& code) {
  std::vector<std::uint32_t> out;
  for (const Position at : code.mentions(name, code.whole()))
    if (code.line(at.line).find("omp_init_") != std::string_view::npos) out.push_back(at.line);
  return out;
}

/// Each thread of a region initialises the lock: one is enough.
std::optional<Repair> once(const Diagnostic& leader, const Code& code) {
  static const std::regex call(R"(^\s*omp_init(?:_nest)?_lock\s*\(\s*&\s*(\w+)\s*\)\s*;\s*$)");
  const std::uint32_t line = leader.place.line;
  std::match_results<std::string_view::const_iterator> match;
  const std::string_view text = code.line(line);
  if (!std::regex_match(text.begin(), text.end(), match, call)) return std::nullopt;
  const auto around = DirectiveText::around(code, line);
  const auto body = around.empty() ? std::nullopt : around.front().body(code);
  const auto blocks = code.blocks_around(line);
  if (!body || !around.front().is("parallel") || around.front().shares_a_loop() || around.front().is("sections") ||
      around.front().names_besides_shared(match[1].str()) || blocks.empty() || blocks.front().begin != body->begin ||
      !begins_a_statement(code, line) || initialisations(match[1].str(), code).size() != 1)
    return std::nullopt;
  if (trimmed(code.line(line - 1)).ends_with(')')) return std::nullopt; // only some threads come here
  const std::string construct = directive(code.file(), "single");
  return Repair{"add '" + construct + "' before this line: one thread initialises the lock, and the others wait for it",
                {inserted_before(code, line, construct, line)}};
}

/// Initialised by the same block before: this call goes, with the construct that is there for it.
std::optional<Repair> not_again(const Diagnostic& leader, const Code& code) {
  static const std::regex call(R"(^\s*omp_init(?:_nest)?_lock\s*\(([^()]*)\)\s*;\s*$)");
  const auto note = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
  const std::uint32_t line = leader.place.line;
  if (note == leader.notes.end() || note->place.file != code.file() || note->place.line >= line) return std::nullopt;
  const auto argument = [&](std::uint32_t where) {
    std::match_results<std::string_view::const_iterator> match;
    const std::string_view text = code.line(where);
    return std::regex_match(text.begin(), text.end(), match, call) ? without_blanks(match[1].str()) : std::string();
  };
  const auto here = code.blocks_around(line), there = code.blocks_around(note->place.line);
  const bool surrounds = !there.empty() && std::ranges::any_of(here, [&](const Extent& block) {
    return block.begin == there.front().begin;
  });
  if (argument(line).empty() || argument(line) != argument(note->place.line) || !surrounds ||
      !begins_a_statement(code, line) || trimmed(code.line(line - 1)).ends_with(')'))
    return std::nullopt;
  Repair out{"remove this call: the lock is initialised already", {}};
  if (const auto above = DirectiveText::at(code, line - 1); above && !above->stands_alone()) {
    if (!above->is("critical") || above->first_line() != above->last_line()) return std::nullopt;
    out.edits.push_back({{code.file(), line - 1, 1}, "", true});
  }
  out.edits.push_back({{code.file(), line, 1}, "", true});
  return out;
}

/// A lock of the file that nothing initialises: before the region that uses it.
std::optional<Repair> before_region(const Diagnostic& leader, const Code& code) {
  const auto call = lock_call(code.line(leader.place.line));
  const auto region = std::ranges::find_if(leader.notes, [](const Note& one) {
    return one.kind == Note::Kind::creation && one.message.find("parallel region") != std::string::npos;
  });
  if (!call || !call->lock.starts_with('&') || region == leader.notes.end() || region->place.file != code.file())
    return std::nullopt;
  const std::string name(trimmed(std::string_view(call->lock).substr(1)));
  if (!is_identifier(name) || !initialisations(name, code).empty()) return std::nullopt;
  static const std::regex declaration(R"(^\s*(?:static\s+)?(omp_lock_t|omp_nest_lock_t)\s+(\w+)\s*;\s*$)");
  std::string type;
  for (const Position at : code.mentions(name, code.whole())) {
    std::match_results<std::string_view::const_iterator> match;
    const std::string_view text = code.line(at.line);
    if (!std::regex_match(text.begin(), text.end(), match, declaration)) continue;
    if (!type.empty() || !code.blocks_around(at.line).empty()) return std::nullopt;
    type = match[1].str();
  }
  const std::uint32_t line = region->place.line;
  const auto function = code.function_around(line);
  const auto directive = DirectiveText::at(code, line);
  if (type.empty() || !function || !directive || !begins_a_statement(code, line)) return std::nullopt;
  // Once: in the block of main itself.
  const auto blocks = code.blocks_around(line);
  const std::string head = code.text({{std::max(function->begin.line, 2U) - 1, 0}, function->begin});
  const std::string_view above = trimmed(code.line(line - 1));
  if (blocks.size() != 1 || !mentions(head, "main") || above.ends_with(')') || !code.directive_line(line - 1).empty())
    return std::nullopt;
  const std::string text = (type == "omp_lock_t" ? "omp_init_lock(&" : "omp_init_nest_lock(&") + name + ");";
  const std::string_view below = code.original(function->begin.line + 1);
  Edit edit = inserted_before(code, line, text, function->begin.line + 1);
  if (trimmed(below).empty()) edit = inserted_before(code, line, text, line);
  return Repair{"add '" + text + "' before this line, where only one thread executes", {edit}};
}

} // namespace

std::optional<Repair> lock_initialisation(const Group& group, const Code& code) {
  const Diagnostic& leader = *group.front();
  const auto is_alike = [&](const Diagnostic* one) {
    return one->rule == leader.rule && one->variable == leader.variable;
  };
  if (!code.is_c() || !std::ranges::all_of(group, is_alike)) return std::nullopt;
  if (leader.message.find("is initialised again") != std::string::npos) {
    if (auto found = once(leader, code)) return found;
    return not_again(leader, code);
  }
  if (leader.message.find("without having been initialised") != std::string::npos) return before_region(leader, code);
  return std::nullopt;
}

} // namespace fletcher::reports
