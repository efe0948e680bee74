// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order that a change brings about: who waits for whom where two ways from one task part.
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/trial/trial.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

struct Lines {
  std::uint32_t first = 0, then = 0;
};

/// The two lines of one function in which two call paths part, or the one that they share; nothing where there are
/// none, or it is not in the changed file.
std::optional<Lines> parting(const std::vector<SourcePlace>& a, const std::vector<SourcePlace>& b, const Code& code) {
  for (auto one = a.rbegin(); one != a.rend(); ++one) // from the outermost call inward
    for (auto other = b.rbegin(); other != b.rend(); ++other) {
      if (one->file != code.file() || other->file != code.file() || one->line == other->line) continue;
      const auto function = code.function_around(one->line);
      if (function && function->contains(other->line)) return Lines{one->line, other->line};
    }
  const bool same = !a.empty() && !b.empty() && a.back().line == b.back().line && a.back().file == code.file() &&
                    b.back().file == code.file() && code.function_around(a.back().line);
  return same ? std::optional(Lines{a.back().line, a.back().line}) : std::nullopt;
}

std::optional<Extent> block_around(const Code& code, std::uint32_t line) {
  const auto blocks = code.blocks_around(line);
  return blocks.empty() ? std::nullopt : std::optional(blocks.front());
}

bool is_loop(const Code& code, const Extent& block) {
  constexpr std::array<std::string_view, 3> words{"for", "while", "do"};
  const std::string_view head = code.line(block.begin.line).substr(0, block.begin.column);
  const std::string_view above = trimmed(head).empty() ? code.line(block.begin.line - 1) : std::string_view();
  return std::ranges::any_of(words,
                             [&](auto word) { return mentions(head, word) || first_word(trimmed(above)) == word; });
}

/// The innermost loop with a block around both lines.
std::optional<Extent> common_loop(const Code& code, const Lines& lines) {
  for (const Extent& block : code.blocks_around(lines.first))
    if (block.contains(Position{lines.then, 0}) && is_loop(code, block)) return block;
  return std::nullopt;
}

/// A thread that reaches the second line has passed what stands in front of `before`.
bool is_passed(const Code& code, std::uint32_t before, std::uint32_t then) {
  if (!code.is_c()) return true; // directives of Fortran stand in no condition that its blocks would show
  const auto block = block_around(code, before);
  return block && block->contains(Position{then, 0});
}

/// The iterations of the loop are divided among threads.
bool is_divided(const Extent& loop, const Change& change) {
  return std::ranges::any_of(change.around(loop.begin.line + 1), [&](const Construct& one) {
    const auto iteration = change.code().behind_head(one.body);
    return one.directive.shares_a_loop() && iteration &&
           (iteration->begin == loop.begin || one.directive.clause("collapse") != nullptr);
  });
}

/// The wait is for the children whose construct is at `task`.
bool waits_for(const Wait& wait, std::optional<std::uint32_t> task, const Change& change) {
  if (wait.directive.is("barrier")) return true;
  if (!wait.directive.is("taskwait") || wait.directive.clause("nowait") != nullptr) return false;
  const auto items = depend_clauses(wait.directive);
  if (items.empty()) return true;
  const auto directive = task ? change.directive_at(*task) : std::nullopt;
  return directive && std::ranges::any_of(items, [&](const DependClause& clause) {
           return std::ranges::any_of(clause.items,
                                      [&](const std::string& item) { return !type_of(*directive, item).empty(); });
         });
}

/// A construct around the first line, and not around the second, at whose end one waits for the tasks that are created
/// in it and for theirs.
bool ends_with_wait(const Lines& lines, const Change& change) {
  auto constructs = change.around(lines.first);
  if (auto own = change.construct_at(lines.first)) constructs.push_back(std::move(*own)); // of a taskloop's tasks
  return std::ranges::any_of(constructs, [&](const Construct& one) {
    const bool waits =
        one.directive.is("taskgroup") || (one.directive.is("taskloop") && one.directive.clause("nogroup") == nullptr);
    return waits && one.body.end.line < lines.then;
  });
}

/// In a task's code, one waits behind the creation of its child before the task ends.
bool waits_before_end(const std::vector<SourcePlace>& creation, const Change& change, Codes& codes) {
  const Code& code = change.code();
  for (const SourcePlace& place : creation) {
    if (place.file != code.file()) continue;
    const auto function = code.function_around(place.line);
    if (!function) continue;
    const auto around = change.around(place.line);
    const auto task = std::ranges::find_if(around, [](const Construct& one) { return one.directive.is("task"); });
    const std::uint32_t end = task == around.end() ? function->end.line : task->body.end.line;
    for (const Wait& wait : change.waits_between(place.line, end)) {
      const auto block = block_around(code, wait.before);
      const bool in_block = !code.is_c() || (block && block->contains(Position{place.line, 0}));
      if (in_block && waits_for(wait, line_of_task(creation.front(), change, codes), change)) return true;
    }
    if (ends_with_wait({place.line, end + 1}, change)) return true;
  }
  return false;
}

