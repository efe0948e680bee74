// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that stays set where its task ends: it is unset on each way out of the block that set it, or, where another
// lock is unset in its place, by its own name.
#include "reports/repair/lock_call.hpp"
#include "reports/repair/lock_initialisation.hpp"
#include "reports/repair/repair.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace fletcher::reports {
namespace {

/// A lock call of OpenMP alone on its line.
std::optional<LockCall> call_at(const Code& code, std::uint32_t line) {
  auto call = lock_call(code.line(line));
  return call && call->function.starts_with("omp_") ? call : std::nullopt;
}

bool is_same_lock(const LockCall& a, const LockCall& b) { return without_blanks(a.lock) == without_blanks(b.lock); }

/// The line may lead out of its block.
bool may_leave(std::string_view line) {
  constexpr std::array<std::string_view, 6> words{"return", "goto", "break", "continue", "throw", "exit"};
  return std::ranges::any_of(words, [&](std::string_view word) { return mentions(line, word); });
}

class LeftSet {
public:
  LeftSet(const Code& code, std::uint32_t line, LockCall set) : code_(code), line_(line), set_(std::move(set)) {}

  std::optional<Repair> find() {
    const auto blocks = code_.blocks_around(line_);
    if (blocks.empty() || trimmed(code_.line(blocks.front().end.line)) != "}") return std::nullopt;
    block_ = blocks.front();
    int depth = 0; // how often the block itself has set the lock
    for (std::uint32_t line = block_.begin.line + 1; line < block_.end.line; ++line) {
      const auto call = call_at(code_, line);
      if (!call) {
        if (line < line_ || depth <= 0 || !may_leave(code_.line(line)) || is_unset_in_front(line)) continue;
        if (is_return(line))
          ways_out_.push_back(line);
        else if (const auto edit = with_unset(line))
          conditional_.push_back(*edit);
        else
          return std::nullopt;
        continue;
      }
      const bool directly = code_.blocks_around(line).front().begin == block_.begin;
      const bool sets = !undone_by(call->function).empty();
      if (is_same_lock(*call, set_))
        depth += !directly ? 0 : sets ? 1 : -1;
      else if (line > line_ && sets)
        taken_.push_back(without_blanks(call->lock));
      else if (line > line_ && directly && std::ranges::find(taken_, without_blanks(call->lock)) == taken_.end())
        others_.push_back(line); // nobody set it here
    }
    if (depth == 1 && others_.size() == 1 && ways_out_.empty() && conditional_.empty()) return unset_by_its_name();
    if (depth < 0 || depth > 1 || (depth == 1 && !others_.empty())) return std::nullopt;
    Repair out{{}, conditional_};
    for (const std::uint32_t line : ways_out_) out.edits.push_back(unset(line, line));
    const bool ends_so = !ways_out_.empty() && ways_out_.back() + 1 == block_.end.line;
    if (depth == 1 && !ends_so) out.edits.push_back(unset(block_.end.line, line_));
    if (out.edits.empty()) return std::nullopt;
    if (!conditional_.empty()) {
      out.sentence = "unset the lock before each return: '" + call() + "'";
      return out;
    }
    out.sentence = "add '" + call() + "' before " + (out.edits.size() == 1 ? "this line" : "these lines");
    return out;
  }

private:
  std::string call() const { return std::string(undone_by(set_.function)) + "(" + set_.lock + ");"; }

  Edit unset(std::uint32_t line, std::uint32_t indented_as) const {
    return inserted_before(code_, line, call(), indented_as);
  }

  /// A return on a line of its own, the last of a block, that computes nothing with the lock in hand.
  bool is_return(std::uint32_t line) const {
    const std::string_view text = trimmed(code_.line(line));
    return first_word(text) == "return" && text.ends_with(';') && text.find('(') == std::string_view::npos &&
           trimmed(code_.line(line + 1)) == "}";
  }

