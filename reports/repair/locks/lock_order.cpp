// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks that are taken in two orders: statements that take locks change places, or the locks that a call hands to a
// function that takes both, or the names of two critical constructs of which one is all that the other has.
#include "reports/repair/locks/locks_in_turn.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// A statement on a line of its own that takes a lock.
bool takes_a_lock(std::string_view line) {
  static const std::regex call(
      R"(^\s*(?:call\s+)?(?:omp_set_lock|omp_set_nest_lock|pthread_mutex_lock|mtx_lock)\s*\([^()]*\)\s*;?\s*$)");
  return std::regex_match(line.begin(), line.end(), call) || !guarded_mutex(line).empty();
}

/// What is between two statements of one block that take locks releases none, and has nothing that the second one
/// names. Then the second lock can be taken first.
bool can_be_first(const Code& code, std::uint32_t first, std::uint32_t second) {
  const auto blocks = code.blocks_around(first), others = code.blocks_around(second);
  if (!code.is_c() || blocks.empty() || others.empty() || blocks.front().begin != others.front().begin) return false;
  for (const std::uint32_t line : {first, second})
    if (!begins_a_statement(code, line) || trimmed(code.line(line - 1)).ends_with(')') ||
        trimmed(code.line(line - 1)).ends_with("else"))
      return false;
  const std::string_view own = code.line(second);
  for (std::uint32_t line = first + 1; line < second; ++line) {
    const std::string_view text = code.line(line);
    if (text.find("lock") != std::string_view::npos || !code.directive_line(line).empty()) return false;
    for (const std::string_view word : {"return", "break", "continue", "goto", "throw"})
      if (mentions(text, word)) return false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::string_view word = first_word(own.substr(i));
      if (word.empty()) continue;
      if (word != "std" && mentions(text, word)) return false;
      i += word.size() - 1;
    }
  }
  return true;
}

/// Two statements that take locks change places, or the second comes in front of the first one.
std::optional<Repair> other_order(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  std::vector<SourcePlace> places{leader.place};
  for (const Note& note : leader.notes)
    if (note.kind == Note::Kind::step) places.push_back(note.place);
  std::set<std::pair<std::string, std::uint32_t>> all;
  for (const SourcePlace& place : places) {
    if (!place.known()) return std::nullopt;
    all.insert({place.file, place.line});
  }
  if (all.size() != 4) return std::nullopt; // two tasks, each of which takes two locks at places of its own
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    const auto before = std::next(one);
    if (before == all.rend() || before->first != one->first) continue;
    const auto& [file, second] = *one;
    const std::uint32_t first = before->second;
    const Code& code = codes.of(file);
    if (!takes_a_lock(code.line(first)) || !takes_a_lock(code.line(second)) ||
        without_blanks(code.line(first)) == without_blanks(code.line(second)))
      continue;
    std::uint32_t above = second - 1;
    while (above > first && trimmed(code.line(above)).empty() && code.directive_line(above).empty()) --above;
    const std::string sentence = "take the two locks in the other order here";
    if (above == first)
      return Repair{sentence,
                    {{{file, first, 1}, std::string(code.original(second)), true},
                     {{file, second, 1}, std::string(code.original(first)), true}}};
    if (can_be_first(code, first, second))
      return Repair{sentence,
                    {inserted_before(code, first, std::string(trimmed(code.original(second))), first),
                     {{file, second, 1}, "", true}}};
  }
  return std::nullopt;
}

/// The parameter serves for nothing but setting and unsetting the lock.
bool is_only_locked(const Code& code, const Extent& body, std::string_view parameter) {
  return std::ranges::all_of(code.mentions(parameter, body), [&](Position at) {
    if (at.line == body.begin.line && at < body.begin) return true;
    const auto call = lock_call(code.line(at.line));
    return call && call->lock == parameter;
  });
}

/// A function takes two locks that it is given, and is called with them in two orders: one call names them in the
/// other.
std::optional<Repair> other_arguments(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  std::vector<const std::vector<Frame>*> stacks{&leader.stack};
  for (const Note& note : leader.notes)
    if (note.kind == Note::Kind::step) stacks.push_back(&note.stack);
  std::set<std::uint32_t> calls;
  std::set<std::string> parameters;
  const Code* code = nullptr;
  std::optional<Extent> body;
  for (const auto* stack : stacks) {
    if (stack->size() < 2 || !(*stack)[0].place.known() || !(*stack)[1].place.known()) return std::nullopt;
    const SourcePlace &taken = (*stack)[0].place, &called = (*stack)[1].place;
    if (code == nullptr) {
      code = &codes.of(taken.file);
      body = code->function_around(taken.line);
    }
    const auto call = lock_call(code->line(taken.line));
    if (!code->is_c() || !body || taken.file != code->file() || called.file != code->file() ||
        !body->contains(taken.line) || body->contains(called.line) || !call || undone_by(call->function).empty())
      return std::nullopt;
    parameters.insert(call->lock);
    calls.insert(called.line);
  }
  // Each task comes by a call of its own.
  if (calls.size() < 2 || calls.size() * 2 != stacks.size() || parameters.size() != 2) return std::nullopt;
  const std::string_view function = plain_name(leader.stack.front().function.name);
  const std::vector<std::string> names = parameters_of(*code, *body, function);
  const auto a = std::ranges::find(names, *parameters.begin()), b = std::ranges::find(names, *parameters.rbegin());
  if (a == names.end() || b == names.end()) return std::nullopt;
  if (!std::ranges::all_of(parameters, [&](const auto& one) { return is_only_locked(*code, *body, one); }))
    return std::nullopt;
  const std::uint32_t line = *calls.rbegin();
  std::vector<Argument> given = arguments_of(code->line(line), function);
  if (given.size() != names.size()) return std::nullopt;
  Argument first = given[static_cast<std::size_t>(a - names.begin())],
           second = given[static_cast<std::size_t>(b - names.begin())];
  if (second.column < first.column) std::swap(first, second);
  std::string text(code->original(line));
  if (text.substr(first.column, first.text.size()) != first.text ||
      text.substr(second.column, second.text.size()) != second.text)
    return std::nullopt;
  text.replace(second.column, second.text.size(), first.text);
  text.replace(first.column, first.text.size(), second.text);
  return Repair{"pass the locks in the other order here, as the other calls do",
                {{{code->file(), line, 1}, std::move(text), true}}};
}

