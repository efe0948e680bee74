// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier or worksharing construct that only a part of the team comes to: it comes out of the condition, or out of
// the construct that one thread executes.
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/team_construct.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

class PartOfTeam {
public:
  PartOfTeam(Arrival arrival, const Code& code)
      : place_(std::move(arrival.place)), stack_(*arrival.stack), code_(code) {}

  std::optional<Repair> find() {
    construct_ = place_.file == code_.file() ? team_construct_at(place_.line, code_) : std::nullopt;
    if (!construct_) return std::nullopt;
    line_ = place_.line;
    if (!climb()) return std::nullopt;
    if (auto found = behind_construct()) return found;
    if (!is_in_region()) return std::nullopt;
    if (is_call_) {
      if (auto found = unconditional_call()) return found;
    } else {
      if (auto found = unconditional_block()) return found;
      if (auto found = barrier_of_roles()) return found;
    }
    return std::nullopt;
  }

private:
  /// From a function that does nothing but the construct to who calls it.
  bool climb() {
    for (const Frame& frame : stack_) {
      if (frame.place.file != code_.file()) return false;
      const auto function = code_.function_around(line_);
      if (!function) return false;
      if (function->contains(frame.place.line)) continue;
      const auto statement = code_.statement_at({frame.place.file, frame.place.line, 0});
      const bool all = is_call_ ? false : is_all_of(*function, *construct_, code_);
      const std::string text = statement ? code_.text(*statement) : std::string();
      const bool calls = text.ends_with(");") && text.find('=') == std::string::npos &&
                         std::ranges::all_of(text.substr(0, text.find('(')), is_word);
      if (!all || !calls) break;
      call_ = *statement;
      line_ = frame.place.line;
      is_call_ = true;
    }
    return true;
  }

  /// All threads come to the condition.
  bool is_in_region() const {
    const auto around = DirectiveText::around(code_, line_);
    const auto region = std::ranges::find_if(
        around, [&](const DirectiveText& one) { return one.first_line() != construct_->directive.first_line(); });
    if (region == around.end() || !region->is("parallel") || region->shares_a_loop() || region->is("sections"))
      return false;
    const auto body = region->body(code_);
    const auto blocks = code_.blocks_around(line_);
    const std::size_t conditions = is_call_ && !is_alone_on_line() ? 0 : 1;
    if (!body || blocks.size() <= conditions || blocks[conditions].begin != body->begin) return false;
    for (std::uint32_t line = body->begin.line; line < line_; ++line)
      for (const std::string_view word : {"return", "goto", "cancel"})
        if (mentions(code_.line(line), word) || mentions(code_.directive_line(line), word)) return false;
    return true;
  }

  bool is_alone_on_line() const { return trimmed(code_.line(line_).substr(0, call_.begin.column)).empty(); }

  Repair for_all(std::vector<Edit> edits) const {
    return {"remove the condition: all threads of the team have to reach the " +
                std::string(construct_->directive.is("barrier") ? "barrier" : "construct"),
            std::move(edits)};
  }

  /// `if (some) fill();`
  std::optional<Repair> unconditional_call() const {
    const std::string_view text = code_.line(line_);
    const std::string_view before = trimmed(text.substr(0, call_.begin.column));
    if (first_word(before) != "if" || !before.ends_with(')') || !is_pure(before.substr(2)) ||
        !trimmed(text.substr(call_.end.column)).empty() || has_else(call_, code_) || call_.end.line != line_)
      return std::nullopt;
    return for_all({with_part(code_, line_, text.find("if"), call_.begin.column, "")});
  }

  /// `if (some) { construct }`, also with an else, or as one.
  std::optional<Repair> unconditional_block() const {
    const auto blocks = code_.blocks_around(line_);
    if (blocks.empty() || !is_all_of(blocks.front(), *construct_, code_)) return std::nullopt;
    const Extent& block = blocks.front();
    const std::string_view own = code_.line(block.begin.line);
    const auto open = block.begin.column;
    const std::string indent(own.substr(0, std::min(own.find_first_not_of(" \t"), own.size())));
    if (const auto head = head_of(block, code_)) {
      std::vector<Edit> edits{with_part(code_, head->line, head->word, open, "")};
      if (!has_else(block, code_)) return for_all(std::move(edits));
      const auto other = else_of(block, code_);
      if (!other || construct_->directive.is("barrier") || !may_stay(*other)) return std::nullopt;
      const std::uint32_t line = block.end.line;
      edits.push_back(with_part(code_, line, block.end.column, code_.original(line).size(), ""));
      edits.push_back({{code_.file(), line + 1, 1}, indent + other_branch(*other, head->condition), false});
      return for_all(std::move(edits));
    }
    // The branch of an else.
    if (trimmed(own.substr(0, open)) != "} else" || !trimmed(own.substr(open + 1)).empty() ||
        construct_->directive.is("barrier"))
      return std::nullopt;
    const auto first = first_branch(block.begin.line);
    const auto head = first ? head_of(*first, code_) : std::nullopt;
    if (!head || !may_stay(*first)) return std::nullopt;
    std::vector<Edit> edits;
    if (is_other_construct(*first)) edits.push_back(with_part(code_, head->line, head->word, first->begin.column, ""));
    edits.push_back(with_part(code_, block.begin.line, own.find('}') + 1, code_.original(block.begin.line).size(), ""));
    edits.push_back({{code_.file(), block.begin.line + 1, 1}, indent + "{", false});
    return for_all(std::move(edits));
  }

