// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits that cannot end: an event is fulfilled before somebody waits for its task, and an iteration waits for one that
// comes before it.
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <regex>

namespace fletcher::reports {
namespace {

/// The line has nothing but the call that fulfils an event: the event.
std::optional<std::string> fulfilled_at(const Code& code, std::uint32_t line) {
  static const std::regex alone(R"(^\s*omp_fulfill_event\s*\(\s*(\w+)\s*\)\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> match;
  const std::string_view text = code.line(line);
  return std::regex_match(text.begin(), text.end(), match, alone) ? std::optional(match[1].str()) : std::nullopt;
}

/// The call that fulfils the event comes in front of the wait for its task.
std::optional<Repair> fulfilled_before(const Diagnostic& leader, Codes& codes) {
  const Code& code = codes.of(leader.place.file);
  const auto wait = DirectiveText::at(code, leader.place.line);
  const bool waits = wait && (wait->is("taskwait") || (wait->is("task") && wait->clause("if") != nullptr));
  if (!code.is_c() || !waits || leader.message.find("circle") == std::string::npos) return std::nullopt;
  const auto blocks = code.blocks_around(wait->first_line());
  if (blocks.empty()) return std::nullopt;
  const auto calls = code.mentions("omp_fulfill_event", code.whole());
  const std::uint32_t first = wait->first_line();
  if (calls.size() != 1 || calls.front().line <= wait->last_line()) return std::nullopt;
  const std::uint32_t call = calls.front().line;
  const auto event = fulfilled_at(code, call);
  if (!event) return std::nullopt;
  const auto around = code.blocks_around(call);
  if (around.empty() || around.front().begin != blocks.front().begin || !begins_a_statement(code, call))
    return std::nullopt;
  // The task with the event is created above the wait, in the same block.
  bool created = false;
  for (std::uint32_t line = blocks.front().begin.line; line < first; ++line) {
    const auto task = DirectiveText::at(code, line);
    const Clause* const detach = task ? task->clause("detach") : nullptr;
    created = created || (detach != nullptr && trimmed(detach->arguments) == *event &&
                          code.blocks_around(line).front().begin == blocks.front().begin);
  }
  if (!created) return std::nullopt;
  return Repair{
      "fulfil the event before the wait for its task",
      {inserted_before(code, first, std::string(trimmed(code.line(call))), call), {{code.file(), call, 1}, "", true}}};
}

/// The only call of the program that fulfils an event, and the task that the event belongs to.
struct Fulfilment {
  std::uint32_t line = 0;
  DirectiveText task;
};

std::optional<Fulfilment> only_fulfilment(const Code& code) {
  const auto calls = code.mentions("omp_fulfill_event", code.whole());
  const auto event = code.is_c() && calls.size() == 1 ? fulfilled_at(code, calls.front().line) : std::nullopt;
  if (!event) return std::nullopt;
  std::optional<Fulfilment> out;
  for (std::uint32_t line = 1; line <= code.lines(); ++line) {
    const auto task = DirectiveText::at(code, line);
    const Clause* const detach = task ? task->clause("detach") : nullptr;
    if (detach == nullptr || trimmed(detach->arguments) != *event) continue;
    if (out) return std::nullopt;
    out = Fulfilment{calls.front().line, *task};
  }
  return out;
}

/// Right behind the taskgroup that waits for the task: it comes inside.
std::optional<Repair> fulfilled_in_taskgroup(const Code& code) {
  const auto call = only_fulfilment(code);
  if (!call) return std::nullopt;
  const std::uint32_t end = call->line - 1;
  for (const DirectiveText& one : DirectiveText::around(code, call->task.first_line())) {
    const auto body = one.body(code);
    if (!one.is("taskgroup") || !body || body->end.line != end || trimmed(code.line(end)) != "}") continue;
    const auto blocks = code.blocks_around(call->task.first_line());
    if (blocks.empty() || blocks.front().begin != body->begin) return std::nullopt;
    return Repair{"fulfil the event before the end of the taskgroup, which waits for its task",
                  {{{code.file(), end, 1}, std::string(code.original(call->line)), true},
                   {{code.file(), call->line, 1}, std::string(code.original(end)), true}}};
  }
  return std::nullopt;
}

/// A task that does nothing but fulfil the event depends on the task that the event belongs to.
std::optional<Repair> fulfilled_by_any_task(const Code& code) {
  const auto call = only_fulfilment(code);
  const auto around = call ? DirectiveText::around(code, call->line) : std::vector<DirectiveText>();
  const auto body = around.empty() ? std::nullopt : around.front().body(code);
  if (!body || !around.front().is("task") || code.parts_of(*body).size() != 1 ||
      code.parts_of(*body).front().begin.line != call->line)
    return std::nullopt;
  std::size_t clauses = 0;
  for (const DependClause& clause : depend_clauses(around.front()))
    for (const std::string& item : clause.items) {
      ++clauses;
      if (type_of(call->task, item).empty()) return std::nullopt;
    }
  const auto edit = clauses == 1 ? around.front().without(code, "depend") : std::nullopt;
  if (!edit) return std::nullopt;
  return Repair{"remove the dependence here: the task that it waits for ends when this one fulfils its event", {*edit}};
}

/// A sink names an iteration that comes before.
std::optional<Repair> earlier_sink(const Diagnostic& leader, Codes& codes) {
  const Code& code = codes.of(leader.place.file);
  const auto wait = DirectiveText::at(code, leader.place.line);
  if (!wait || !wait->is("ordered")) return std::nullopt;
  const Clause* sink = nullptr;
  for (const Clause& clause : wait->clauses())
    if (clause.name == "depend" && mentions(clause.arguments, "sink")) {
      if (sink != nullptr) return std::nullopt;
      sink = &clause;
    }
  static const std::regex later(R"(^\s*sink\s*:\s*(\w+)\s*\+\s*(\w+)\s*$)");
  std::smatch match;
  if (sink == nullptr || !std::regex_match(sink->arguments, match, later)) return std::nullopt;
  const std::string by = "depend(sink: " + match[1].str() + " - " + match[2].str() + ")";
  const auto edit = wait->with_replaced(code, *sink, by);
  if (!edit) return std::nullopt;
  return Repair{"wait for an earlier iteration: '" + by + "'", {*edit}};
}

} // namespace

std::optional<Repair> repair_dependence_cycle(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (auto found = earlier_sink(leader, codes)) return found;
  if (auto found = fulfilled_before(leader, codes)) return found;
  if (auto found = barrier_out_of_construct(group, codes)) return found;
  if (leader.message.find("circle") != std::string::npos) {
    const Code& code = codes.of(leader.place.file);
    if (auto found = fulfilled_in_taskgroup(code)) return found;
    if (auto found = fulfilled_by_any_task(code)) return found;
  }
  return repair_locks(group, codes);
}

} // namespace fletcher::reports
