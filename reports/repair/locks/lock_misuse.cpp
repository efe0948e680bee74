// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks that are set twice, unset by others than who set them, destroyed too early, or used by routines for another
// kind.
#include "reports/repair/locks/left_set.hpp"
#include "reports/repair/locks/lock_initialisation.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// A lock that a function sets which its caller has set: all that the program does with it, it does with a nestable
/// one.
std::optional<Repair> made_nestable(const Diagnostic& leader, const Code& code, const LockCall& set) {
  const auto note = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
  const std::string name(first_word(std::string_view(set.lock).substr(set.lock.starts_with('&') ? 1 : 0)));
  if (note == leader.notes.end() || note->place.file != code.file() || set.lock != "&" + name) return std::nullopt;
  const auto here = code.function_around(leader.place.line), there = code.function_around(note->place.line);
  if (!here || !there || here->begin == there->begin) return std::nullopt; // set twice by mistake
  static const std::regex declaration(R"(^\s*(?:static\s+)?omp_lock_t\s+\w+\s*;\s*$)");
  static const std::regex use(R"(^\s*omp_(?:init|destroy|set|unset)_lock\s*\(\s*&\s*\w+\s*\)\s*;\s*$)");
  Repair out{"make the lock nestable: the task that has set it may then set it again", {}};
  std::uint32_t last = 0;
  for (const Position at : code.mentions(name, code.whole())) {
    if (at.line == last) return std::nullopt;
    last = at.line;
    const std::string_view line = code.line(at.line);
    const bool declares = std::regex_match(line.begin(), line.end(), declaration);
    if (!declares && !std::regex_match(line.begin(), line.end(), use)) return std::nullopt;
    std::string text(code.original(at.line));
    text.insert(text.find("lock", text.find("omp_")), "nest_");
    out.edits.push_back({{code.file(), at.line, 1}, std::move(text), true});
  }
  return out.edits.empty() ? std::nullopt : std::optional(out);
}

/// A lock that is set when it is destroyed, in one block.
std::optional<Repair> unset_before_destroy(const Diagnostic& leader, const Code& code) {
  const auto note = std::ranges::find_if(leader.notes, [](const Note& one) { return one.kind == Note::Kind::step; });
  if (note == leader.notes.end() || note->place.file != code.file()) return std::nullopt;
  const std::uint32_t at = leader.place.line, set_at = note->place.line;
  const auto set = omp_lock_call(code, set_at);
  const std::string_view text = trimmed(code.line(at));
  if (!set || undone_by(set->function).empty() || set_at >= at || !text.starts_with("omp_destroy_"))
    return std::nullopt;
  const auto here = code.blocks_around(at), there = code.blocks_around(set_at);
  if (here.empty() || there.empty() || here.front().begin != there.front().begin ||
      without_blanks(text).find("(" + without_blanks(set->lock) + ")") == std::string::npos ||
      !begins_a_statement(code, at))
    return std::nullopt;
  for (std::uint32_t line = set_at + 1; line < at; ++line)
    if (const auto call = omp_lock_call(code, line); call && is_same_lock(*call, *set)) return std::nullopt;
  const std::string call = std::string(undone_by(set->function)) + "(" + set->lock + ");";
  return Repair{"add '" + call + "' before this line", {inserted_before(code, at, call, at)}};
}

/// A call that unsets a lock which its block has not set: the block sets it at its beginning.
std::optional<Edit> set_first(const Code& code, std::uint32_t line) {
  const auto unset = omp_lock_call(code, line);
  const auto blocks = code.blocks_around(line);
  if (!unset || !undone_by(unset->function).empty() || blocks.size() < 2)
    return std::nullopt; // a caller of the function may set it
  const Extent& block = blocks.front();
  if (!trimmed(code.line(block.begin.line).substr(block.begin.column + 1)).empty()) return std::nullopt;
  for (std::uint32_t other = blocks.back().begin.line; other <= blocks.back().end.line; ++other) {
    const bool waits = block.contains(other) && other < line && !code.directive_line(other).empty();
    const auto call = other == line ? std::nullopt : omp_lock_call(code, other);
    if (waits || (call && is_same_lock(*call, *unset) && block.contains(other))) return std::nullopt;
    if (!call || !is_same_lock(*call, *unset)) continue;
    // Set by a block around this one it would be set twice.
    const auto around = code.blocks_around(other);
    if (other < line &&
        std::ranges::any_of(
            blocks,
            [&](const Extent& one) { return one.begin == around.front().begin && !undone_by(call->function).empty(); }))
      return std::nullopt;
  }
  const std::string set = unset->function == "omp_unset_lock" ? "omp_set_lock" : "omp_set_nest_lock";
  const std::uint32_t first = block.begin.line + 1;
  return inserted_before(code, first, set + "(" + unset->lock + ");", first);
}

