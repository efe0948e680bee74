// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team that do not wait for each other: a barrier that a nowait took away, one behind what only one thread
// executes or between two statements.
#include "reports/document/words.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

/// A barrier behind a construct that only one thread executes, for which the others do not wait.
std::optional<Repair> barrier_behind_masked(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::optional<std::uint32_t> behind, first;
  for (const Diagnostic* one : group) {
    const auto lines = lines_in_one_function(*one, code);
    const auto around = lines ? DirectiveText::around(code, lines->first) : std::vector<DirectiveText>();
    if (around.empty() || (!around.front().is("master") && !around.front().is("masked"))) return std::nullopt;
    const auto body = around.front().body(code);
    if (!body || body->contains(lines->second) || body->end.column == 0) return std::nullopt;
    const SourcePlace construct{code.file(), around.front().first_line(), 1};
    if (!is_directly_in_region(construct, codes.sources()) ||
        !trimmed(code.line(body->end.line).substr(body->end.column)).empty())
      return std::nullopt;
    if (behind && *behind != body->end.line + 1) return std::nullopt;
    behind = body->end.line + 1;
    first = around.front().first_line();
  }
  const std::string text = directive(code.file(), "barrier");
  return Repair{"add '" + text + "' before this line: no thread waits for the one that executes the construct above",
                {inserted_before(code, *behind, text, *first)}};
}

/// A loop's own directive is where a reduction combines its copies.
std::vector<DirectiveText> constructs_of(const Code& code, std::uint32_t line) {
  std::vector<DirectiveText> out = DirectiveText::around(code, line);
  if (auto own = DirectiveText::at(code, line); own && own->clause("reduction") != nullptr)
    out.push_back(std::move(*own));
  return out;
}

/// The first of the two constructs had a barrier, if its nowait did not take it away.
std::optional<Repair> barrier_of_construct(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  std::optional<DirectiveText> found;
  for (const Diagnostic* one : group) {
    const auto lines = one->rule == Rule::data_race ? lines_in_one_function(*one, code) : std::nullopt;
    if (!lines) return std::nullopt;
    std::optional<DirectiveText> own;
    for (const DirectiveText& around : constructs_of(code, lines->first)) {
      const auto body = around.body(code);
      // The checker has seen the two in two constructs: around both, it is one that the threads come to again.
      const bool again = body && body->contains(lines->second) && one->cause == Cause::missing_barrier;
      if (!body || (body->contains(lines->second) && !again)) continue;
      if (around.clause("nowait") != nullptr) own = around;
      const std::uint32_t last = body->end.line;
      for (const std::uint32_t line : {last, last + 1}) { // a loop of Fortran ends with a line of its own
        const auto end = code.is_c() ? std::nullopt : DirectiveText::at(code, line);
        if (end && end->is("end") && end->clause("nowait") != nullptr) own = end;
      }
    }
    if (!own || (found && found->first_line() != own->first_line())) return std::nullopt;
    found = own;
  }
  const auto edit = found ? found->without(code, "nowait") : std::nullopt;
  if (!edit) return std::nullopt;
  return Repair{"remove 'nowait' here: the construct then ends with a barrier", {*edit}};
}

/// The line begins a statement of the block itself, neither in a loop nor under a condition of a line above.
bool is_statement_of_block(const Code& code, std::uint32_t line, const Extent& block, bool may_be_condition = false) {
  const auto blocks = code.blocks_around(line);
  const std::string_view above = trimmed(code.line(line - 1)), own = first_word(trimmed(code.line(line)));
  return !blocks.empty() && blocks.front().begin == block.begin && begins_a_statement(code, line) &&
         !above.ends_with(')') && !above.ends_with("else") && above != "do" &&
         (may_be_condition || (own != "if" && own != "while"));
}

/// The construct around a line that the threads of the region come to directly, and the region; the construct is the
/// region where the line is in no other one.
std::optional<std::pair<DirectiveText, DirectiveText>> in_region(const Code& code, std::uint32_t line, Codes& codes) {
  const auto around = DirectiveText::around(code, line);
  const auto region = std::ranges::find_if(around, [](const DirectiveText& one) { return one.is("parallel"); });
  if (region == around.end() || region->shares_a_loop() || region->is("sections")) return std::nullopt;
  if (region == around.begin()) return std::pair(*region, *region);
  const DirectiveText& own = *std::prev(region);
  const SourcePlace construct{code.file(), own.first_line(), 1};
  const bool direct = is_directly_in_region(construct, codes.sources());
  return direct ? std::optional(std::pair(own, *region)) : std::nullopt;
}