/// A critical construct is all that another one has: they change names.
std::optional<Repair> other_names(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const auto lines = lines_of_steps(leader);
  const Code& code = codes.of(leader.place.file);
  if (!lines || lines->size() != 4 || !code.is_c()) return std::nullopt;
  for (auto inner = lines->rbegin(); inner != lines->rend(); ++inner) {
    const auto own = DirectiveText::at(code, *inner);
    const auto around = DirectiveText::around(code, *inner);
    const auto outer =
        std::ranges::find_if(around, [&](const DirectiveText& one) { return one.first_line() != *inner; });
    if (!own || !own->is("critical") || outer == around.end() || !outer->is("critical") ||
        !lines->contains(outer->first_line()) || !own->clauses().empty() || !outer->clauses().empty())
      continue;
    const auto whole = outer->body(code), part = own->body(code);
    if (!whole || !part) continue;
    const std::string before = code.text({whole->begin, part->begin}), behind = code.text({part->end, whole->end});
    if (without_blanks(before) != "{" || without_blanks(behind) != "}") continue;
    const auto first = outer->renamed(code, own->argument()), second = own->renamed(code, outer->argument());
    if (!first || !second) continue;
    return Repair{"enter the two critical constructs in the other order here", {*first, *second}};
  }
  return std::nullopt;
}

/// A lock that is set and unset inside of a critical construct, first and last: it is set around the construct.
std::optional<Repair> lock_around_critical(const Group& group, const Code& code, std::uint32_t set) {
  const auto around = DirectiveText::around(code, set);
  const auto body =
      code.is_c() && !around.empty() && around.front().is("critical") ? around.front().body(code) : std::nullopt;
  const std::uint32_t construct = body ? around.front().first_line() : 0;
  if (!body || group.size() != 1 || around.front().last_line() + 2 != set || body->begin.line + 1 != set ||
      construct != around.front().last_line() || trimmed(code.line(set - 1)) != "{" ||
      trimmed(code.line(body->end.line)) != "}" || !begins_a_statement(code, construct))
    return std::nullopt;
  const std::uint32_t end = body->end.line, unset = end - 1;
  const auto first = lock_call(code.line(set)), last = lock_call(code.line(unset));
  if (!first || !last || undone_by(first->function) != last->function || first->lock != last->lock) return std::nullopt;
  for (std::uint32_t line = set + 1; line < unset; ++line)
    if (lock_call(code.line(line)) || mentions(code.line(line), "return") || !code.directive_line(line).empty())
      return std::nullopt;
  const std::string_view own = code.original(end);
  const std::string indent(own.substr(0, own.find('}')));
  const auto at = [&](std::uint32_t line, std::string text) {
    return Edit{{code.file(), line, 1}, std::move(text), true};
  };
  return Repair{"set the lock before the critical construct begins, as the other task does",
                {at(construct, indent + std::string(trimmed(code.original(set)))),
                 at(construct + 1, std::string(code.original(construct))), at(set, std::string(code.original(set - 1))),
                 at(unset, std::string(own)), at(end, indent + std::string(trimmed(code.original(unset))))}};
}

} // namespace

std::optional<Repair> repair_lock_order(const Group& group, Codes& codes) {
  if (auto found = other_order(group, codes)) return found;
  if (auto found = other_arguments(group, codes)) return found;
  const Diagnostic& leader = *group.front();
  if (auto found = repair_locks_in_turn(leader, codes)) return found;
  if (auto found = other_names(group, codes)) return found;
  const auto lines = leader.rule == Rule::lock_order_cycle ? lines_of_steps(leader) : std::nullopt;
  for (const std::uint32_t line : lines.value_or(std::set<std::uint32_t>()))
    if (auto found = lock_around_critical(group, codes.of(leader.place.file), line)) return found;
  return std::nullopt;
}

} // namespace fletcher::reports
