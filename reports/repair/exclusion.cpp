// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that nothing excludes from each other. A sum of a loop becomes a reduction, a variable that each iteration
// sets first becomes private, other updates become atomic, and what reads what it writes goes into a critical
// construct. A loop whose iterations need each other's results is none of these.
#include "reports/repair/directive_text.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/statement_form.hpp"

#include <algorithm>
#include <set>

namespace fletcher::reports {
namespace {

/// The statement that a site is in, and what it does.
struct Step {
  Extent extent;
  StatementForm form;
};

/// `if (e > x)` and `x = e;` together, wherever of the two the site is.
std::optional<Step> conditional_step(const Code& code, std::uint32_t line) {
  for (std::uint32_t first = line; first + 1 >= line && first > 0; --first) {
    if (first_word(trimmed(code.line(first))) != "if") continue;
    const auto extent = code.statement_from({first, 0});
    if (!extent || !extent->contains(line)) continue;
    if (auto form = conditional_form(code.text(*extent))) return Step{*extent, *form};
  }
  return std::nullopt;
}

std::optional<Step> step_at(const Code& code, const SourcePlace& place) {
  if (auto step = conditional_step(code, place.line)) return step;
  const auto extent = code.statement_at(place);
  if (!extent) return std::nullopt;
  if (auto form = statement_form(code.text(*extent))) return Step{*extent, *form};
  return std::nullopt;
}

class Exclusion {
public:
  Exclusion(const Group& group, Codes& codes)
      : group_(group), leader_(*group.front()), codes_(codes), code_(codes.of(leader_.place.file)),
        sites_(sites_of(group)), name_(leader_.variable) {}

  std::optional<Repair> find() {
    if (sites_.empty() || code_.lines() == 0) return std::nullopt;
    if (std::ranges::any_of(group_, [&](const auto* one) { return one->variable != leader_.variable; }))
      return std::nullopt;
    if (auto found = part_of_reduction()) return found;
    if (is_reduced_around()) return std::nullopt;
    if (!is_identifier(name_)) { // memory of the heap goes by what the statements call it
      const auto step = step_at(code_, sites_.front().place);
      name_ = step ? first_word(step->form.target) : std::string_view();
      return is_identifier(name_) ? atomic() : std::nullopt;
    }
    const bool some_atomic = std::ranges::any_of(sites_, is_atomic);
    const bool whole = std::ranges::all_of(group_, [](const auto* one) { return one->whole_variable; });
    if (some_atomic) return atomic();
    if (whole && of_threads())
      if (auto found = reduction()) return found;
    if (whole)
      if (auto found = privatisation()) return found;
    if (auto found = atomic()) return found;
    return whole ? critical() : std::nullopt;
  }

private:
  static bool is_atomic(const Site& site) {
    return site.type == AccessType::atomic_read || site.type == AccessType::atomic_write ||
           std::ranges::any_of(site.locks, [](const auto& lock) { return lock.kind == MutexKind::atomic; });
  }

  bool of_threads() const {
    return std::ranges::all_of(sites_, [](const Site& site) { return site.task == TaskKind::implicit; });
  }

  /// A construct around a site reduces the variable already: there is a copy for whoever takes part.
  bool is_reduced_around() const {
    return std::ranges::any_of(sites_, [&](const Site& site) {
      return std::ranges::any_of(DirectiveText::around(code_, site.place.line),
                                 [&](const DirectiveText& one) { return !reduction_of(one).empty(); });
    });
  }

  /// "+" of a clause that reduces the variable; empty for none.
  std::string reduction_of(const DirectiveText& directive) const {
    for (const Clause& clause : directive.clauses()) {
      const auto colon = clause.arguments.rfind(':');
      if (!clause.name.ends_with("reduction") || colon == std::string::npos ||
          !mentions(std::string_view(clause.arguments).substr(colon), name_))
        continue;
      const std::string_view before = std::string_view(clause.arguments).substr(0, colon);
      return std::string(trimmed(before.substr(before.rfind(',') + 1)));
    }
    return {};
  }

