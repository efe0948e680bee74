// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/locks/left_set.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/neighbour.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace fletcher::reports {
namespace {

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
      const auto call = omp_lock_call(code_, line);
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
    const std::uint32_t last = block_.end.line - 1;
    const bool ends_so = !ways_out_.empty() && ways_out_.back() == last,
               leaves = may_leave(first_word(trimmed(code_.line(last))));
    if (depth == 1 && !ends_so && leaves && !is_return(last)) return std::nullopt;
    if (depth == 1 && !ends_so) out.edits.push_back(leaves ? unset(last, last) : unset(block_.end.line, line_));
    if (out.edits.empty()) return std::nullopt;
    if (!conditional_.empty()) {
      out.sentence = "unset the lock on each way out of the block: '" + call() + "'";
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

  /// Of the words that leave the block that sets the lock the one that stands in the line; `break` and `continue` are
  /// those of its own loop, not of one inside.
  std::string_view leaving_word(std::uint32_t line) const {
    if (mentions(code_.line(line), "return")) return "return";
    if (const std::string_view above = trimmed(code_.line(neighbour(code_, line, false)));
        (mentions(above, "for") || mentions(above, "while") || above == "do") && !above.ends_with('{') &&
        !above.ends_with(';'))
      return {}; // a loop without braces
    const auto is_loop = [&](const Extent& block) {
      const std::string_view head = code_.line(block.begin.line);
      return mentions(head, "for") || mentions(head, "while") || mentions(head, "do") || mentions(head, "switch");
    };
    for (const Extent& block : code_.blocks_around(line)) {
      if (block.begin == block_.begin && !is_loop(block)) return {};
      if (block.begin == block_.begin) break;
      if (is_loop(block)) return {};
    }
    return mentions(code_.line(line), "continue") ? "continue" : mentions(code_.line(line), "break") ? "break" : "";
  }

  /// `if (n == 0) return;`, on one line or two, with the call between braces.
  std::optional<Edit> with_unset(std::uint32_t line) const {
    const std::string_view text = code_.line(line);
    const std::string_view word = leaving_word(line);
    if (word.empty()) return std::nullopt;
    const auto at = text.find(word);
    if (first_word(trimmed(text)) == word && trimmed(text).ends_with(';') && text.find('(') == std::string::npos) {
      const std::string_view above = trimmed(code_.line(line - 1));
      if (!above.ends_with(')') && first_word(above) != "else") return std::nullopt;
      const std::string_view own = code_.original(line);
      const std::string statement(trimmed(own.substr(0, text.find_last_not_of(" \t\r") + 1)));
      return Edit{{code_.file(), line, 1},
                  std::string(own.substr(0, at)) + "{ " + call() + " " + statement + " }" +
                      std::string(own.substr(text.find_last_not_of(" \t\r") + 1)),
                  true};
    }
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
      if (const auto one = omp_lock_call(code_, above);
          one && is_same_lock(*one, set_) && one->function == undone_by(set_.function))
        return true;
    return false;
  }

  /// The lock that is unset instead was not set here: the name is wrong.
  std::optional<Repair> unset_by_its_name() const {
    const auto other = omp_lock_call(code_, others_.front());
    std::string text(code_.original(others_.front()));
    const auto at = text.find(other->lock);
    if (at == std::string::npos) return std::nullopt;
    text.replace(at, other->lock.size(), set_.lock);
    return Repair{"unset '" + set_.lock + "' here: that is the lock that the task has set",
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

} // namespace

std::optional<Repair> repair_left_set(const Code& code, std::uint32_t line, LockCall set) {
  return LeftSet(code, line, std::move(set)).find();
}

} // namespace fletcher::reports