  /// How the branch of an else goes on alone.
  std::string other_branch(const Extent& block, const std::string& condition) const {
    return is_other_construct(block) ? "{" : "if (!" + condition + ") {";
  }

  /// The block has a construct of another kind and nothing else: it is the team's, too.
  bool is_other_construct(const Extent& block) const {
    for (std::uint32_t line = block.begin.line + 1; line < block.end.line; ++line)
      if (const auto other = team_construct_at(line, code_))
        return is_all_of(block, *other, code_) &&
               !other->directive.is(construct_->directive.is("for") ? "for" : "single");
    return false;
  }

  /// Of the team the block has nothing but what becomes unconditional, too.
  bool may_stay(const Extent& block) const {
    for (std::uint32_t line = block.begin.line + 1; line < block.end.line; ++line)
      if (team_construct_at(line, code_)) return is_other_construct(block);
    return true;
  }

  /// The block that ends on the line.
  std::optional<Extent> first_branch(std::uint32_t end) const {
    for (std::uint32_t line = end - 1; line > 0; --line) {
      const auto open = code_.line(line).rfind('{');
      if (open == std::string_view::npos) continue;
      const auto block = code_.statement_from({line, open});
      if (block && block->end.line == end) return block;
    }
    return std::nullopt;
  }

  /// `if (some) { A; barrier; B; } else { barrier; C; }`: the barrier stands between two conditions.
  std::optional<Repair> barrier_of_roles() const {
    if (!construct_->directive.is("barrier")) return std::nullopt;
    const auto own = code_.blocks_around(line_);
    const auto first = own.empty()                   ? std::nullopt
                       : head_of(own.front(), code_) ? std::optional(own.front())
                                                     : first_branch(own.front().begin.line);
    const auto head = first ? head_of(*first, code_) : std::nullopt;
    const auto second = head ? else_of(*first, code_) : std::nullopt;
    if (!second) return std::nullopt;
    const auto one = barrier_in(*first), other = barrier_in(*second);
    if (!one || !other) return std::nullopt;
    const auto is_empty = [&](std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t line = from; line < to; ++line)
        if (!trimmed(code_.line(line)).empty() || !code_.directive_line(line).empty()) return false;
      return true;
    };
    // What the first part sets may not be what the condition reads.
    const std::string_view condition = head->condition;
    for (std::size_t i = 0; i < condition.size(); ++i) {
      const std::string_view word = first_word(condition.substr(i));
      if (!word.empty() && !word.starts_with("omp_get_") && !code_.mentions(word, *first).empty()) return std::nullopt;
      if (!word.empty()) i += word.size() - 1;
    }
    const std::string text(trimmed(code_.original(*one)));
    const std::string_view own_line = code_.line(head->line);
    const std::string indent(own_line.substr(0, own_line.find_first_not_of(" \t")));
    const auto divided = [&](std::uint32_t keeps, std::uint32_t goes, const std::string& again) {
      return Repair{"put one barrier between two conditions: all threads of the team have to reach the same one",
                    {{{code_.file(), keeps, 1}, indent + "}", true},
                     {{code_.file(), keeps + 1, 1}, text, false},
                     {{code_.file(), keeps + 1, 1}, indent + "if " + again + " {", false},
                     {{code_.file(), goes, 1}, "", true}}};
    };
    if (is_empty(second->begin.line + 1, *other)) return divided(*one, *other, head->condition);
    if (is_empty(*one + 1, first->end.line)) return divided(*other, *one, "(!" + head->condition + ")");
    return std::nullopt;
  }

  /// The line of the only barrier directly in a block.
  std::optional<std::uint32_t> barrier_in(const Extent& block) const {
    std::optional<std::uint32_t> out;
    for (std::uint32_t line = block.begin.line + 1; line < block.end.line; ++line) {
      const auto directive = DirectiveText::at(code_, line);
      if (!directive || !directive->is("barrier")) continue;
      if (out || code_.blocks_around(line).front().begin != block.begin) return std::nullopt;
      out = line;
    }
    return out;
  }

  /// The last thing in the block of a construct that one thread executes at a time: it comes behind the block.
  std::optional<Repair> behind_construct() const {
    const auto around = DirectiveText::around(code_, line_);
    const auto body = around.empty() || around.front().first_line() == construct_->directive.first_line()
                          ? std::nullopt
                          : around.front().body(code_);
    constexpr std::array<std::string_view, 4> words{"single", "master", "masked", "critical"};
    if (!body || !construct_->directive.is("barrier") ||
        std::ranges::none_of(words, [&](std::string_view word) { return around.front().is(word); }))
      return std::nullopt;
    const std::uint32_t end = body->end.line;
    const auto blocks = code_.blocks_around(line_);
    if (blocks.empty() || blocks.front().begin != body->begin || line_ + 1 != end || trimmed(code_.line(end)) != "}" ||
        (is_call_ && !is_alone_on_line()) || around.front().clause("nowait") != nullptr ||
        around.front().clause("copyprivate") != nullptr || begins_with_call(*body))
      return std::nullopt;
    return Repair{"wait after the construct: only there all threads of the team reach the barrier",
                  {{{code_.file(), line_, 1}, std::string(code_.original(end)), true},
                   {{code_.file(), end, 1}, std::string(code_.original(line_)), true}}};
  }

  /// The block would be empty.
  bool begins_with_call(const Extent& body) const { return body.begin.line + 1 == line_; }

  SourcePlace place_;
  const std::vector<Frame>& stack_;
  const Code& code_;
  std::optional<TeamConstruct> construct_;
  std::uint32_t line_ = 0; ///< of the construct, or of the call that is nothing else
  Extent call_;
  bool is_call_ = false;
};

