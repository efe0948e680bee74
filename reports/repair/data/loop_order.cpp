// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/loop_order.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// The innermost construct around a line, if it divides a loop and an ordered construct may stand in there.
std::optional<DirectiveText> ordered_loop_around(std::uint32_t line, const Code& code) {
  const auto around = DirectiveText::around(code, line);
  const bool of_any = !around.empty() && around.front().is("parallel") && around.front().is("loop");
  if (around.empty() || (!around.front().is("for") && !around.front().is("do") && !of_any)) return std::nullopt;
  const DirectiveText& loop = around.front();
  for (const std::string_view word : {"distribute", "taskloop"})
    if (loop.is(word)) return std::nullopt;
  constexpr std::array<std::string_view, 6> unordered{"order", "linear", "safelen", "simdlen", "aligned", "bind"};
  for (const Clause& clause : loop.clauses()) {
    const bool forbids = std::ranges::find(unordered, clause.name) != unordered.end() ||
                         mentions(clause.arguments, "nonmonotonic") || mentions(clause.arguments, "inscan");
    if (forbids || (clause.name == "ordered" && !clause.arguments.empty())) return std::nullopt;
  }
  return loop;
}

/// The construct with an ordered clause: no lanes of a vector, and iterations in an order.
std::optional<Edit> with_ordered(const DirectiveText& loop, const Code& code) {
  auto edit = loop.with(code, "ordered");
  for (const auto& [word, by] : {std::pair<std::string, std::string>(" simd", ""), {" loop", " for"}}) {
    if (!edit || !loop.is(word.substr(1))) continue;
    const auto at = edit->text.find(word);
    if (at == std::string::npos || loop.first_line() != loop.last_line()) return std::nullopt;
    edit->text.replace(at, word.size(), by);
  }
  return edit;
}

/// `int before = a[i - 1];`: a name that later statements use.
bool declares(const std::string& statement) {
  static const std::regex form(
      R"(^\s*(?!return\b|delete\b|throw\b|else\b|new\b)(?:[A-Za-z_][\w:]*(?:<[^;=]*>)?[\s*&]+)+)"
      R"([A-Za-z_]\w*\s*(?:[=;\[{(].*|,.*)$)");
  return std::regex_match(statement, form);
}

/// The innermost loop that divides the iterations in which both accesses of a race are made, directly or by calls, and
/// their lines there.
struct Divided {
  DirectiveText loop;
  std::uint32_t first, second;
  std::set<std::string> called; ///< the functions that make the accesses, and those between the loop and them
};

std::optional<Divided> divided_by(const Diagnostic& race, const Code& code) {
  const auto in_loop = [&](const SourcePlace& here, const SourcePlace& there) -> std::optional<Divided> {
    if (here.file != code.file() || there.file != code.file()) return std::nullopt;
    const auto first = ordered_loop_around(here.line, code), second = ordered_loop_around(there.line, code);
    if (!first || !second || first->first_line() != second->first_line()) return std::nullopt;
    return Divided{*first, here.line, there.line, {}};
  };
  if (auto found = in_loop(race.sites[0].place, race.sites[1].place)) return found;
  const auto other = std::ranges::find(race.notes, Note::Kind::other_access, &Note::kind);
  if (other == race.notes.end()) return std::nullopt;
  const auto add_names = [](const std::vector<Frame>& stack, const Frame& end, std::set<std::string>& names) {
    for (const Frame* one = stack.data(); one != &end; ++one)
      if (const auto name = plain_name(one->function.name); !name.empty()) names.emplace(name);
  };
  for (const Frame& here : race.stack)
    for (const Frame& there : other->stack)
      if (auto found = in_loop(here.place, there.place)) {
        add_names(race.stack, here, found->called);
        add_names(other->stack, there, found->called);
        return found;
      }
  return std::nullopt;
}

/// Nothing in there leaves it, or is a construct.
bool can_be_ordered(const Extent& part, const Code& code) {
  for (std::uint32_t line = part.begin.line; line <= part.end.line; ++line) {
    if (!code.directive_line(line).empty()) return false;
    for (const std::string_view word : {"continue", "return", "goto", "throw", "omp_set_lock"})
      if (mentions(code.line(line), word)) return false;
  }
  const std::string text = code.text(part);
  const std::string_view first = first_word(text);
  return !mentions(text, "break") || first == "for" || first == "while" || first == "do" || first == "switch";
}

/// The statements of an iteration that are to be executed in order, from the first to the last one.
class OrderedPart {
public:
  OrderedPart(const DirectiveText& loop, const Code& code) : loop_(loop), code_(code) {}