/// All tasks between an ancestor's child and the one at the end of the way wait for their own.
bool all_wait(const TrialSide& side, std::size_t ancestor, const Change& change, Codes& codes) {
  for (std::size_t k = 1; k < ancestor; ++k)
    if (!waits_before_end(side.at[k], change, codes)) return false;
  return true;
}

/// The common task waits for the child on the way of `first` before it comes to that of `then`.
bool waits_between(const TrialSide& first, std::size_t i, const TrialSide& then, std::size_t j, const Change& change,
                   Codes& codes) {
  if (i == 0) return false;
  const Code& code = change.code();
  const auto lines = parting(first.at[i], then.at[j], code);
  if (!lines) return false;
  const auto task = line_of_task(first.tasks[i - 1].created, change, codes);
  const bool nested = all_wait(first, i, change, codes);
  const auto loop = common_loop(code, *lines);
  const auto awaited = [&](std::uint32_t from, std::uint32_t to) {
    return nested && std::ranges::any_of(change.waits_between(from, to), [&](const Wait& wait) {
             return is_passed(code, wait.before, to) && waits_for(wait, task, change);
           });
  };
  if (lines->first >= lines->then) // in the next iteration, which another thread may have
    return j == 0 && loop && !is_divided(*loop, change) &&
           (awaited(lines->first, loop->end.line) || awaited(loop->begin.line, lines->then));
  if (j > 0 && loop) { // in another iteration the second may come first
    const auto again = change.waits_between(lines->then, loop->end.line);
    if (std::ranges::none_of(again, [&](const Wait& wait) { return waits_for(wait, std::nullopt, change); }))
      return false;
  }
  return ends_with_wait(*lines, change) || awaited(lines->first, lines->then);
}

// ---- threads of a team
// --------------------------------------------------------------------------------------------------

/// All threads of the team wait at the end of the construct.
bool ends_with_barrier(const Construct& one) {
  const DirectiveText& directive = one.directive;
  const bool shares = directive.is("for") || directive.is("do") || directive.is("sections") || directive.is("single") ||
                      directive.is("workshare") || directive.is("scope") || directive.is("loop");
  return shares && !directive.is("parallel") && !directive.is("taskloop") && directive.clause("nowait") == nullptr;
}

/// The clause of a construct of Fortran may stand at its end.
bool has_nowait_at_end(const Construct& one, const Change& change) {
  if (change.code().is_c()) return false;
  for (const std::uint32_t line : {one.body.end.line, one.body.end.line + 1}) {
    const auto end = change.directive_at(line);
    if (end && end->is("end")) return end->clause("nowait") != nullptr;
  }
  return false;
}

bool barrier_between(std::uint32_t first, std::uint32_t then, const Change& change) {
  const Code& code = change.code();
  for (const Wait& wait : change.waits_between(first, then))
    if (wait.directive.is("barrier") && is_passed(code, wait.before, then)) return true;
  auto constructs = change.around(first);
  if (auto own = change.construct_at(first))
    constructs.push_back(std::move(*own)); // a reduction ends where its loop does
  for (const Construct& one : constructs)
    if (ends_with_barrier(one) && !has_nowait_at_end(one, change) && one.body.end.line < then) return true;
  // A construct that all of the way passes.
  for (std::uint32_t line = first + 1; line < then; ++line) {
    if (code.directive_line(line).empty()) continue;
    const auto one = change.construct_at(line);
    if (one && one->body.end.line < then && ends_with_barrier(*one) && !has_nowait_at_end(*one, change) &&
        is_passed(code, line, then))
      return true;
  }
  return false;
}

bool is_thread(const LineageTask& task) { return task.name.starts_with("thread "); }

/// In the functions that the side has called since line `parted`, it is in a construct that ends with a barrier.
bool ends_in_callee(const std::vector<SourcePlace>& path, std::uint32_t parted, const Change& change) {
  for (const SourcePlace& place : path) {
    if (place.file != change.code().file()) continue;
    if (place.line == parted) return false;
    if (std::ranges::any_of(change.around(place.line), [&](const Construct& one) {
          return ends_with_barrier(one) && !has_nowait_at_end(one, change);
        }))
      return true;
  }
  return false;
}

