// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that nothing excludes from each other. A sum of a loop becomes a reduction, a variable that each iteration
// sets first becomes private, other updates become atomic, and what reads what it writes goes into a critical
// construct.
#include "reports/document/words.hpp"
#include "reports/repair/critical_section.hpp"
#include "reports/repair/directive_text.hpp"
#include "reports/repair/last_value.hpp"
#include "reports/repair/loop_order.hpp"
#include "reports/repair/private_copy.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/statement_form.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace fletcher::reports {
namespace {

class Exclusion {
public:
  Exclusion(const Group& group, Codes& codes)
      : group_(group), leader_(*group.front()), codes_(codes), code_(codes.of(leader_.place.file)),
        sites_(sites_of(group)), name_(leader_.variable) {}

  std::optional<Repair> find() {
    if (sites_.empty() || code_.lines() == 0) return std::nullopt;
    if (std::ranges::any_of(group_, [&](const auto* one) { return one->variable != leader_.variable; }))
      return std::nullopt;
    if (leader_.between_teams) return between_teams();
    if (auto found = part_of_reduction()) return found;
    if (is_reduced_around()) return std::nullopt;
    if (std::ranges::all_of(sites_, &Site::in_call)) {
      if (auto found = critical_calls(sites_, code_)) return found;
      return of_threads() ? critical_argument(sites_, name_, code_) : std::nullopt;
    }
    if (auto found = capture()) return found;
    if (auto found = critical_addition(sites_, is_identifier(name_) ? name_ : std::string(), code_)) return found;
    if (is_known_otherwise()) {
      name_.clear();
      if (auto found = atomic()) return found;
      return critical_extreme(sites_, first_target(), code_);
    }
    const bool some_atomic = std::ranges::any_of(sites_, is_atomic);
    const bool whole = std::ranges::all_of(group_, [](const auto* one) { return one->whole_variable; });
    if (some_atomic) return atomic();
    if (whole)
      if (auto found = reduction()) return found;
    if (whole)
      if (auto found = privatisation()) return found;
    if (leader_.cause == Cause::simd_lanes) return std::nullopt; // nothing but the loop itself excludes its lanes
    if (whole)
      if (auto found = last_value(leader_, sites_, code_)) return found;
    if (auto found = only_last_iteration(sites_, name_, code_)) return found;
    if (auto found = are_constants() ? atomic(true) : atomic()) return found;
    return critical_extreme(sites_, name_, code_);
  }

  /// Updates that may come in any order, whatever else keeps some of them apart.
  std::optional<Repair> commuting() {
    std::string operation;
    if (sites_.empty() || std::ranges::any_of(sites_, is_atomic) || is_reduced_around()) return std::nullopt;
    for (const Site& site : sites_) {
      const auto step = site.in_call ? std::nullopt : step_at(code_, site.place);
      const std::string own = step ? reduction_operation(step->form) : std::string();
      if (own.empty() || !may_be_atomic(step->form) || (!operation.empty() && own != operation)) return std::nullopt;
      operation = own;
    }
    if (is_known_otherwise()) name_.clear();
    return of_threads() && is_otherwise_used() ? std::nullopt : atomic();
  }

private:
  /// In a function that updates it, the variable stands somewhere else, too, where several threads may be.
  bool is_otherwise_used() const {
    const std::string name = name_.empty() ? first_target() : name_;
    return std::ranges::any_of(sites_, [&](const Site& site) {
      const auto function = code_.function_around(site.place.line);
      const bool orphaned = std::ranges::none_of(DirectiveText::around(code_, site.place.line),
                                                 [](const auto& one) { return one.is("parallel") || one.is("teams"); });
      return !function || std::ranges::any_of(code_.mentions(name, *function), [&](Position at) {
        const bool is_site = std::ranges::any_of(sites_, [&](const Site& one) { return one.place.line == at.line; });
        return !is_site && (orphaned || !DirectiveText::around(code_, at.line).empty());
      });
    });
  }

  std::string first_target() const {
    const auto step = step_at(code_, sites_.front().place);
    return step ? base_of(step->form.target) : std::string();
  }