/// A lock that one task sets and another one unsets: each does both.
std::optional<Repair> both_halves(const Group& group, const Code& code) {
  Repair out{"set and unset the lock in the same task: only the task that set a lock owns it", {}};
  for (const Diagnostic* one : group) {
    if (one->rule != Rule::lock_misuse || one->place.file != code.file()) return std::nullopt;
    auto call = omp_lock_call(code, one->place.line);
    if (!call) return std::nullopt;
    if (undone_by(call->function).empty()) {
      const auto edit = set_first(code, one->place.line);
      if (!edit) return std::nullopt;
      out.edits.push_back(*edit);
      // A run that ends there does not show that the other one leaves it set.
      const auto other = std::ranges::find(one->notes, Note::Kind::step, &Note::kind);
      const bool known = other == one->notes.end() || other->place.file != code.file() ||
                         std::ranges::any_of(group, [&](const auto* d) { return d->place == other->place; });
      auto set = known ? std::nullopt : omp_lock_call(code, other->place.line);
      auto unset = set && !undone_by(set->function).empty() ? repair_left_set(code, other->place.line, std::move(*set))
                                                            : std::nullopt;
      if (unset) out.edits.insert(out.edits.end(), unset->edits.begin(), unset->edits.end());
      continue;
    }
    auto unset = repair_left_set(code, one->place.line, std::move(*call));
    if (!unset) return std::nullopt;
    out.edits.insert(out.edits.end(), unset->edits.begin(), unset->edits.end());
  }
  return out;
}

/// Unset in a construct that the block has which sets the lock: it comes behind that construct.
std::optional<Repair> unset_behind_construct(const Diagnostic& leader, const Code& code) {
  const auto note = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
  const std::uint32_t line = leader.place.line;
  const auto unset = omp_lock_call(code, line);
  if (note == leader.notes.end() || note->place.file != code.file() || !unset || !begins_a_statement(code, line))
    return std::nullopt;
  const auto set = omp_lock_call(code, note->place.line);
  const auto blocks = code.blocks_around(note->place.line);
  if (!set || !is_same_lock(*set, *unset) || blocks.empty() || note->place.line >= line) return std::nullopt;
  for (std::uint32_t l = note->place.line + 1; l < blocks.front().end.line; ++l)
    if (const auto call = omp_lock_call(code, l); l != line && call && is_same_lock(*call, *unset)) return std::nullopt;
  for (const DirectiveText& one : DirectiveText::around(code, line)) {
    const auto own = code.blocks_around(one.first_line());
    const auto body = one.body(code);
    if (own.empty() || own.front().begin != blocks.front().begin || one.first_line() <= note->place.line) continue;
    if (!body || !trimmed(code.line(body->end.line).substr(body->end.column)).empty() ||
        trimmed(code.line(line - 1)).ends_with(')') || (!one.is("task") && !one.is("parallel")))
      return std::nullopt;
    return Repair{
        "unset the lock after the construct, in the task that has set it",
        {{{code.file(), line, 1}, "", true},
         inserted_before(code, body->end.line + 1, std::string(trimmed(code.original(line))), note->place.line)}};
  }
  return std::nullopt;
}

/// Set twice in one block, and unset once.
std::optional<Repair> set_once(const Diagnostic& leader, const Code& code, const LockCall& set) {
  const auto note = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
  if (note == leader.notes.end() || note->place.file != code.file()) return std::nullopt;
  const std::uint32_t first = note->place.line, line = leader.place.line;
  const auto blocks = code.blocks_around(line), there = code.blocks_around(first);
  if (first >= line || blocks.empty() || there.empty() || blocks.front().begin != there.front().begin ||
      !begins_a_statement(code, line) || !code.directive_line(line - 1).empty() ||
      trimmed(code.line(line - 1)).ends_with(')'))
    return std::nullopt;
  int calls = 0, unsets = 0;
  for (std::uint32_t l = blocks.front().begin.line; l <= blocks.front().end.line; ++l)
    if (const auto call = omp_lock_call(code, l); call && is_same_lock(*call, set))
      ++(undone_by(call->function).empty() ? unsets : calls);
  if (calls != 2 || unsets != 1) return std::nullopt;
  return Repair{"remove this call: the task has set the lock already, and unsets it only once",
                {{{code.file(), line, 1}, "", true}}};
}