  /// A task that updates what the taskgroup or region around it reduces for its tasks.
  std::optional<Repair> part_of_reduction() const {
    std::optional<DirectiveText> task;
    std::string operation;
    for (const Site& site : sites_) {
      const auto around = DirectiveText::around(code_, site.place.line);
      if (around.size() < 2 || !around[0].is("task") || named_otherwise(around[0])) continue;
      const auto reducing = std::find_if(around.begin() + 1, around.end(),
                                         [&](const DirectiveText& one) { return !reduction_of(one).empty(); });
      const auto step = step_at(code_, site.place);
      if (reducing == around.end() || !step || step->form.target != name_ || site.task != TaskKind::explicit_) continue;
      const bool for_tasks = reducing->clause("task_reduction") != nullptr ||
                             std::ranges::any_of(reducing->clauses(), [](const Clause& clause) {
                               return clause.name == "reduction" && trimmed(clause.arguments).starts_with("task");
                             });
      if (!for_tasks || (task && task->first_line() != around[0].first_line())) return std::nullopt;
      if (reduction_operation(step->form) != reduction_of(*reducing)) return std::nullopt;
      const auto body = around[0].body(code_);
      if (!body || code_.mentions(name_, *body).size() > code_.mentions(name_, step->extent).size())
        return std::nullopt;
      operation = reduction_of(*reducing);
      task = around[0];
    }
    if (!task) return std::nullopt;
    const std::string clause = "in_reduction(" + operation + ": " + name_ + ")";
    const auto edit = task->with_instead_of_shared(code_, clause, name_);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause + "' to the construct here: the construct around it reduces '" + name_ +
                      "' for tasks that take part",
                  {*edit}};
  }

  /// The innermost construct around all sites, if it is the same one.
  std::optional<DirectiveText> construct() const {
    std::optional<DirectiveText> out;
    for (const Site& site : sites_) {
      const auto around = DirectiveText::around(code_, site.place.line);
      if (around.empty() || (out && out->first_line() != around.front().first_line())) return std::nullopt;
      out = around.front();
    }
    return out;
  }

  bool ends_with_nowait(const DirectiveText& directive, const Extent& body) const {
    if (directive.clause("nowait") != nullptr) return true;
    const auto end = code_.is_c() ? std::nullopt : DirectiveText::at(code_, body.end.line + 1);
    return end && end->clause("nowait") != nullptr;
  }

  /// A directive in the body names the variable: more than one construct has to do with it.
  bool is_named_inside(const Extent& body) const { return has_directive_with(body, name_); }

  bool has_directive_with(const Extent& body, std::string_view word) const {
    for (std::uint32_t l = body.begin.line; l <= body.end.line; ++l)
      if (mentions(code_.directive_line(l), word)) return true;
    return false;
  }

  static bool shares_work(const DirectiveText& directive) {
    const bool other = directive.is("single") || directive.is("critical") || directive.is("task") ||
                       directive.is("ordered") || directive.is("masked") || directive.is("master") ||
                       directive.is("atomic") || directive.is("teams") || directive.is("target");
    return !other && (directive.shares_a_loop() || directive.is("parallel") || directive.is("sections"));
  }

  std::optional<Repair> reduction() const {
    std::vector<Extent> steps;
    std::string operation;
    for (const Site& site : sites_) {
      const auto step = step_at(code_, site.place);
      if (!step || step->form.target != name_) return std::nullopt;
      const std::string own = reduction_operation(step->form);
      if (own.empty() || (!operation.empty() && own != operation)) return std::nullopt;
      operation = own;
      steps.push_back(step->extent);
    }
    const auto directive = construct();
    if (!directive || !shares_work(*directive) || !is_number(leader_, codes_, directive->first_line()))
      return std::nullopt;
    const auto body = directive->body(code_);
    if (!body || ends_with_nowait(*directive, *body) || is_named_inside(*body) || named_otherwise(*directive))
      return std::nullopt;
    if (has_directive_with(*body, "cancel")) return std::nullopt; // leaves copies that nobody combines
    for (const Position at : code_.mentions(name_, *body))
      if (std::ranges::none_of(steps, [&](const Extent& step) { return step.contains(at); })) return std::nullopt;
    const std::string clause = "reduction(" + operation + ": " + name_ + ")";
    const auto edit = directive->with_instead_of_shared(code_, clause, name_);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause +
                      "' to the construct here: each thread then has a copy of its own, and they are "
                      "combined at the end",
                  {*edit}};
  }