  /// "p" of "*p", "a" of "a[i].x".
  static std::string base_of(std::string_view target) {
    while (target.starts_with('*')) target = trimmed(target.substr(1));
    return std::string(first_word(target));
  }

  /// The functions have another name for the memory, by a pointer or as a member of their object.
  bool is_known_otherwise() const {
    return !is_identifier(name_) || std::ranges::none_of(sites_, [&](const Site& site) {
      const auto function = code_.function_around(site.place.line);
      return !function || !code_.mentions(name_, *function).empty();
    });
  }

  /// Nothing but an atomic construct excludes the threads of two teams; it can stand for a critical one around it.
  std::optional<Repair> between_teams() {
    if (!is_identifier(name_)) name_ = first_target();
    if (!is_identifier(name_)) return std::nullopt;
    const bool some_locked = std::ranges::any_of(sites_, [](const Site& site) { return !site.locks.empty(); });
    for (const Site& site : sites_) { // no atomic construct may stand directly in a teams construct
      const auto around = DirectiveText::around(code_, site.place.line);
      if (!around.empty() && around.front().is("teams") && !around.front().is("distribute") &&
          !around.front().is("parallel") && !around.front().is("loop"))
        return some_locked ? std::nullopt : reduction_of_teams(around.front());
    }
    if (auto found = only_last_iteration(sites_, name_, code_)) return found;
    if (!some_locked) return atomic();
    if (auto found = atomic_for_critical()) return found;
    return commuting();
  }

  /// Each team has a copy, and they are combined at the end of the construct.
  std::optional<Repair> reduction_of_teams(const DirectiveText& teams) const {
    std::string operation;
    std::set<std::uint32_t> lines;
    for (const Site& site : sites_) {
      const auto step = site.in_call ? std::nullopt : step_at(code_, site.place);
      const std::string own = step && step->form.target == name_ ? reduction_operation(step->form) : std::string();
      if (own.empty() || (!operation.empty() && own != operation)) return std::nullopt;
      operation = own;
      lines.insert(site.place.line);
    }
    const auto body = teams.body(code_);
    if (!body || !is_number(leader_, codes_, teams.first_line())) return std::nullopt;
    for (const Position at : code_.mentions(name_, *body))
      if (!lines.contains(at.line)) return std::nullopt;
    const std::string clause = "reduction(" + operation + ": " + name_ + ")";
    const auto edit = teams.with_instead_of_shared(code_, clause, name_);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause +
                      "' to the construct here: each team then has a copy of its own, and they are combined at the end",
                  {*edit}};
  }