  /// What all loops that the construct divides do for one iteration.
  std::optional<Extent> iteration() const {
    std::size_t loops = 1;
    if (const Clause* const collapse = loop_.clause("collapse")) {
      const std::string_view number = trimmed(collapse->arguments);
      if (number.size() != 1 || number.front() < '1' || number.front() > '9') return std::nullopt;
      loops = static_cast<std::size_t>(number.front() - '0');
    }
    auto out = loop_.body(code_);
    for (; out && loops > 0; --loops) {
      if (first_word(code_.line(out->begin.line).substr(out->begin.column)) != "for") return std::nullopt;
      out = code_.behind_head(*out);
    }
    return out;
  }

  /// The lines have to be inside; so has all else that names the variable or calls one of the functions.
  std::optional<Extent> find(const std::vector<std::uint32_t>& lines, const std::string& variable,
                             const std::set<std::string>& functions) const {
    const auto iteration = this->iteration();
    if (!iteration) return std::nullopt;
    const std::vector<Extent> parts = code_.parts_of(*iteration);
    const auto is_inside = [&](std::uint32_t line) {
      return std::ranges::any_of(parts, [&](const Extent& part) { return part.contains(line); });
    };
    if (!std::ranges::all_of(lines, is_inside)) return std::nullopt; // the loop's head
    std::size_t first = parts.size(), last = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool named = is_identifier(variable) && !code_.mentions(variable, parts[i]).empty();
      const bool raced = std::ranges::any_of(lines, [&](std::uint32_t line) { return parts[i].contains(line); });
      const bool called =
          std::ranges::any_of(functions, [&](const std::string& name) { return mentions(code_.text(parts[i]), name); });
      if (!named && !raced && !called) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first == parts.size()) return std::nullopt;
    for (std::size_t i = first; i <= last; ++i)
      if (declares(code_.text(parts[i]))) last = parts.size() - 1; // its scope ends with the iteration
    return Extent{parts[first].begin, parts[last].end};
  }

private:
  const DirectiveText& loop_;
  const Code& code_;
};

/// A construct around whole lines: in front of the first statement, and a block where there are several.
bool add_lines(const Code& code, const std::string& word, const Extent& part, bool several, std::vector<Edit>& edits) {
  const std::string_view first = code.line(part.begin.line), last = code.line(part.end.line);
  if (!trimmed(first.substr(0, part.begin.column)).empty() ||
      !trimmed(last.substr(std::min(part.end.column, last.size()))).empty())
    return false;
  const std::uint32_t begin = part.begin.line;
  edits.push_back(inserted_before(code, begin, directive(code.file(), word), begin));
  if (!several) return true;
  edits.push_back(inserted_before(code, begin, "{", begin));
  edits.push_back(inserted_before(code, part.end.line + 1, "}", begin));
  return true;
}

/// A clause other than `shared` and `map` names the variable.
bool has_copies(const DirectiveText& construct, const std::string& name) {
  return std::ranges::any_of(construct.clauses(), [&](const Clause& one) {
    return one.name != "shared" && one.name != "map" && mentions(one.arguments, name);
  });
}

/// The head of `for (int i = 0; i < n; i++)`: the variable, and what it is in the last iteration.
struct LoopHead {
  std::string variable, last;
};

std::optional<LoopHead> head_of(const Extent& loop, const Extent& iteration, const Code& code) {
  static const std::regex form(
      R"(^for ?\( ?(?:(?:const )?(?:[A-Za-z_][\w:]* )+)?(\w+) ?= ?[^;]*; ?(\w+) ?(<=?|>=?) ?([^;<>]+); ?(\+\+|--)?(\w+)(\+\+|--)? ?\)$)");
  const std::string head(trimmed(code.text({loop.begin, iteration.begin})));
  std::smatch match;
  if (!std::regex_match(head, match, form) || match[1] != match[2] || match[1] != match[6] ||
      match[5].matched == match[7].matched)
    return std::nullopt;
  const bool up = (match[5].matched ? match[5] : match[7]) == "++", less = match[3].str().starts_with('<');
  if (up != less) return std::nullopt;
  std::string bound(trimmed(match[4].str()));
  if (bound.find('=') != std::string::npos || bound.find('(') != std::string::npos) return std::nullopt;
  const bool simple = std::ranges::all_of(bound, is_word);
  const bool inclusive = match[3].length() == 2;
  if (!inclusive) bound = (simple ? bound : "(" + bound + ")") + (up ? " - 1" : " + 1");
  return LoopHead{match[1], bound};
}

} // namespace

