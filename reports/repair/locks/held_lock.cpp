// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is held while its owner waits for somebody who takes it: it is unset before the wait, and set again
// behind it where it is still used. A critical construct that its owner enters again gets a name of its own.
#include "reports/repair/locks/left_set.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// Where the one who waits has set the lock.
std::optional<std::uint32_t> set_by_who_waits(const Diagnostic& leader, const Code& code) {
  std::optional<std::uint32_t> out;
  for (const Note& note : leader.notes) {
    const bool holds = note.kind == Note::Kind::step && (note.message.find("acquired it here") != std::string::npos ||
                                                         note.message.find(", taken here") != std::string::npos);
    if (!holds) continue;
    if (out || note.place.file != code.file()) return std::nullopt;
    out = note.place.line;
  }
  return out;
}

/// The lines of the construct that waits, by its directive, by the end of its block, or by its own line.
std::optional<std::pair<std::uint32_t, std::uint32_t>> lines_of_wait(std::uint32_t line, const Code& code) {
  const auto extent = [&](const DirectiveText& wait) -> std::optional<std::pair<std::uint32_t, std::uint32_t>> {
    if (wait.stands_alone()) {
      if (!wait.is("taskwait") && !wait.is("barrier")) return std::nullopt;
      return std::pair(wait.first_line(), wait.last_line());
    }
    const auto body = wait.body(code);
    const bool waits = wait.is("taskgroup") || wait.is("single") || wait.is("for") || wait.is("sections");
    if (!body || !waits || wait.clause("nowait") != nullptr) return std::nullopt;
    return std::pair(wait.first_line(), body->end.line);
  };
  if (const auto own = DirectiveText::at(code, line)) return extent(*own);
  for (const DirectiveText& one : DirectiveText::around(code, line))
    if (const auto found = extent(one); found && found->second == line) return found;
  return std::nullopt;
}

class HeldLock {
public:
  HeldLock(const Code& code, std::uint32_t set_at, std::uint32_t wait_at, LockCall set)
      : code_(code), set_at_(set_at), wait_at_(wait_at), set_(std::move(set)) {}

  std::optional<Repair> find() const {
    const auto blocks = code_.blocks_around(set_at_);
    if (blocks.size() < 2 || !trimmed(code_.line(blocks.front().end.line)).starts_with('}')) return std::nullopt;
    const Extent& block = blocks.front();
    const auto wait = lines_of_wait(wait_at_, code_);
    const bool behind = wait ? wait->second >= block.end.line : wait_at_ >= block.end.line;
    return behind ? in_block(block, blocks[1]) : around_wait(block);
  }

private:
  std::string unset() const { return std::string(undone_by(set_.function)) + "(" + set_.lock + ");"; }
  std::string set() const { return set_.function + "(" + set_.lock + ");"; }

  /// The line has a call that unsets the lock and nothing else, except for a condition.
  bool unsets(std::uint32_t line) const {
    static const std::regex condition(R"(^\s*if \([\w\s!=<>&|]*\)\s*)");
    std::string text(code_.line(line));
    text = std::regex_replace(text, condition, "");
    const auto call = lock_call(text);
    return call && call->function == undone_by(set_.function) &&
           without_blanks(call->lock) == without_blanks(set_.lock);
  }

  bool sets(std::uint32_t line) const {
    const auto call = lock_call(code_.line(line));
    return call && call->function == set_.function && without_blanks(call->lock) == without_blanks(set_.lock);
  }

  /// The block ends with the lock set, and code behind the wait unsets it.
  std::optional<Repair> in_block(const Extent& block, const Extent& outer) const {
    for (std::uint32_t line = set_at_ + 1; line < block.end.line; ++line)
      if (unsets(line) || sets(line) || leaves(line)) return std::nullopt;
    std::optional<std::uint32_t> later;
    for (std::uint32_t line = block.end.line + 1; line < outer.end.line; ++line) {
      const auto around = code_.blocks_around(line);
      if (around.empty() || around.front().begin != outer.begin || !unsets(line)) continue;
      if (later) return std::nullopt;
      later = line;
    }
    if (!later || *later <= wait_at_) return std::nullopt;
    if (const auto above = DirectiveText::at(code_, *later - 1); above && !above->stands_alone()) return std::nullopt;
    for (std::uint32_t line = end_of_branches(block) + 1; line < *later;
         ++line) // who uses the data without a lock then?
      if (sets(line)) return std::nullopt;
    return Repair{"unset the lock where its block ends: a task that is waited for takes it, too",
                  {inserted_before(code_, block.end.line, unset(), set_at_), {{code_.file(), *later, 1}, "", true}}};
  }