  std::optional<Repair> atomic_for_critical() const {
    const auto directive = construct();
    const auto body = directive && directive->is("critical") ? directive->body(code_) : std::nullopt;
    const auto step = step_at(code_, sites_.front().place);
    if (!body || !step || !code_.is_c() || !directive->clauses().empty() || !may_be_atomic(step->form) ||
        first_word(step->form.target) != name_)
      return std::nullopt;
    // The update is all that the construct has, and no other construct of this name excludes it.
    if (step->extent.begin != body->begin || step->extent.end != body->end ||
        directive->first_line() != directive->last_line() || criticals(code_, directive->argument()) != 1)
      return std::nullopt;
    const auto edit = directive->replaced_by(code_, "atomic");
    if (!edit) return std::nullopt;
    return Repair{"make the update atomic: '" + reports::directive(code_.file(), "atomic") + "'", {*edit}};
  }

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
                                 [&](const DirectiveText& one) { return !reduction_of(one, name_).empty(); });
    });
  }

  /// Tasks of a construct that reduces it for them, by whatever way they come from there, take part instead.
  bool is_reduced_for_tasks(const std::string& name) const {
    if (of_threads()) return false;
    for (std::uint32_t line = 1; line <= code_.lines(); ++line)
      if (const auto one = DirectiveText::at(code_, line); one && !reduction_of(*one, name).empty()) return true;
    return false;
  }

  /// "+" of a clause that reduces the variable; empty for none.
  static std::string reduction_of(const DirectiveText& directive, const std::string& name) {
    for (const Clause& clause : directive.clauses()) {
      const auto colon = clause.arguments.rfind(':');
      if (!clause.name.ends_with("reduction") || colon == std::string::npos ||
          !mentions(std::string_view(clause.arguments).substr(colon), name))
        continue;
      const std::string_view before = std::string_view(clause.arguments).substr(0, colon);
      return std::string(trimmed(before.substr(before.rfind(',') + 1)));
    }
    return {};
  }

  static bool reduces_for_tasks(const DirectiveText& one) {
    return one.clause("task_reduction") != nullptr || std::ranges::any_of(one.clauses(), [](const Clause& clause) {
             return clause.name == "reduction" && trimmed(clause.arguments).starts_with("task");
           });
  }

  /// The construct that reduces the variable for its tasks: around the task, or the only one of the file, from which a
  /// function is called that creates it.
  std::optional<DirectiveText> reducing_for(const std::vector<DirectiveText>& around) const {
    const auto found = std::find_if(around.begin() + 1, around.end(),
                                    [&](const DirectiveText& one) { return !reduction_of(one, name_).empty(); });
    if (found != around.end()) return reduces_for_tasks(*found) ? std::optional(*found) : std::nullopt;
    std::optional<DirectiveText> out;
    for (std::uint32_t line = 1; line <= code_.lines(); ++line) {
      const auto one = DirectiveText::at(code_, line);
      if (!one || reduction_of(*one, name_).empty()) continue;
      if (out || !reduces_for_tasks(*one)) return std::nullopt;
      out = one;
    }
    return out;
  }

  /// Tasks that update what the taskgroup or region around them reduces for its tasks.
  std::optional<Repair> part_of_reduction() const {
    if (!is_identifier(name_)) return std::nullopt;
    std::map<std::uint32_t, DirectiveText> tasks;
    std::string operation;
    for (const Site& site : sites_) {
      const auto around = DirectiveText::around(code_, site.place.line);
      if (around.empty() || !around[0].is("task") || around[0].names_besides_shared(name_)) continue;
      const auto reducing = reducing_for(around);
      const auto step = step_at(code_, site.place);
      if (!reducing || !step || step->form.target != name_ || site.task != TaskKind::explicit_) continue;
      if (reduction_operation(step->form) != reduction_of(*reducing, name_)) return std::nullopt;
      const auto body = around[0].body(code_);
      if (!body || code_.mentions(name_, *body).size() > code_.mentions(name_, step->extent).size())
        return std::nullopt;
      operation = reduction_of(*reducing, name_);
      tasks.emplace(around[0].first_line(), around[0]);
    }
    if (tasks.empty()) return std::nullopt;
    const std::string clause = "in_reduction(" + operation + ": " + name_ + ")";
    Repair out{"add '" + clause + "' to the construct" + (tasks.size() == 1 ? "" : "s") +
                   " here: the construct around it reduces '" + name_ + "' for tasks that take part",
               {}};
    for (const auto& [line, task] : tasks) {
      const auto edit = task.with_instead_of_shared(code_, clause, name_);
      if (!edit) return std::nullopt;
      out.edits.push_back(*edit);
    }
    return out;
  }

  /// The innermost construct around all sites, if it is the same one.
  std::optional<DirectiveText> construct() const {
    std::optional<DirectiveText> out;
    for (const Site& site : sites_) {
      if (DirectiveText::at(code_, site.place.line)) continue; // of the loop itself
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

  bool is_in_league() const {
    return std::ranges::any_of(DirectiveText::around(code_, leader_.place.line), [](const DirectiveText& one) {
      return one.is("teams") || one.is("distribute") || one.is("target");
    });
  }

  static bool shares_work(const DirectiveText& directive) {
    const bool other = directive.is("single") || directive.is("critical") || directive.is("task") ||
                       directive.is("ordered") || directive.is("masked") || directive.is("master") ||
                       directive.is("atomic") || directive.is("teams") || directive.is("target");
    return !other && (directive.shares_a_loop() || directive.is("parallel") || directive.is("sections"));
  }

  /// A reduction clause has a meaning there, and one thread or task at a time combines the copies.
  bool combines(const DirectiveText& directive) const {
    if (directive.is("taskloop")) return directive.clause("nogroup") == nullptr && is_executed_once(directive);
    if (leader_.cause == Cause::simd_lanes && directive.is("simd") && !directive.shares_a_loop()) return true;
    return of_threads() && shares_work(directive);
  }

  /// One thread of a team, or a task, comes to the construct.
  bool is_executed_once(const DirectiveText& directive) const {
    const auto body = directive.body(code_);
    if (!body) return false;
    for (const DirectiveText& one : DirectiveText::around(code_, body->begin.line)) {
      if (one.first_line() == directive.first_line()) continue;
      return one.is("single") || one.is("master") || one.is("masked") || one.is("task");
    }
    return false;
  }

  std::optional<Repair> reduction() const {
    std::vector<Extent> steps;
    std::string operation;
    std::optional<std::uint32_t> at_directive;
    for (const Site& site : sites_) {
      if (DirectiveText::at(code_, site.place.line)) { // what the loop adds up is written when it ends
        at_directive = site.place.line;
        continue;
      }
      const auto step = step_at(code_, site.place);
      if (!step || step->form.target != name_) return std::nullopt;
      const std::string own = reduction_operation(step->form);
      if (own.empty() || (!operation.empty() && own != operation)) return std::nullopt;
      operation = own;
      steps.push_back(step->extent);
    }
    const auto directive = construct();
    if (at_directive && (!directive || directive->first_line() != *at_directive)) return std::nullopt;
    if (is_in_league()) return std::nullopt; // each team would have to combine what the others have, too
    if (!directive || !combines(*directive) || !is_number(leader_, codes_, directive->first_line()))
      return std::nullopt;
    const auto body = directive->body(code_);
    if (!body || ends_with_nowait(*directive, *body) || has_directive_with(code_, *body, name_) ||
        directive->names_besides_shared(name_))
      return std::nullopt;
    if (has_directive_with(code_, *body, "cancel")) return std::nullopt; // leaves copies that nobody combines
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

  std::optional<Repair> privatisation() const {
    const auto directive = construct();
    if (!directive) return std::nullopt;
    const bool of_tasks = directive->is("task") && !of_threads();
    return of_tasks || shares_work(*directive) ? private_copy(leader_, code_, *directive) : std::nullopt;
  }

  // ---- atomic and critical ------------------------------------------------------------------------------------------

  /// All sites set it to a number that stands there: none of them computes one from what others have set.
  bool are_constants() const {
    return std::ranges::all_of(sites_, [&](const Site& site) {
      const auto step = site.in_call ? std::nullopt : step_at(code_, site.place);
      if (!step || step->form.kind != StatementForm::Kind::write || !step->form.operation.empty()) return false;
      const std::string_view value = step->form.value;
      const bool is_sign = value.starts_with('-');
      return value == "true" || value == "false" ||
             (value.size() > (is_sign ? 1U : 0U) &&
              std::isdigit(static_cast<unsigned char>(value[is_sign ? 1 : 0])) != 0 &&
              std::ranges::all_of(value.substr(1), [](char c) { return is_word(c) || c == '.'; }));
    });
  }

  std::optional<Repair> atomic(bool of_constants = false) const {
    std::set<std::uint32_t> told;
    std::map<std::string, std::vector<Extent>> steps; ///< by what they change
    Repair out{{}, {}};
    std::string word;
    const bool some_atomic = std::ranges::any_of(sites_, is_atomic);
    for (const Site& site : sites_) {
      if (is_atomic(site)) continue;
      const auto step = site.in_call ? std::nullopt : step_at(code_, site.place);
      if (!step) return std::nullopt;
      const bool reads = some_atomic && !is_write(site.type) && reads_what_is_set(*step);
      const std::string target = base_of(step->form.target);
      if (!reads && (name_.empty() ? !is_identifier(target) : target != name_)) return std::nullopt;
      const bool writes = (some_atomic || of_constants) && step->form.kind == StatementForm::Kind::write &&
                          step->form.operation.empty();
      if (!reads && !writes && !may_be_atomic(step->form)) return std::nullopt;
      steps[name_.empty() ? target : name_].push_back(step->extent);
      if (!told.insert(site.place.line).second) continue;
      word = reads                                             ? "atomic read"
             : step->form.kind == StatementForm::Kind::capture ? "atomic capture"
             : writes                                          ? "atomic write"
                                                               : "atomic";
      const bool is_part = !is_identifier(step->form.target);
      if (!is_alone(code_, step->extent) && !is_part && !is_number(leader_, codes_, site.place.line))
        return std::nullopt; // of a type that may have no atomic operations
      if (!add_construct(code_, word, step->extent, out.edits)) return std::nullopt;
    }
    if (out.edits.empty() || std::ranges::any_of(steps, [&](const auto& one) {
          return is_used_besides(sites_, one.second, one.first, code_) || is_reduced_for_tasks(one.first);
        }))
      return std::nullopt;
    out.sentence = "add '" + directive(code_.file(), word) + "' before " +
                   (told.size() > 1          ? "these lines"
                    : out.edits.size() == 1U ? "this line"
                                             : "the statement, on a line of its own");
    return out;
  }

  /// `seen = flag;` beside threads of the region that set the flag. Who reads what they add up wants the sum.
  bool reads_what_is_set(const Step& step) const {
    if (step.form.kind != StatementForm::Kind::write || !step.form.operation.empty() || step.form.value != name_)
      return false;
    return of_threads() && std::ranges::all_of(sites_, [&](const Site& site) {
             const auto above = DirectiveText::at(code_, site.place.line - 1);
             return !is_atomic(site) || (above && above->is("atomic") &&
                                         (above->clause("write") != nullptr || above->clause("read") != nullptr));
           });
  }

  /// An atomic update, and behind it a statement that reads the result: both together are one atomic operation.
  std::optional<Repair> capture() const {
    if (!code_.is_c() || !is_identifier(name_)) return std::nullopt;
    std::uint32_t update = 0, reader = 0;
    for (const Site& site : sites_) {
      const bool atomic = is_atomic(site);
      std::uint32_t& line = atomic ? update : reader;
      if ((!atomic && is_write(site.type)) || (line != 0 && line != site.place.line)) return std::nullopt;
      line = site.place.line;
    }
    const auto directive = update > 1 ? DirectiveText::at(code_, update - 1) : std::nullopt;
    if (reader != update + 1 || !directive || !directive->is("atomic") || directive->first_line() != update - 1)
      return std::nullopt;
    const bool updates =
        directive->clauses().empty() || (directive->clauses().size() == 1 && directive->clause("update") != nullptr);
    const auto first = step_at(code_, {code_.file(), update, 0}), second = step_at(code_, {code_.file(), reader, 0});
    if (!updates || !first || !second || first->form.kind != StatementForm::Kind::update ||
        first->form.target != name_ || second->form.kind != StatementForm::Kind::write ||
        !second->form.operation.empty() || second->form.value != name_ || !is_identifier(second->form.target))
      return std::nullopt;
    const auto construct = directive->replaced_by(code_, "atomic capture");
    if (!construct) return std::nullopt;
    const std::string_view own = code_.original(update);
    const std::string indent(own.substr(0, own.find_first_not_of(" \t")));
    return Repair{"read the result in the same atomic operation: '" +
                      reports::directive(code_.file(), "atomic capture") + "'",
                  {*construct,
                   {{code_.file(), update, 1},
                    indent + "{ " + code_.text(first->extent) + " " + code_.text(second->extent) + " }",
                    true},
                   {{code_.file(), reader, 1}, "", true}}};
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

std::optional<Repair> repair_by_atomic(const Group& group, Codes& codes) { return Exclusion(group, codes).commuting(); }

} // namespace fletcher::reports