/// All threads come to what is directly in the block: it is a region's, or a function's, and nobody leaves it before.
bool is_passed_by_all(const Extent& block, std::uint32_t line, const Code& code) {
  const auto around = DirectiveText::around(code, line);
  if (around.empty()) {
    const auto function = code.function_around(line);
    if (!function || function->begin != block.begin) return false;
  } else {
    const auto body = around.front().body(code);
    if (!body || block.begin != body->begin || !around.front().is("parallel") || around.front().shares_a_loop() ||
        around.front().is("sections"))
      return false;
  }
  for (std::uint32_t l = block.begin.line; l < line; ++l)
    for (const std::string_view word : {"return", "goto", "cancel"})
      if (mentions(code.line(l), word) || mentions(code.directive_line(l), word)) return false;
  return true;
}

/// `if (some) { A; barrier; }`: the barrier stands behind the condition; in front of it, where it comes first.
std::optional<Repair> barrier_beside_condition(const SourcePlace& place, const Code& code) {
  if (place.file != code.file()) return std::nullopt;
  const auto barrier = DirectiveText::at(code, place.line);
  if (!barrier || !barrier->is("barrier") || barrier->first_line() != barrier->last_line()) return std::nullopt;
  const std::uint32_t line = barrier->first_line();
  const auto blocks = code.blocks_around(line);
  if (blocks.size() < 2 || !is_passed_by_all(blocks[1], line, code)) return std::nullopt;
  const std::uint32_t begin = blocks.front().begin.line, end = blocks.front().end.line;
  const std::string_view head = trimmed(code.line(begin));
  if (first_word(head) != "if" || trimmed(code.line(end + 1)).starts_with("else")) return std::nullopt;
  if (trimmed(code.line(end)) == "}" && end == line + 1)
    return Repair{"put the barrier after the condition: all threads of the team then reach it",
                  {{{code.file(), line, 1}, std::string(code.original(end)), true},
                   {{code.file(), end, 1}, std::string(code.original(line)), true}}};
  if (begin + 1 != line || !head.ends_with('{') || trimmed(code.line(end)) != "}" || !begins_a_statement(code, begin))
    return std::nullopt;
  return Repair{"put the barrier before the condition: all threads of the team then reach it",
                {{{code.file(), begin, 1}, std::string(code.original(line)), true},
                 {{code.file(), line, 1}, std::string(code.original(begin)), true}}};
}

} // namespace

std::optional<Repair> barrier_out_of_construct(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  if (!code.is_c()) return std::nullopt;
  for (const Arrival& arrival : arrivals_of(*group.front()))
    if (auto found = PartOfTeam(arrival, code).find()) return found;
  return std::nullopt;
}

std::optional<Repair> repair_barrier_mismatch(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  if (!code.is_c() || std::ranges::any_of(group, [](const auto* one) { return one->rule != Rule::barrier_mismatch; }))
    return std::nullopt;
  for (const Diagnostic* one : group)
    for (const Arrival& arrival : arrivals_of(*one)) {
      if (auto found = barrier_beside_condition(arrival.place, code)) return found;
      if (auto found = PartOfTeam(arrival, code).find()) return found;
    }
  return repair_team_function(group, code);
}

} // namespace fletcher::reports
