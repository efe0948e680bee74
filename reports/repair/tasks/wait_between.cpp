// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of one creator that race and that no item of a depend clause names in common: a taskwait between the constructs
// that create them. It orders more than needed, so it is what is left where nothing else is offered.
#include "reports/document/words.hpp"
#include "reports/repair/data/loop_order.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

/// The lines of one function at which a task creates one side of a race, and creates the other side or goes on to it.
struct Order {
  std::uint32_t first = 0, then = 0;
};

std::optional<Order> order_of(const Diagnostic& race, const Code& code, Codes& codes) {
  if (race.rule != Rule::data_race || race.sites.size() != 2 || race.participants.size() != 2) return std::nullopt;
  const auto created_at = [&](const Site& site) -> std::optional<std::uint32_t> {
    if (site.task != TaskKind::explicit_ || !site.construct.known() || site.construct.file != code.file())
      return std::nullopt;
    const auto line = line_of_construct(site.construct, codes.sources());
    const auto task = line ? DirectiveText::at(code, *line) : std::nullopt;
    return task && task->is("task") ? line : std::nullopt;
  };
  const auto &one = race.participants[0].tasks, &other = race.participants[1].tasks;
  const auto siblings = one.size() > 1 && other.size() > 1 && one[1].id == other[1].id && one[1].id != TaskId::none;
  const auto a = created_at(race.sites[0]), b = created_at(race.sites[1]);
  if (!siblings || !a || !b || *a == *b) return std::nullopt;
  return Order{std::min(*a, *b), std::max(*a, *b)};
}

bool is_loop(const Code& code, const Extent& block) {
  constexpr std::array<std::string_view, 3> words{"for", "while", "do"};
  const std::string head(trimmed(code.line(block.begin.line).substr(0, block.begin.column)));
  const std::string_view above = trimmed(code.line(block.begin.line - 1));
  return std::ranges::any_of(words, [&](std::string_view word) { return mentions(head, word); }) ||
         (head.empty() && std::ranges::any_of(words, [&](std::string_view word) { return first_word(above) == word; }));
}

/// The line of the block around both at which the second begins: each comes to the block once for the other.
std::optional<std::uint32_t> place_between(const Code& code, const Order& order) {
  const auto function = code.function_around(order.first);
  if (!function || !function->contains(order.then)) return std::nullopt;
  const auto around_first = code.blocks_around(order.first);
  for (const Extent& block : around_first)
    if (block.contains({order.then, 0}) && is_loop(code, block)) return std::nullopt;
  std::uint32_t at = order.then;
  for (const Extent& block : code.blocks_around(order.then)) {
    if (block.contains({order.first, 0})) break;
    if (!is_loop(code, block)) return std::nullopt; // who leaves the condition out does not wait
    at = block.begin.line;
  }
  if (const std::string_view above = trimmed(code.line(at - 1)); above.ends_with(')') && first_word(above) == "for")
    --at;
  const auto directive = DirectiveText::at(code, at - 1);
  return begins_a_statement(code, at) && (!directive || directive->stands_alone()) ? std::optional(at) : std::nullopt;
}

} // namespace

std::optional<Repair> repair_by_wait(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (leader.sites.empty() || !leader.edits.empty()) return std::nullopt;
  const Code& code = codes.of(leader.sites.front().construct.file);
  // A task that is waited for may itself wait for what comes later: for an event, or for a value.
  if (!code.is_c() || !code.mentions("omp_fulfill_event", code.whole()).empty()) return std::nullopt;
  std::optional<std::uint32_t> at;
  std::uint32_t last = 0; ///< of the first ones
  for (const Diagnostic* one : group) {
    const auto order = order_of(*one, code, codes);
    const auto place = order ? place_between(code, *order) : std::nullopt;
    if (!place) return std::nullopt;
    at = at ? std::min(*at, *place) : *place;
    last = std::max(last, order->first);
  }
  if (!at || last >= *at) return std::nullopt;
  const std::string text = directive(code.file(), "taskwait");
  return Repair{"add '" + text + "' before this line: the tasks created above have then ended",
                {inserted_before(code, *at, text, *at)}};
}

} // namespace fletcher::reports
