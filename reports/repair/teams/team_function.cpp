// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with a barrier or a loop of the whole team, which not all threads call to the end, or which a task calls.
#include "reports/document/words.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/directives/team_construct.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fletcher::reports {
namespace {

/// A construct in a function, and the line by which a part of the team comes to it.
struct Called {
  TeamConstruct construct;
  Extent function;
  std::uint32_t call = 0;
  bool only_call = false; ///< nobody else calls the function
};

std::optional<Called> called(const Arrival& arrival, const Code& code) {
  if (arrival.place.file != code.file() || arrival.stack->size() < 2) return std::nullopt;
  const auto construct = team_construct_at(arrival.place.line, code);
  const auto function = code.function_around(arrival.place.line);
  const Frame &own = (*arrival.stack)[0], &caller = (*arrival.stack)[1];
  if (!construct || !function || caller.place.file != code.file() || function->contains(caller.place.line))
    return std::nullopt;
  const std::size_t mentioned = code.mentions(plain_name(own.function.name), code.whole()).size();
  return Called{*construct, *function, caller.place.line, mentioned == 2};
}

bool is_barrier(const TeamConstruct& construct) { return construct.directive.is("barrier"); }

/// Nothing follows in the function.
bool is_last(const Called& one, const Code& code) {
  const std::uint32_t line = one.construct.directive.last_line(), end = one.function.end.line;
  return trimmed(code.text({{line + 1, 0}, {end, one.function.end.column - 1}})).empty();
}

/// `if (some) { A; return; } B; barrier; }`: who returns leaves out B only.
std::optional<Repair> no_early_return(const Called& one, const Code& code) {
  const std::uint32_t barrier = one.construct.directive.first_line();
  if (!is_barrier(one.construct) || !is_last(one, code)) return std::nullopt;
  std::optional<std::uint32_t> leaves;
  for (std::uint32_t line = one.function.begin.line; line < barrier; ++line) {
    if (mentions(code.line(line), "goto") || mentions(code.line(line), "exit")) return std::nullopt;
    if (!mentions(code.line(line), "return")) continue;
    if (leaves || without_blanks(code.line(line)) != "return;") return std::nullopt;
    leaves = line;
  }
  const auto blocks = leaves ? code.blocks_around(*leaves) : std::vector<Extent>();
  if (blocks.size() < 2 || blocks[1].begin != one.function.begin || blocks[0].end.line != *leaves + 1 ||
      blocks[0].begin.line + 1 == *leaves || first_word(trimmed(code.line(blocks[0].begin.line))) != "if" ||
      has_else(blocks[0], code) || blocks[0].end.line + 1 >= barrier)
    return std::nullopt;
  const std::string end(code.original(blocks[0].end.line));
  return Repair{"let all threads reach the barrier: put the code that some skip into an else",
                {{{code.file(), *leaves, 1}, end + " else {", true},
                 {{code.file(), blocks[0].end.line, 1}, "", true},
                 inserted_before(code, barrier, "}", blocks[0].begin.line)}};
}

/// The barrier ends a function that is called in a construct of one thread: it comes behind that construct.
std::optional<Repair> behind_calling_construct(const Called& one, const Code& code) {
  if (!is_barrier(one.construct) || !is_last(one, code) || !one.only_call ||
      is_all_of(one.function, one.construct, code)) // then the call goes
    return std::nullopt;
  const auto around = DirectiveText::around(code, one.call);
  constexpr std::array<std::string_view, 4> words{"single", "master", "masked", "critical"};
  const bool of_one = !around.empty() && std::ranges::any_of(words, [&](auto word) { return around.front().is(word); });
  const auto body = of_one && around.size() > 1 && around[1].is("parallel") && !around[1].shares_a_loop()
                        ? around.front().body(code)
                        : std::nullopt;
  const auto region = body ? around[1].body(code) : std::nullopt;
  if (!region || !trimmed(code.line(body->end.line).substr(body->end.column)).empty()) return std::nullopt;
  const auto parts = code.parts_of(*body);
  const auto blocks = code.blocks_around(around.front().first_line());
  if (parts.empty() || parts.back().begin.line != one.call || blocks.empty() || blocks.front().begin != region->begin)
    return std::nullopt;
  for (std::uint32_t line = one.function.begin.line; line < one.function.end.line; ++line)
    if (mentions(code.line(line), "return")) return std::nullopt;
  const std::uint32_t barrier = one.construct.directive.first_line();
  return Repair{
      "wait after the construct that calls this function: only there all threads reach the barrier",
      {{{code.file(), barrier, 1}, "", true},
       inserted_before(code, body->end.line + 1, directive(code.file(), "barrier"), around.front().first_line())}};
}

/// `if (some) { f(); g(); } else { g(); f(); }`: one order for all.
std::optional<Repair> one_order(const Called& one, const Code& code) {
  const auto blocks = code.blocks_around(one.call);
  if (blocks.size() < 2) return std::nullopt;
  std::optional<Extent> first = blocks[0];
  auto head = head_of(*first, code);
  if (!head) { // in the other branch
    for (std::uint32_t line = first->begin.line - 1; line > blocks[1].begin.line && !head; --line) {
      const auto open = code.line(line).rfind('{');
      const auto block = open == std::string_view::npos ? std::nullopt : code.statement_from({line, open});
      if (!block || block->end.line != first->begin.line) continue;
      head = head_of(*block, code);
      first = block;
    }
  }
  const auto other = head ? else_of(*first, code) : std::nullopt;
  const auto around = DirectiveText::around(code, one.call);
  const auto region = around.empty() ? std::nullopt : around.front().body(code);
  if (!other || !region || !around.front().is("parallel") || around.front().shares_a_loop() ||
      region->begin != blocks[1].begin || trimmed(code.line(other->end.line)) != "}")
    return std::nullopt;
  const auto statements = [&](const Extent& block) {
    std::multiset<std::string> out;
    for (const Extent& part : code.parts_of(block)) out.insert(code.text(part));
    return out;
  };
  for (std::uint32_t line = first->begin.line; line <= other->end.line; ++line)
    if (!code.directive_line(line).empty()) return std::nullopt;
  if (statements(*first) != statements(*other)) return std::nullopt;
  Repair out{"remove the condition: all threads of the team have to reach the constructs in the same order",
             {with_part(code, head->line, head->word, first->begin.column, ""),
              with_part(code, first->end.line, first->end.column, code.original(first->end.line).size(), "")}};
  for (std::uint32_t line = other->begin.line + 1; line <= other->end.line; ++line)
    out.edits.push_back({{code.file(), line, 1}, "", true});
  return out;
}

/// A task has no team: it waits for its own tasks, and shares a loop among a team of its own.
std::optional<Repair> of_task(const Called& one, const Code& code) {
  if (!one.only_call) return std::nullopt;
  const DirectiveText& own = one.construct.directive;
  if (is_barrier(one.construct)) {
    const auto edit = own.replaced_by(code, "taskwait");
    if (!edit) return std::nullopt;
    return Repair{"wait for the task's children instead: '" + directive(code.file(), "taskwait") + "'", {*edit}};
  }
  if (!own.is("for") || own.clause("nowait") != nullptr) return std::nullopt;
  const auto edit = own.with_construct(code, "parallel");
  if (!edit) return std::nullopt;
  return Repair{"divide the loop among a new team: 'parallel for'", {*edit}};
}

} // namespace

std::optional<Repair> repair_team_function(const Group& group, const Code& code) {
  for (const Diagnostic* diagnostic : group) {
    const bool in_task = diagnostic->message.find("not for a task that one of them executes") != std::string::npos;
    for (const Arrival& arrival : arrivals_of(*diagnostic)) {
      const auto one = called(arrival, code);
      if (!one) continue;
      if (in_task) return of_task(*one, code);
      if (auto found = no_early_return(*one, code)) return found;
      if (auto found = behind_calling_construct(*one, code)) return found;
      if (auto found = one_order(*one, code)) return found;
    }
  }
  return std::nullopt;
}

} // namespace fletcher::reports