/// Used in the block behind the call that destroys it: that comes behind the last use.
std::optional<Repair> destroyed_later(const Diagnostic& leader, const Code& code) {
  const auto note = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
  static const std::regex destroy(R"(^\s*omp_destroy(?:_nest)?_lock\s*\(\s*&\s*(\w+)\s*\)\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> match;
  if (note == leader.notes.end() || note->place.file != code.file()) return std::nullopt;
  const std::uint32_t line = note->place.line;
  const std::string_view text = code.line(line);
  const auto function = code.function_around(line);
  if (!std::regex_match(text.begin(), text.end(), match, destroy) || !function || !begins_a_statement(code, line) ||
      trimmed(code.line(line - 1)).ends_with(')') || !function->contains(leader.place.line))
    return std::nullopt;
  const auto uses = code.mentions(match[1].str(), *function);
  const std::uint32_t last = uses.back().line;
  const auto here = code.blocks_around(line), there = code.blocks_around(last);
  const auto statement = code.statement_at({code.file(), last, 0});
  if (last <= line || there.empty() || here.front().begin != there.front().begin || !statement ||
      statement->begin.line != last || !trimmed(code.line(last).substr(statement->end.column)).empty())
    return std::nullopt;
  for (std::uint32_t l = line; l <= last; ++l)
    if (mentions(code.line(l), "return")) return std::nullopt;
  return Repair{"destroy the lock after its last use",
                {{{code.file(), line, 1}, "", true},
                 inserted_before(code, last + 1, std::string(trimmed(code.original(line))), line)}};
}

/// Calls of routines for another kind of lock than it is declared as.
std::optional<Repair> routines_of_its_kind(const Diagnostic& leader, const Code& code) {
  static const std::regex call(
      R"(omp_(init|destroy|set|unset|test)(_nest)?_lock(\s*\(\s*)(?:\(\s*omp_(?:nest_)?lock_t\s*\*\s*\)\s*)?(&\s*(\w+)\s*\)))");
  const auto own = [&](std::uint32_t line) {
    std::smatch match;
    const std::string text(code.line(line));
    return std::regex_search(text, match, call) ? match[5].str() : std::string();
  };
  const std::string name = own(leader.place.line);
  if (name.empty()) return std::nullopt;
  std::optional<bool> nestable;
  Repair out{{}, {}};
  for (const Position at : code.mentions(name, code.whole())) {
    const std::string_view before = trimmed(code.line(at.line).substr(0, at.column));
    for (const bool nest : {false, true}) {
      if (!before.ends_with(nest ? "omp_nest_lock_t" : "omp_lock_t")) continue;
      if (nestable) return std::nullopt;
      nestable = nest;
    }
  }
  if (!nestable) return std::nullopt;
  std::uint32_t last = 0;
  for (const Position at : code.mentions(name, code.whole())) {
    if (at.line == last || own(at.line) != name) continue;
    last = at.line;
    const std::string text(code.original(at.line));
    std::string changed = std::regex_replace(text, call, *nestable ? "omp_$1_nest_lock$3$4" : "omp_$1_lock$3$4");
    if (changed != text) out.edits.push_back({{code.file(), at.line, 1}, std::move(changed), true});
  }
  if (out.edits.empty()) return std::nullopt;
  out.sentence = std::string("use the routines for ") + (*nestable ? "nestable" : "simple") + " locks: '" + name +
                 "' is declared as one";
  return out;
}

} // namespace

std::optional<Repair> repair_lock_misuse(const Group& all, Codes& codes) {
  const Diagnostic& leader = *all.front();
  const bool left_set = leader.message.find("ends without unsetting it") != std::string::npos;
  Group group = all; // without what follows: somebody waits for a lock that is left set, or destroys it
  std::erase_if(group, [&](const Diagnostic* one) {
    return one->rule == Rule::dependence_cycle ||
           (left_set && one->message.find("is destroyed while it is set") != std::string::npos);
  });
  const Code& code = codes.of(leader.place.file);
  if (auto found = lock_initialisation(group, code)) return found;
  if (!code.is_c()) return std::nullopt;
  if (group.size() != 1) return both_halves(group, code);
  if (leader.message.find("a routine for ") != std::string::npos) return routines_of_its_kind(leader, code);
  if (leader.message.find("after it was destroyed") != std::string::npos) return destroyed_later(leader, code);
  auto call = omp_lock_call(code, leader.place.line);
  if (!call) return unset_before_destroy(leader, code);
  if (!undone_by(call->function).empty()) {
    if (leader.message.find("which it holds already") != std::string::npos && call->function == "omp_set_lock") {
      const auto first = std::ranges::find(leader.notes, Note::Kind::step, &Note::kind);
      if (first != leader.notes.end() && first->place.file == code.file() && first->place.line == leader.place.line)
        if (auto found = repair_left_set(code, leader.place.line, *call)) return found; // by an earlier call
      if (auto found = set_once(leader, code, *call)) return found;
      return made_nestable(leader, code, *call);
    }
    return left_set ? repair_left_set(code, leader.place.line, std::move(*call)) : std::nullopt;
  }
  // Unset, but never set: another one may have been meant, which stays set.
  for (std::uint32_t line = leader.place.line - 1; line > 0; --line) {
    auto set = omp_lock_call(code, line);
    if (!set || undone_by(set->function) != call->function) continue;
    auto found = repair_left_set(code, line, std::move(*set));
    const bool here = found && found->edits.front().replaces && found->edits.front().place.line == leader.place.line;
    if (here) return found;
    break;
  }
  if (auto found = both_halves(group, code)) return found;
  return unset_behind_construct(leader, code);
}

} // namespace fletcher::reports
