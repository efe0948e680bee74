// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/private_copy.hpp"

#include "reports/repair/source/fortran_blocks.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

class PrivateCopy {
public:
  PrivateCopy(const Diagnostic& race, const Code& code, const DirectiveText& construct)
      : race_(race), code_(code), construct_(construct), name_(race.variable) {}

  std::optional<Repair> find() const {
    if (construct_.names_besides_shared(name_)) return std::nullopt;
    const auto body = construct_.body(code_);
    if (!body || has_directive_with(code_, *body, name_)) return std::nullopt;
    auto iteration = body;
    if (construct_.shares_a_loop() && code_.is_c()) { // behind the head of the loop
      if (construct_.clause("collapse") != nullptr) return std::nullopt;
      iteration = body_of(*body);
      if (!iteration || code_.mentions(name_, *body).size() != code_.mentions(name_, *iteration).size())
        return std::nullopt;
    }
    if (!is_set_first(*iteration) || !is_only_for_the_body(construct_, *body)) return std::nullopt;
    const std::string clause = "private(" + name_ + ")";
    const auto edit = construct_.with_instead_of_shared(code_, clause, name_);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause + "' to the construct here: it sets '" + name_ +
                      "' before it reads it, and the value is not needed afterwards",
                  {*edit}};
  }

private:
  bool sets_it(const std::optional<Extent>& statement) const {
    if (!statement) return false;
    const auto form = statement_form(code_.text(*statement));
    return form && form->kind == StatementForm::Kind::write && form->operation.empty() && form->target == name_;
  }

  /// A thread that reaches the beginning of the extent sets the variable before reading it, wherever it is named in
  /// there.
  bool is_set_first(const Extent& extent, int depth = 0) const {
    constexpr int deepest = 32;
    if (depth > deepest) return false;
    const auto all = code_.mentions(name_, extent);
    if (all.empty()) return false;
    if (!code_.is_c()) return is_set_first_in_fortran(extent, all.front());
    auto at = code_.next(extent.begin);
    if (at && code_.line(at->line)[at->column] == '{') at = code_.next({at->line, at->column + 1});
    while (at && extent.contains(*at)) {
      const auto statement = code_.statement_from(*at);
      if (!statement) return false;
      const auto here = code_.mentions(name_, *statement);
      if (here.empty()) {
        at = code_.next(statement->end);
        continue;
      }
      return starts_by_setting(*statement, here, here.size() == all.size(), depth);
    }
    return false;
  }

  bool starts_by_setting(const Extent& statement, const std::vector<Position>& named, bool all_there, int depth) const {
    const std::string text = code_.text(statement);
    const std::string_view keyword = first_word(text);
    if (text.starts_with('{')) return is_set_first(statement, depth + 1);
    if (keyword != "for" && keyword != "while" && keyword != "if" && keyword != "do" && keyword != "switch")
      return sets_it(statement);
    if (keyword == "for") { // for (x = 0; ...)
      const auto open = text.find('('), semicolon = text.find(';');
      if (open == std::string::npos || semicolon == std::string::npos) return false;
      const std::string_view begin = std::string_view(text).substr(open + 1, semicolon - open - 1);
      if (mentions(begin, name_)) {
        const auto form = statement_form(begin);
        return form && form->kind == StatementForm::Kind::write && form->operation.empty() && form->target == name_;
      }
    }
    if (const auto both = keyword == "if" ? branches_of(statement) : std::nullopt)
      return std::ranges::all_of(named, [&](Position at) { return both->first.begin <= at; }) &&
             is_set_first_in(both->first, depth + 1) && is_set_first_in(both->second, depth + 1);
    // In the statement under a condition, if it is named nowhere else.
    if (!all_there || (keyword != "for" && keyword != "if" && keyword != "while")) return false;
    const auto body = body_of(statement);
    return body && std::ranges::all_of(named, [&](Position at) { return body->contains(at); }) &&
           is_set_first_in(*body, depth + 1);
  }

  bool is_set_first_in(const Extent& body, int depth) const {
    const auto begin = code_.next(body.begin);
    return begin && is_set_first({*begin, body.end}, depth);
  }

  /// Of an if: its statement, and that of its else.
  std::optional<std::pair<Extent, Extent>> branches_of(const Extent& statement) const {
    const auto first = code_.behind_head(statement);
    const auto behind = first ? code_.next(first->end) : std::nullopt;
    if (!behind || !statement.contains(*behind)) return std::nullopt;
    constexpr std::string_view word = "else";
    const auto second = code_.statement_from({behind->line, behind->column + word.size()});
    return second ? std::optional(std::pair(*first, *second)) : std::nullopt;
  }

  /// What stands behind the head in parentheses; nothing where there is an else.
  std::optional<Extent> body_of(const Extent& statement) const {
    const auto body = code_.behind_head(statement);
    return body && body->end == statement.end ? body : std::nullopt;
  }

  /// In the branch or the iteration that has the first of them, if all of them are in there.
  bool is_set_first_in_fortran(const Extent& extent, Position first) const {
    const auto blocks = fortran_blocks_around(code_, first.line, extent);
    return blocks && sets_it(code_.statement_at({code_.file(), first.line, 0})) &&
           std::ranges::all_of(code_.mentions(name_, extent),
                               [&](Position at) { return blocks->empty() || blocks->front().contains(at.line); });
  }

  bool is_in_loop(std::uint32_t line, const Extent& function) const {
    if (!code_.is_c()) {
      const auto blocks = fortran_blocks_around(code_, line, function);
      return !blocks || std::ranges::any_of(*blocks, &FortranBlock::is_loop);
    }
    return std::ranges::any_of(code_.blocks_around(line), [&](const Extent& block) {
      const std::string_view head = code_.line(block.begin.line).substr(0, block.begin.column);
      return block.begin > function.begin && (mentions(head, "for") || mentions(head, "while") || mentions(head, "do"));
    });
  }

  /// No value goes into the construct or comes out of it.
  bool is_only_for_the_body(const DirectiveText& directive, const Extent& body) const {
    const auto function = code_.function_around(directive.first_line());
    if (!function || !is_local_to(code_, race_, directive.first_line())) return false;
    const bool in_loop = is_in_loop(directive.first_line(), *function);
    bool first_behind = true;
    for (const Position at : code_.mentions(name_, *function)) {
      const std::string_view line = code_.line(at.line);
      const std::string_view before = trimmed(line.substr(0, at.column));
      if (before.ends_with('&') && !before.ends_with("&&")) return false;
      if (body.contains(at) || at.line == race_.declared.line) continue;
      if (!code_.is_c() && line.find("::") != std::string_view::npos) continue;
      if (at < body.begin && !in_loop) continue;
      if (!first_behind && !in_loop) continue;
      first_behind = false;
      const std::string_view behind = line.substr(at.column + name_.size());
      const std::string_view value = behind.substr(0, std::min(behind.find(';'), behind.size()));
      const bool sets = trimmed(value).starts_with('=') && !trimmed(value).starts_with("==") && !mentions(value, name_);
      if (!sets || in_loop) return false;
    }
    return true;
  }

  const Diagnostic& race_;
  const Code& code_;
  const DirectiveText& construct_;
  const std::string& name_;
};

} // namespace

std::optional<Repair> private_copy(const Diagnostic& race, const Code& code, const DirectiveText& construct) {
  return PrivateCopy(race, code, construct).find();
}

} // namespace fletcher::reports