/// A barrier between two statements that all threads of the region execute, one after the other and once. The second
/// may be in a construct, in front of which the barrier stands.
std::optional<Repair> barrier_between(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::uint32_t before = 0, behind = 0; // the last of the first ones, the first of the others
  std::optional<std::uint32_t> region, construct;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const auto [first, second] = std::minmax(sites[i].place.line, sites[i + 1].place.line);
    if (first == second || sites[i].task != TaskKind::implicit || sites[i + 1].task != TaskKind::implicit)
      return std::nullopt;
    before = std::max(before, first);
    behind = behind == 0 ? second : std::min(behind, second);
    for (const std::uint32_t line : {first, second}) {
      const auto around = in_region(code, line, codes);
      if (!around || (region && *region != around->second.first_line())) return std::nullopt;
      region = around->second.first_line();
      const bool in_construct = around->first.first_line() != *region;
      if (in_construct && (line == first || (construct && *construct != around->first.first_line())))
        return std::nullopt;
      if (in_construct) construct = around->first.first_line();
    }
  }
  if (before >= behind) return std::nullopt;
  const auto directive_of_region = DirectiveText::at(code, *region);
  const auto body = directive_of_region ? directive_of_region->body(code) : std::nullopt;
  if (!body) return std::nullopt;
  const std::vector<Extent> parts = code.parts_of(*body);
  const auto part_at = [&](std::uint32_t line) {
    return std::ranges::find_if(parts, [&](const Extent& part) { return part.contains(line); });
  };
  const auto first = part_at(before), second = part_at(behind);
  if (first == parts.end() || second == parts.end() || !(first->end < second->begin)) return std::nullopt;
  // Parts of a loop or a condition: what one thread has written the other one reads behind it.
  const bool simple = is_statement_of_block(code, before, *body) && is_statement_of_block(code, behind, *body, true);
  for (std::size_t i = 0; !simple && i < sites.size(); i += 2) {
    const bool in_order = sites[i].place.line < sites[i + 1].place.line;
    if (!is_write(sites[i + (in_order ? 0 : 1)].type) || is_write(sites[i + (in_order ? 1 : 0)].type))
      return std::nullopt;
  }
  behind = construct ? std::min(*construct, second->begin.line) : second->begin.line;
  if (!begins_a_statement(code, behind) || !code.directive_line(behind - 1).empty() ||
      (construct && !is_statement_of_block(code, behind, *body)))
    return std::nullopt;
  // Nobody leaves in between.
  for (std::uint32_t line = body->begin.line; line < behind; ++line)
    for (const std::string_view word : {"return", "goto", "cancel"})
      if (mentions(code.line(line), word) || mentions(code.directive_line(line), word)) return std::nullopt;
  const std::string text = directive(code.file(), "barrier");
  return Repair{"add '" + text + "' before this line: every thread has then executed the code above",
                {inserted_before(code, behind, text, behind)}};
}

/// All threads of the team come to the loop's head with the same values: it names nothing that the region sets.
bool is_same_for_all(const Code& code, const Extent& loop, const Extent& region) {
  constexpr std::array<std::string_view, 7> types{"int", "long", "unsigned", "short", "size_t", "auto", "const"};
  const std::string head = code.text({{loop.begin.line, 0}, loop.begin});
  for (std::size_t i = 0; i < head.size();) {
    const std::string_view word = first_word(std::string_view(head).substr(i));
    if (word.empty()) {
      ++i;
      continue;
    }
    const bool named = std::ranges::find(types, word) == types.end();
    const bool set_before = named && !code.mentions(word, {region.begin, {loop.begin.line, 0}}).empty();
    if (set_before || word == "omp_get_thread_num") return false;
    i += word.size();
  }
  return true;
}

/// In a loop a barrier stands between two statements, but none between an iteration's end and the next one.
std::optional<Repair> barrier_of_iteration(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::optional<Extent> loop;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const auto [first, second] = std::minmax(sites[i].place.line, sites[i + 1].place.line);
    if (sites[i].task != TaskKind::implicit || sites[i + 1].task != TaskKind::implicit) return std::nullopt;
    bool separated = false;
    for (const std::uint32_t line : {first, second}) {
      const auto blocks = code.blocks_around(line);
      if (blocks.empty() || (loop && loop->begin != blocks.front().begin)) return std::nullopt;
      loop = blocks.front();
    }
    for (std::uint32_t line = first + 1; line < second; ++line) {
      const auto directive = DirectiveText::at(code, line);
      separated = separated || (directive && directive->is("barrier") && directive->stands_alone() &&
                                code.blocks_around(line).front().begin == loop->begin);
    }
    if (!separated) return std::nullopt;
  }
  const std::uint32_t end = loop->end.line;
  const auto around = DirectiveText::around(code, end);
  const auto blocks = code.blocks_around(loop->begin.line);
  const auto outer = std::ranges::find_if(blocks, [&](const Extent& one) { return one.begin < loop->begin; });
  const auto region = around.empty() ? std::nullopt : around.front().body(code);
  if (!region || !around.front().is("parallel") || around.front().shares_a_loop() || around.front().is("sections") ||
      outer == blocks.end() || outer->begin != region->begin ||
      first_word(trimmed(code.line(loop->begin.line))) != "for" || trimmed(code.line(end)) != "}" ||
      !is_same_for_all(code, *loop, *region))
    return std::nullopt;
  for (std::uint32_t line = region->begin.line; line < end; ++line)
    for (const std::string_view word : {"return", "goto", "cancel", "break", "continue"})
      if (mentions(code.line(line), word) || mentions(code.directive_line(line), word)) return std::nullopt;
  const std::string text = directive(code.file(), "barrier");
  return Repair{"add '" + text +
                    "' before this line: a thread that begins the next iteration has to wait for the others",
                {inserted_before(code, end, text, sites.front().place.line)}};
}

} // namespace

std::optional<Repair> repair_barrier(const Group& group, Codes& codes) {
  if (auto found = barrier_of_construct(group, codes)) return found;
  if (group.front()->cause == Cause::missing_barrier)
    if (auto found = barrier_behind_masked(group, codes)) return found;
  if (!group.front()->edits.empty()) return std::nullopt; // a barrier that is as good
  if (auto found = barrier_between(group, codes)) return found;
  return barrier_of_iteration(group, codes);
}

} // namespace fletcher::reports
