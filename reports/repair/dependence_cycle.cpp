// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits that cannot end: an event is fulfilled before somebody waits for its task, and an iteration waits for one that
// comes before it.
#include "reports/repair/directive_text.hpp"
#include "reports/repair/repair.hpp"

#include <regex>

namespace fletcher::reports {
namespace {

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
  static const std::regex alone(R"(^\s*omp_fulfill_event\s*\(\s*(\w+)\s*\)\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> match;
  const std::string_view text = code.line(call);
  if (!std::regex_match(text.begin(), text.end(), match, alone)) return std::nullopt;
  const auto around = code.blocks_around(call);
  if (around.empty() || around.front().begin != blocks.front().begin || !begins_a_statement(code, call))
    return std::nullopt;
  // The task with the event is created above the wait, in the same block.
  bool created = false;
  for (std::uint32_t line = blocks.front().begin.line; line < first; ++line) {
    const auto task = DirectiveText::at(code, line);
    const Clause* const event = task ? task->clause("detach") : nullptr;
    created = created || (event != nullptr && trimmed(event->arguments) == match[1].str() &&
                          code.blocks_around(line).front().begin == blocks.front().begin);
  }
  if (!created) return std::nullopt;
  return Repair{"fulfil the event before the wait for its task",
                {inserted_before(code, first, std::string(trimmed(text)), call), {{code.file(), call, 1}, "", true}}};
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
  return Repair{"wait for an iteration that comes before: '" + by + "'", {*edit}};
}

} // namespace

std::optional<Repair> repair_dependence_cycle(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (auto found = earlier_sink(leader, codes)) return found;
  if (auto found = fulfilled_before(leader, codes)) return found;
  return repair_locks(group, codes);
}

} // namespace fletcher::reports