  bool named_otherwise(const DirectiveText& directive) const {
    return std::ranges::any_of(
        directive.clauses(), [&](const Clause& one) { return one.name != "shared" && mentions(one.arguments, name_); });
  }

  // ---- private ------------------------------------------------------------------------------------------------------

  bool sets_it(const std::optional<Extent>& statement) const {
    if (!statement) return false;
    const auto form = statement_form(code_.text(*statement));
    return form && form->kind == StatementForm::Kind::write && form->operation.empty() && form->target == name_;
  }

  /// Whoever comes to the beginning of the extent sets the variable before reading it, wherever it is named in there.
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

  /// What stands behind the head in parentheses; nothing where there is an else.
  std::optional<Extent> body_of(const Extent& statement) const {
    int nested = 0;
    for (auto at = code_.next(statement.begin); at && statement.contains(*at);
         at = code_.next({at->line, at->column + 1})) {
      const char c = code_.line(at->line)[at->column];
      nested += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c != ')' || nested != 0) continue;
      const auto body = code_.statement_from({at->line, at->column + 1});
      if (!body || body->end != statement.end) return std::nullopt;
      return body;
    }
    return std::nullopt;
  }

  bool is_set_first_in_fortran(const Extent& extent, Position first) const {
    int depth = 0;
    for (std::uint32_t l = extent.begin.line + 1; l < first.line; ++l) {
      const std::string text = without_blanks(code_.line(l));
      const std::string_view word = first_word(trimmed(code_.line(l)));
      if (word == "do" || word == "select" || (word == "if" && text.ends_with("then"))) ++depth;
      if (text.starts_with("end")) --depth;
    }
    return depth == 0 && sets_it(code_.statement_at({code_.file(), first.line, 0}));
  }

  /// No value goes into the construct or comes out of it.
  bool is_only_for_the_body(const DirectiveText& directive, const Extent& body) const {
    const auto function = code_.function_around(directive.first_line());
    if (!function || !is_local_to(code_, leader_, directive.first_line())) return false;
    const bool in_loop = std::ranges::any_of(code_.blocks_around(directive.first_line()), [&](const Extent& block) {
      const std::string_view head = code_.line(block.begin.line).substr(0, block.begin.column);
      return block.begin > function->begin &&
             (mentions(head, "for") || mentions(head, "while") || mentions(head, "do"));
    });
    bool first_behind = true;
    for (const Position at : code_.mentions(name_, *function)) {
      const std::string_view line = code_.line(at.line);
      const std::string_view before = trimmed(line.substr(0, at.column));
      if (before.ends_with('&') && !before.ends_with("&&")) return false;
      if (body.contains(at) || at.line == leader_.declared.line) continue;
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

  std::optional<Repair> privatisation() const {
    const auto directive = construct();
    if (!directive || named_otherwise(*directive)) return std::nullopt;
    const bool of_tasks = directive->is("task") && !of_threads();
    if (!of_tasks && !shares_work(*directive)) return std::nullopt;
    auto body = directive->body(code_);
    if (!body || is_named_inside(*body)) return std::nullopt;
    auto iteration = body;
    if (directive->shares_a_loop() && code_.is_c()) { // behind the head of the loop, and of those that it collapses
      if (directive->clause("collapse") != nullptr) return std::nullopt;
      iteration = body_of(*body);
      if (!iteration || code_.mentions(name_, *body).size() != code_.mentions(name_, *iteration).size())
        return std::nullopt;
    }
    if (!is_set_first(*iteration) || !is_only_for_the_body(*directive, *body)) return std::nullopt;
    const std::string clause = "private(" + name_ + ")";
    const auto edit = directive->with_instead_of_shared(code_, clause, name_);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause + "' to the construct here: it sets '" + name_ +
                      "' before it reads it, and nobody needs the value afterwards",
                  {*edit}};
  }

  // ---- atomic and critical ------------------------------------------------------------------------------------------

  std::optional<Repair> atomic() const {
    std::set<std::uint32_t> told;
    std::vector<Extent> steps;
    Repair out{{}, {}};
    std::string word;
    const bool some_atomic = std::ranges::any_of(sites_, is_atomic);
    for (const Site& site : sites_) {
      if (is_atomic(site)) continue;
      const auto step = step_at(code_, site.place);
      if (!step || !is_alone(step->extent) || first_word(step->form.target) != name_) return std::nullopt;
      const bool writes = some_atomic && step->form.kind == StatementForm::Kind::write && step->form.operation.empty();
      if (!writes && !may_be_atomic(step->form)) return std::nullopt;
      steps.push_back(step->extent);
      if (!told.insert(site.place.line).second) continue;
      word = step->form.kind == StatementForm::Kind::capture ? "atomic capture" : writes ? "atomic write" : "atomic";
      out.edits.push_back(inserted_before(code_, site.place.line, directive(code_.file(), word), site.place.line));
    }
    if (out.edits.empty() || is_read_besides(steps)) return std::nullopt;
    out.sentence =
        "add '" + directive(code_.file(), word) + "' before " + (out.edits.size() == 1 ? "this line" : "these lines");
    return out;
  }

  /// The constructs around the steps use the variable elsewhere: what they read there may need an order.
  bool is_read_besides(const std::vector<Extent>& steps) const {
    for (const Site& site : sites_) {
      const auto around = DirectiveText::around(code_, site.place.line);
      const auto body = around.empty() ? std::nullopt : around.front().body(code_);
      if (!body) continue;
      for (const Position at : code_.mentions(name_, *body))
        if (std::ranges::none_of(steps, [&](const Extent& step) { return step.contains(at); }) &&
            !has_atomic_above(at.line))
          return true;
    }
    return false;
  }

  /// The statement is all that its lines have, and a construct can go in front of it.
  bool is_alone(const Extent& step) const {
    const std::string_view first = code_.line(step.begin.line), last = code_.line(step.end.line);
    return step.begin.line == step.end.line && trimmed(first.substr(0, step.begin.column)).empty() &&
           trimmed(last.substr(step.end.column)).empty() && begins_a_statement(code_, step.begin.line) &&
           !has_atomic_above(step.begin.line);
  }

  bool has_atomic_above(std::uint32_t line) const {
    const auto above = DirectiveText::at(code_, line - 1);
    return above && above->is("atomic");
  }

  std::optional<Repair> critical() const {
    std::optional<Step> all;
    for (const Site& site : sites_) {
      const auto step = step_at(code_, site.place);
      if (!step || step->form.target != name_ || !site.locks.empty()) return std::nullopt;
      // Of others the order may matter, which the construct leaves open.
      const bool is_extreme = step->form.operation == "max" || step->form.operation == "min";
      if (!is_extreme || (all && all->extent.begin != step->extent.begin)) return std::nullopt;
      all = step;
    }
    const std::uint32_t first = all->extent.begin.line, last = all->extent.end.line;
    if (!trimmed(code_.line(first).substr(0, all->extent.begin.column)).empty() || !begins_a_statement(code_, first) ||
        !trimmed(code_.line(last).substr(std::min(all->extent.end.column, code_.line(last).size()))).empty())
      return std::nullopt;
    const std::string construct = "critical (" + name_ + "_update)";
    Repair out{"put this into a critical construct: '" + directive(code_.file(), construct) + "'",
               {inserted_before(code_, first, directive(code_.file(), construct), first)}};
    if (!code_.is_c())
      out.edits.push_back(inserted_before(code_, last + 1, directive(code_.file(), "end " + construct), first));
    return out;
  }

  const Group& group_;
  const Diagnostic& leader_;
  Codes& codes_;
  const Code& code_;
  std::vector<Site> sites_;
  std::string name_;
};

} // namespace

std::optional<Repair> repair_exclusion(const Group& group, Codes& codes) { return Exclusion(group, codes).find(); }

} // namespace fletcher::reports