  /// The lock is set before the wait and unset behind it, in one block.
  std::optional<Repair> around_wait(const Extent& block) const {
    const auto wait = lines_of_wait(wait_at_, code_);
    if (!wait || wait->first <= set_at_ || wait->second + 1 >= block.end.line) return std::nullopt;
    bool unset_behind = false;
    for (std::uint32_t line = set_at_ + 1; line < block.end.line; ++line) {
      const auto around = code_.blocks_around(line);
      const bool directly = !around.empty() && around.front().begin == block.begin;
      if (line < wait->first && (leaves(line) || (directly && (unsets(line) || sets(line))))) return std::nullopt;
      if (directly && line > wait->second && unsets(line)) {
        unset_behind = true;
        break;
      }
    }
    const auto around = code_.blocks_around(wait->first);
    if (!unset_behind || around.empty() || around.front().begin != block.begin ||
        !begins_a_statement(code_, wait->first) || trimmed(code_.line(wait->first - 1)).ends_with(')'))
      return std::nullopt;
    return Repair{"unset the lock before the wait, and set it again after it: a task that is waited for takes it, too",
                  {inserted_before(code_, wait->first, unset(), set_at_),
                   inserted_before(code_, wait->second + 1, set(), set_at_)}};
  }

  /// The last line of the condition that the block is a branch of: who has set the lock does not come to the others.
  std::uint32_t end_of_branches(const Extent& block) const {
    std::uint32_t line = block.end.line;
    for (;;) {
      const std::string_view text = code_.line(line);
      const auto open = text.rfind('{');
      if (!mentions(text, "else") || open == std::string_view::npos) return line;
      const auto next = code_.statement_from({line, open});
      if (!next || next->end.line == line) return line;
      line = next->end.line;
    }
  }

  bool leaves(std::uint32_t line) const {
    for (const std::string_view word : {"return", "goto", "break", "continue"})
      if (mentions(code_.line(line), word)) return true;
    return false;
  }

  const Code& code_;
  std::uint32_t set_at_, wait_at_;
  LockCall set_;
};

/// A critical construct around nothing but a construct that waits for tasks, which enter it: they exclude each other.
std::optional<Repair> around_tasks_only(const Diagnostic& leader, const Code& code) {
  const auto line = set_by_who_waits(leader, code);
  const auto critical = line ? DirectiveText::at(code, *line) : std::nullopt;
  const auto body = critical && critical->is("critical") ? critical->body(code) : std::nullopt;
  if (!body || critical->first_line() != critical->last_line()) return std::nullopt;
  if (const auto group = DirectiveText::at(code, *line + 1);
      group && group->is("taskgroup") && group->first_line() == group->last_line() && group->clauses().empty())
    return Repair{"put the critical construct into the taskgroup: its end waits for tasks that enter the construct",
                  {{{code.file(), *line, 1}, std::string(code.original(*line + 1)), true},
                   {{code.file(), *line + 1, 1}, std::string(code.original(*line)), true}}};
  const auto parts = code.parts_of(*body);
  std::optional<DirectiveText> inner;
  for (std::uint32_t l = body->begin.line; l < body->end.line && !inner; ++l) inner = DirectiveText::at(code, l);
  const auto inside = inner && inner->is("taskloop") ? inner->body(code) : std::nullopt;
  if (parts.size() != 1 || !inside || parts.front().begin != inside->begin) return std::nullopt;
  return Repair{"remove the critical construct here: its tasks enter it themselves",
                {{{code.file(), *line, 1}, "", true}}};
}

/// A critical construct that is entered in one of the same name: what it protects, no other one of the name does.
std::optional<Repair> name_of_its_own(const Diagnostic& leader, const Code& code) {
  const auto inner = DirectiveText::at(code, leader.place.line);
  const auto outer_line = set_by_who_waits(leader, code);
  const auto outer = outer_line ? DirectiveText::at(code, *outer_line) : std::nullopt;
  const auto body = inner && inner->is("critical") && inner->clauses().empty() ? inner->body(code) : std::nullopt;
  if (!body || !outer || !outer->is("critical") || outer->argument() != inner->argument()) return std::nullopt;
  const std::string text = code.text(*body);
  if (text.find('(') != std::string::npos) return std::nullopt; // what it calls may enter others
  std::string first;
  for (std::size_t i = 0; i < text.size();) {
    const std::string word(first_word(std::string_view(text).substr(i)));
    if (is_identifier(word) && first.empty()) first = word;
    for (std::uint32_t line = 1; is_identifier(word) && line <= code.lines(); ++line) {
      const auto other = DirectiveText::at(code, line);
      if (!other || !other->is("critical") || line == inner->first_line() || other->argument() != inner->argument())
        continue;
      const auto protects = other->body(code);
      if (!protects || !code.mentions(word, *protects).empty()) return std::nullopt;
    }
    i += std::max<std::size_t>(word.size(), 1);
  }
  const auto edit = first.empty() ? std::nullopt : inner->renamed(code, first + "_update");
  if (!edit) return std::nullopt;
  return Repair{"give this critical construct its own name: '" + first + "_update'", {*edit}};
}

} // namespace

std::optional<Repair> repair_held_lock(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  if (code.is_c() && leader.message.find("waits for itself") != std::string::npos) return name_of_its_own(leader, code);
  const auto line = code.is_c() ? set_by_who_waits(leader, code) : std::nullopt;
  auto call = line ? lock_call(code.line(*line)) : std::nullopt;
  if (!call || undone_by(call->function).empty()) return line ? around_tasks_only(leader, code) : std::nullopt;
  if (const auto wait = lock_call(code.line(leader.place.line)); wait && wait->function == call->function)
    return repair_left_set(code, *line, std::move(*call)); // the other one waits for the lock that this one left set
  return HeldLock(code, *line, leader.place.line, std::move(*call)).find();
}

} // namespace fletcher::reports
