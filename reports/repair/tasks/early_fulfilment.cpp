// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event that is fulfilled before the last access for which its task stands: tasks that depend on that one go on too
// early. The call comes behind the access.
#include "reports/document/words.hpp"
#include "reports/repair/data/handing_over.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// A task with the event declares the variable, in a way that keeps the task at `other` waiting.
bool stands_for(const Code& code, const std::string& event, const std::string& variable, std::uint32_t other) {
  const auto later = DirectiveText::at(code, other);
  if (!later || !later->is("task") || type_of(*later, variable).empty()) return false;
  for (std::uint32_t line = 1; line < other; ++line) {
    const auto task = DirectiveText::at(code, line);
    const Clause* const detach = task ? task->clause("detach") : nullptr;
    if (detach == nullptr || trimmed(detach->arguments) != event) continue;
    const std::string type = type_of(*task, variable);
    return type == "out" || type == "inout";
  }
  return false;
}

} // namespace

std::optional<Repair> explain_early_fulfilment(const Group& group, Codes& codes) {
  for (const Site& site : sites_of(group)) {
    if (!is_write(site.type)) continue;
    const Code& code = codes.of(site.place.file);
    const auto function = code.is_c() ? code.function_around(site.place.line) : std::nullopt;
    if (!function) continue;
    for (const Position at : code.mentions("omp_fulfill_event", *function)) {
      const auto blocks = code.blocks_around(at.line);
      if (at.line >= site.place.line || blocks.empty() || !blocks.front().contains(site.place.line)) continue;
      return Repair{"fulfil the event after the last access that its task stands for, in the task that makes it",
                    {},
                    "the event is fulfilled before this access: a task that waits for the event's task, or depends on "
                    "it, continues then"};
    }
  }
  return std::nullopt;
}

std::optional<Repair> repair_early_fulfilment(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || !is_identifier(leader.variable)) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  const auto calls = code.mentions("omp_fulfill_event", code.whole());
  if (!code.is_c() || calls.size() != 1) return std::nullopt;
  const std::uint32_t call = calls.front().line;
  static const std::regex alone(R"(^\s*omp_fulfill_event\s*\(\s*(\w+)\s*\)\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> match;
  const std::string_view text = code.line(call);
  const auto around = code.blocks_around(call);
  if (around.empty() || !std::regex_match(text.begin(), text.end(), match, alone) || !begins_a_statement(code, call))
    return std::nullopt;
  const Extent& block = around.front();
  std::uint32_t last = 0; ///< line of an access that comes too late
  for (const Site& site : sites) {
    if (!block.contains(site.place.line)) {
      const auto construct = line_of_construct(site.construct, codes.sources());
      if (!construct || !stands_for(code, match[1].str(), leader.variable, *construct)) return std::nullopt;
      continue;
    }
    const auto statement = code.statement_at(site.place);
    const auto own = code.blocks_around(site.place.line);
    if (!statement || site.place.line <= call || own.empty() || own.front().begin != block.begin ||
        !begins_a_statement(code, site.place.line))
      return std::nullopt;
    last = std::max(last, statement->end.line);
  }
  if (last == 0 || last >= block.end.line || !begins_a_statement(code, last + 1)) return std::nullopt;
  for (std::uint32_t line = call; line <= last; ++line) // a task or a way out may lie in between
    if (!code.directive_line(line).empty() || mentions(code.line(line), "return")) return std::nullopt;
  return Repair{
      "fulfil the event after this access: the tasks that depend on its task continue then",
      {{{code.file(), call, 1}, "", true}, inserted_before(code, last + 1, std::string(trimmed(text)), call)}};
}

} // namespace fletcher::reports