  /// `if (n == 0) return;` with the call between braces.
  std::optional<Edit> with_unset(std::uint32_t line) const {
    const std::string_view text = code_.line(line);
    const auto at = text.find("return");
    if (first_word(trimmed(text)) != "if" || at == std::string_view::npos || !trimmed(text).ends_with(';') ||
        !trimmed(text.substr(0, at)).ends_with(')') || text.substr(at).find('(') != std::string_view::npos ||
        text.find('{') != std::string_view::npos || first_word(trimmed(code_.line(line + 1))) == "else")
      return std::nullopt;
    std::string edited(code_.original(line));
    const auto end = text.find_last_not_of(" \t\r") + 1;
    edited.insert(end, " }");
    edited.insert(at, "{ " + call() + " ");
    return Edit{{code_.file(), line, 1}, std::move(edited), true};
  }

  bool is_unset_in_front(std::uint32_t line) const {
    const auto blocks = code_.blocks_around(line);
    for (std::uint32_t above = line - 1; above > blocks.front().begin.line; --above)
      if (const auto one = call_at(code_, above);
          one && is_same_lock(*one, set_) && one->function == undone_by(set_.function))
        return true;
    return false;
  }

  /// The lock that is unset instead was not set here: the name is wrong.
  std::optional<Repair> unset_by_its_name() const {
    const auto other = call_at(code_, others_.front());
    std::string text(code_.original(others_.front()));
    const auto at = text.find(other->lock);
    if (at == std::string::npos) return std::nullopt;
    text.replace(at, other->lock.size(), set_.lock);
    return Repair{"unset '" + set_.lock + "' here, which the task has set",
                  {{{code_.file(), others_.front(), 1}, text, true}}};
  }

  const Code& code_;
  std::uint32_t line_;
  LockCall set_;
  Extent block_;
  std::vector<std::uint32_t> ways_out_, others_;
  std::vector<std::string> taken_;
  std::vector<Edit> conditional_;
};

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
  Repair out{"make the lock a nestable one: a task may set it again that has set it", {}};
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
  const auto set = call_at(code, set_at);
  const std::string_view text = trimmed(code.line(at));
  if (!set || undone_by(set->function).empty() || set_at >= at || !text.starts_with("omp_destroy_"))
    return std::nullopt;
  const auto here = code.blocks_around(at), there = code.blocks_around(set_at);
  if (here.empty() || there.empty() || here.front().begin != there.front().begin ||
      without_blanks(text).find("(" + without_blanks(set->lock) + ")") == std::string::npos ||
      !begins_a_statement(code, at))
    return std::nullopt;
  for (std::uint32_t line = set_at + 1; line < at; ++line)
    if (const auto call = call_at(code, line); call && is_same_lock(*call, *set)) return std::nullopt;
  const std::string call = std::string(undone_by(set->function)) + "(" + set->lock + ");";
  return Repair{"add '" + call + "' before this line", {inserted_before(code, at, call, at)}};
}

} // namespace

std::optional<Repair> repair_lock_misuse(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  if (auto found = lock_initialisation(group, code)) return found;
  if (!code.is_c() || group.size() != 1) return std::nullopt;
  auto call = call_at(code, leader.place.line);
  if (!call) return unset_before_destroy(leader, code);
  if (!undone_by(call->function).empty()) {
    const bool left_set = leader.message.find("ends without unsetting it") != std::string::npos;
    if (leader.message.find("which it holds already") != std::string::npos && call->function == "omp_set_lock")
      return made_nestable(leader, code, *call);
    return left_set ? LeftSet(code, leader.place.line, std::move(*call)).find() : std::nullopt;
  }
  // Unset, but never set: another one may have been meant, which stays set.
  for (std::uint32_t line = leader.place.line - 1; line > 0; --line) {
    auto set = call_at(code, line);
    if (!set || undone_by(set->function) != call->function) continue;
    auto found = LeftSet(code, line, std::move(*set)).find();
    const bool here = found && found->edits.front().replaces && found->edits.front().place.line == leader.place.line;
    return here ? found : std::nullopt;
  }
  return std::nullopt;
}

} // namespace fletcher::reports