std::optional<Repair> in_order_of_loop(const Group& group, const Code& code) {
  if (!code.is_c()) return std::nullopt;
  std::vector<std::uint32_t> lines;
  std::set<std::string> called;
  std::optional<DirectiveText> loop;
  for (const Diagnostic* one : group) {
    if (one->rule != Rule::data_race || one->sites.size() != 2) return std::nullopt;
    for (const Site& site : one->sites)
      if (site.task != TaskKind::implicit || !site.locks.empty()) return std::nullopt;
    const auto own = divided_by(*one, code);
    if (!own || (loop && loop->first_line() != own->loop.first_line()) || own->loop.names_besides_shared(one->variable))
      return std::nullopt;
    loop = own->loop;
    lines.insert(lines.end(), {own->first, own->second});
    called.insert(own->called.begin(), own->called.end());
  }
  if (!loop) return std::nullopt;
  const auto body = loop->body(code);
  if (!body || has_directive_with(code, *body, "ordered") || has_directive_with(code, *body, "cancel"))
    return std::nullopt; // an iteration has one ordered region
  const auto part = OrderedPart(*loop, code).find(lines, group.front()->variable, called);
  if (!part || !can_be_ordered(*part, code)) return std::nullopt;
  if (const auto above = DirectiveText::at(code, part->begin.line - 1);
      above && above->first_line() != loop->first_line() && !above->stands_alone())
    return std::nullopt;
  Repair out{"add 'ordered' to the loop, and '" + directive(code.file(), "ordered") +
                 "' before the part that its iterations have to execute in order: the result is then that of the "
                 "sequential loop (a critical construct costs less, where their order does not matter)",
             {}};
  if (!loop->is("ordered") && loop->clause("ordered") == nullptr) {
    const auto edit = with_ordered(*loop, code);
    if (!edit) return std::nullopt;
    out.edits.push_back(*edit);
  }
  const auto statement = code.statement_from(part->begin);
  const bool several = !statement || statement->end != part->end;
  const bool added = add_lines(code, "ordered", *part, several, out.edits) ||
                     (!several && add_construct(code, "ordered", *part, out.edits));
  return added ? std::optional(out) : std::nullopt;
}

std::optional<Repair> only_last_iteration(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  if (!code.is_c() || !is_identifier(name)) return std::nullopt;
  const auto statement = code.statement_at(sites.front().place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  if (!form || form->kind != StatementForm::Kind::write || !form->operation.empty() || base_of(form->target) != name ||
      form->target.find("->") != std::string::npos)
    return std::nullopt;
  for (const Site& site : sites)
    if (!is_write(site.type) || site.in_call || !site.locks.empty() || site.place.line != statement->begin.line)
      return std::nullopt;
  const auto around = DirectiveText::around(code, statement->begin.line);
  if (around.empty()) return std::nullopt;
  const DirectiveText& construct = around.front();
  const auto loop = construct.body(code);
  const bool divides = construct.shares_a_loop() || construct.is("distribute");
  if (!loop || !divides || construct.clause("collapse") != nullptr || has_copies(construct, name) ||
      has_directive_with(code, *loop, "cancel"))
    return std::nullopt;
  const auto iteration = code.behind_head(*loop);
  const auto head = iteration ? head_of(*loop, *iteration, code) : std::nullopt;
  if (!head) return std::nullopt;
  // Each iteration comes to the statement, which sets the same place, and neither reads it nor has another effect.
  const auto parts = code.parts_of(*iteration);
  const bool directly = std::ranges::any_of(parts, [&](const Extent& part) { return part.begin == statement->begin; });
  if (!directly || code.mentions(name, *loop).size() != 1) return std::nullopt;
  std::string_view index = std::string_view(form->target).substr(name.size());
  if (index.find('(') != std::string_view::npos || form->value.find('(') != std::string::npos ||
      form->value.find("++") != std::string::npos || form->value.find("--") != std::string::npos)
    return std::nullopt;
  while (!index.empty()) {
    const std::string_view word = first_word(index);
    for (const Position at : word.empty() ? std::vector<Position>() : code.mentions(word, *loop))
      if (word == head->variable || is_changed_at(code, at, word)) return std::nullopt;
    index.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  for (std::uint32_t line = loop->begin.line; line <= loop->end.line; ++line)
    for (const std::string_view word : {"continue", "goto"})
      if (mentions(code.line(line), word)) return std::nullopt;
  const std::string condition = "if (" + head->variable + " == " + head->last + ") ";
  std::string text(code.original(statement->begin.line));
  text.insert(statement->begin.column, condition);
  return Repair{"let the last iteration set it, as in the sequential loop: '" + std::string(trimmed(condition)) + "'",
                {{{code.file(), statement->begin.line, 1}, std::move(text), true}}};
}

} // namespace fletcher::reports