/// Two threads of one team, or tasks that they created: a barrier between the two, and one between the second and the
/// first of the next round of a loop around both.
bool barrier_orders(const TrialPair& pair, std::size_t i, std::size_t j, const Change& change) {
  const auto &a = pair.sides[0], &b = pair.sides[1];
  const bool by_one = is_thread(a.tasks[i]); // and its tasks, for which it waits at a barrier, too
  if (!by_one && (i == 0 || j == 0 || !is_thread(a.tasks[i - 1]) || !is_thread(b.tasks[j - 1]))) return false;
  const Code& code = change.code();
  const auto &own = a.at[by_one ? i : i - 1], &other = b.at[by_one ? j : j - 1];
  auto lines = parting(own, other, code);
  if (!lines) return false;
  bool first_ends = ends_in_callee(own, lines->first, change), then_ends = ends_in_callee(other, lines->then, change);
  if (lines->first > lines->then) {
    std::swap(lines->first, lines->then);
    std::swap(first_ends, then_ends);
  }
  const auto loop = common_loop(code, *lines);
  const auto next_round = [&] {
    return then_ends || barrier_between(lines->then, loop->end.line, change) ||
           barrier_between(loop->begin.line, lines->first, change);
  };
  // The checker has seen the two in two constructs: those on one line are in two rounds of a loop.
  if (lines->first == lines->then) return loop && pair.finding.cause == Cause::missing_barrier && next_round();
  if (!first_ends && !barrier_between(lines->first, lines->then, change)) return false;
  const auto around = change.around(lines->first);
  const auto region = std::ranges::find_if(around, [](const Construct& one) { return one.directive.is("parallel"); });
  const bool in_region = loop && (region == around.end() || region->body.begin < loop->begin);
  return !in_region || next_round();
}

// ---- dependences
// --------------------------------------------------------------------------------------------------

bool dependence_orders(const TrialPair& pair, const Change& change, Codes& codes) {
  const auto [i, j] = *pair.common;
  return all_wait(pair.sides[0], i, change, codes) && all_wait(pair.sides[1], j, change, codes) &&
         have_ordering_item(pair, change, codes);
}

/// Where the ways of the two part is in the changed file.
bool meet_in_source(const TrialPair& pair, const Code& code) {
  if (!pair.common) return false;
  const auto [i, j] = *pair.common;
  return parting(pair.sides[0].at[i], pair.sides[1].at[j], code).has_value() ||
         (i > 0 && j > 0 && parting(pair.sides[0].at[i - 1], pair.sides[1].at[j - 1], code).has_value());
}

} // namespace

std::optional<std::uint32_t> line_of_task(const SourcePlace& created, const Change& change, Codes& codes) {
  if (created.file != change.code().file()) return std::nullopt;
  return line_of_construct(created, codes.sources());
}

bool are_ordered(const TrialPair& pair, const Change& change, Codes& codes) {
  if (!pair.common) return false;
  const auto [i, j] = *pair.common;
  const auto &a = pair.sides[0], &b = pair.sides[1];
  return waits_between(a, i, b, j, change, codes) || waits_between(b, j, a, i, change, codes) ||
         barrier_orders(pair, i, j, change) || publishes(a, b, change) || publishes(b, a, change) ||
         dependence_orders(pair, change, codes);
}

bool is_unclear(const Diagnostic& finding, const Change& change, Codes& codes) {
  const TrialPair pair(finding);
  if (finding.rule != Rule::missing_taskwait && !change.only_excludes() && !meet_in_source(pair, change.code()))
    return true;
  return may_have_ordering_item(pair, change, codes);
}

bool is_awaited(const Diagnostic& finding, const Change& change, Codes& codes) {
  const Code& code = change.code();
  const auto line = line_of_task(finding.place, change, codes);
  const auto function = line ? code.function_around(*line) : std::nullopt;
  if (!function) return false;
  const bool local = finding.declared.file == code.file() && function->contains(finding.declared.line);
  const auto own = local ? block_around(code, finding.declared.line) : std::nullopt;
  const std::uint32_t end = own && own->contains(Position{*line, 0}) ? own->end.line : function->end.line;
  const auto leaves = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t l = from; l < to; ++l)
      for (const std::string_view word : {"return", "goto", "throw"})
        if (mentions(code.line(l), word)) return true;
    return false;
  };
  for (const Wait& wait : change.waits_between(*line, end)) {
    const auto block = block_around(code, wait.before);
    if (wait.is_new && block && block->contains(Position{*line, 0}) && !leaves(*line, wait.before) &&
        waits_for(wait, line, change))
      return true;
  }
  return ends_with_wait({*line, end + 1}, change);
}

} // namespace fletcher::reports
