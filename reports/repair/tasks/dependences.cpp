// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks whose depend clauses do not order them: clauses for all tasks that name the variable, and the type that says
// what a task does.
#include "reports/document/words.hpp"
#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/accessed_argument.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "reports/repair/tasks/common_item.hpp"
#include "reports/repair/tasks/non_siblings.hpp"

#include <algorithm>
#include <map>

namespace fletcher::reports {
namespace {

class Dependences {
public:
  Dependences(const Group& group, Codes& codes) : group_(group), leader_(*group.front()), codes_(codes) {}

  std::optional<Repair> find() {
    if (!is_identifier(leader_.variable)) return std::nullopt;
    std::string file;
    for (const Diagnostic* one : group_) {
      if (one->rule == Rule::unmatched_dependence) return std::nullopt; // clauses to be corrected, not more of them
      if (one->rule != Rule::data_race || one->variable != leader_.variable || one->cause != leader_.cause)
        return std::nullopt;
      for (const Site& site : one->sites) {
        if (site.task != TaskKind::explicit_ || !site.construct.known()) return std::nullopt;
        if (!file.empty() && file != site.construct.file) return std::nullopt;
        file = site.construct.file;
        const auto line = line_of_construct(site.construct, codes_.sources());
        if (!line) return std::nullopt;
        writes_[*line] = writes_[*line] || is_write(site.type);
      }
    }
    if (writes_.empty()) return std::nullopt;
    const Code& code = codes_.of(file);
    // A task that has to wait may be the one that fulfils an event of another.
    if (!code.mentions("omp_fulfill_event", code.whole()).empty()) return std::nullopt;
    return leader_.cause == Cause::missing_dependence ? added(code) : corrected(code);
  }

private:
  /// The one item by which clauses name the variable; empty where there are several.
  std::string item(const Code& code) const {
    std::string out;
    for (const auto& [line, writes] : writes_) {
      const auto directive = DirectiveText::at(code, line);
      if (!directive) return {};
      for (const Clause& clause : directive->clauses()) {
        const auto list = read_depend(clause);
        for (const std::string& one : list ? list->items : std::vector<std::string>()) {
          if (!mentions(one, leader_.variable)) continue;
          if (!out.empty() && without_blanks(out) != without_blanks(one)) return {};
          out = one;
        }
      }
    }
    return out.empty() ? leader_.variable : out;
  }

  std::optional<Repair> added(const Code& code) const {
    if (!std::ranges::all_of(group_,
                             [&](const Diagnostic* one) { return one->whole_variable || is_array(*one, code); }))
      return std::nullopt;
    const std::string name = item(code);
    if (name != leader_.variable) return std::nullopt;
    Repair out{{}, {}};
    std::string alone; // the sentence, where it is about one construct
    for (const auto& [line, writes] : writes_) {
      const auto directive = DirectiveText::at(code, line);
      if (!directive || !directive->is("task") || !is_visible(code, line)) return std::nullopt;
      const std::string type = writes ? "inout" : "in";
      bool has_it = false;
      for (const Clause& clause : directive->clauses()) {
        const auto list = read_depend(clause);
        const bool names = list && std::ranges::find(list->items, name) != list->items.end();
        if (names && (list->type != "in" || !writes))
          has_it = true;
        else if (mentions(clause.arguments, name) && clause.name != "shared")
          return std::nullopt;
      }
      if (has_it) continue;
      const auto edit = directive->with(code, depend(type, name));
      if (!edit) return std::nullopt;
      out.edits.push_back(*edit);
      out.sentence += (out.sentence.empty() ? "add '" : " and '") + depend(type, name) + "' to the construct at line " +
                      std::to_string(line);
      alone = "add '" + depend(type, name) + "' to the construct here: the task " + (writes ? "writes '" : "reads '") +
              name + "'";
    }
    if (out.edits.size() == 1) out.sentence = alone;
    return out.edits.empty() ? std::nullopt : std::optional(out);
  }

  /// Fortran: the statements of both accesses name all of an array.
  bool is_array(const Diagnostic& race, const Code& code) const {
    return !code.is_c() && std::ranges::all_of(race.sites, [&](const Site& site) {
      const auto uses = code.mentions(leader_.variable, {{site.place.line, 0}, {site.place.line + 1, 0}});
      return !uses.empty() && std::ranges::none_of(uses, [&](Position at) {
        return trimmed(code.line(at.line).substr(at.column + leader_.variable.size())).starts_with('(');
      });
    });
  }

  /// A name of the whole file, or of a block around the line.
  bool is_visible(const Code& code, std::uint32_t line) const {
    if (!code.is_c()) return is_local_to(code, leader_, line);
    if (!leader_.declared.known() || leader_.declared.file != code.file() || leader_.declared.line > line) return false;
    const auto blocks = code.blocks_around(leader_.declared.line);
    return blocks.empty() || blocks.front().contains(line) || is_local_to(code, leader_, line);
  }

  /// 'in' in a task that writes becomes 'inout'.
  std::optional<Repair> corrected(const Code& code) const {
    Repair out{{}, {}};
    for (const auto& [line, writes] : writes_) {
      const auto directive = DirectiveText::at(code, line);
      if (!directive || !directive->is("task")) return std::nullopt;
      if (!writes) continue;
      const Clause* lying = nullptr;
      std::vector<std::string> mine, others;
      for (const Clause& clause : directive->clauses()) {
        const auto list = read_depend(clause);
        if (!list || !mentions(clause.arguments, leader_.variable)) continue;
        if (list->type != "in") continue;
        if (lying != nullptr) return std::nullopt;
        lying = &clause;
        for (const std::string& one : list->items) (mentions(one, leader_.variable) ? mine : others).push_back(one);
      }
      if (lying == nullptr) continue;
      if (mine.size() != 1) return std::nullopt;
      std::string by = depend("inout", mine.front());
      for (std::size_t i = 0; i < others.size(); ++i) by += (i == 0 ? " depend(in: " : ", ") + others[i];
      if (!others.empty()) by += ")";
      const auto edit = directive->with_replaced(code, *lying, by);
      if (!edit) return std::nullopt;
      out.edits.push_back(*edit);
      out.sentence = "declare '" + mine.front() + "' as 'inout' here: the task writes it";
    }
    return out.edits.empty() ? std::nullopt : std::optional(out);
  }

  const Group& group_;
  const Diagnostic& leader_;
  Codes& codes_;
  std::map<std::uint32_t, bool> writes_; ///< by the line of a task's construct
};

/// What a function writes by one of its parameters, the task that calls it has to declare so: the item that is the
/// argument, or the first element of it.
std::optional<Repair> item_of_parameter(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (leader.stack.size() < 2 || !leader.place.known() || leader.sites.size() != 2) return std::nullopt;
  const Code& code = codes.of(leader.place.file);
  const SourcePlace &written = leader.stack[0].place, &called = leader.stack[1].place;
  const auto body = code.function_around(written.line);
  const auto line = line_of_construct(leader.sites.front().construct, codes.sources());
  const auto task = line ? DirectiveText::at(code, *line) : std::nullopt;
  const auto calling = task ? task->body(code) : std::nullopt;
  if (!code.is_c() || written.file != code.file() || called.file != code.file() || !body || !calling ||
      !calling->contains(called.line))
    return std::nullopt;
  for (const Diagnostic* one : group) // other causes would need other changes
    if (one->rule != Rule::data_race || one->sites.size() != 2 || one->cause != leader.cause ||
        !std::ranges::all_of(one->sites, [&](const Site& site) {
          return site.construct.known() && line_of_construct(site.construct, codes.sources()) == line;
        }))
      return std::nullopt;
  const auto statement = code.statement_at(written);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  const std::string_view function = plain_name(leader.stack.front().function.name);
  const std::vector<std::string> names = parameters_of(code, *body, function);
  const std::vector<Argument> given = arguments_of(code.line(called.line), function);
  const auto at = form ? std::ranges::find(names, base_of(form->target)) : names.end();
  if (at == names.end() || given.size() != names.size()) return std::nullopt;
  const std::string argument = without_blanks(given[static_cast<std::size_t>(at - names.begin())].text);
  for (const Clause& clause : task->clauses()) {
    const auto list = read_depend(clause);
    if (!list || list->type != "in") continue;
    std::string mine, others;
    for (const std::string& item : list->items) {
      const std::string own = without_blanks(item);
      if (own == argument || own == argument + "[0]" || own == "*" + argument)
        mine = item;
      else
        others += (others.empty() ? "" : ", ") + item;
    }
    if (mine.empty()) continue;
    const std::string by = (others.empty() ? std::string() : depend("in", others) + " ") + depend("inout", mine);
    const auto edit = task->with_replaced(code, clause, by);
    if (!edit) return std::nullopt;
    return Repair{"declare '" + mine + "' as 'inout' here: the task writes it in " + std::string(function), {*edit}};
  }
  return std::nullopt;
}

/// What a function accesses by one of its parameters, the task that calls it names by the argument, where one of the
/// two does: the other one gets an item, or another type for the one that it has.
/// `by_element`: by the elements that the functions access, where their parameters choose them.
std::optional<Repair> items_of_arguments(const Group& group, Codes& codes, bool by_element) {
  const Code& code = codes.of(group.front()->place.file);
  struct Missing {
    std::string item;
    bool writes = false;
  };
  std::map<std::uint32_t, Missing> missing; ///< by the line of the task's construct
  const auto own_item = [](const DirectiveText& task, const std::string& argument) {
    for (const DependClause& clause : depend_clauses(task))
      for (const std::string& item : clause.items)
        if (without_blanks(item) == without_blanks(argument) || is_first_of(without_blanks(item), argument))
          return item;
    return std::string();
  };
  std::map<std::uint32_t, std::string> by_both; ///< what two tasks of one construct hand over without an item
  for (const Diagnostic* one : group) {
    const Note* const other = note_of(*one, Note::Kind::other_access);
    if (one->rule != Rule::data_race || one->sites.size() != 2 || other == nullptr) return std::nullopt;
    std::string arguments[2], items[2];
    std::uint32_t lines[2] = {0, 0};
    for (const std::size_t k : {0U, 1U}) {
      const Site& site = one->sites[k];
      arguments[k] =
          (by_element ? accessed_element : accessed_argument)(k == 0 ? one->stack : other->stack, site, code);
      const auto line = line_of_construct(site.construct, codes.sources());
      const auto task = line && site.construct.file == code.file() ? DirectiveText::at(code, *line) : std::nullopt;
      if (arguments[k].empty() || (!by_element && code.is_c() && arguments[k].find('(') != std::string::npos) ||
          !task || !task->is("task"))
        return std::nullopt;
      if (!code.is_c() && !is_write(site.type)) { // it may have read what it sets, where that has no item
        Site sets = site;
        sets.type = AccessType::write;
        const std::string set = accessed_argument(k == 0 ? one->stack : other->stack, sets, code);
        if (set.empty() || own_item(*task, set).empty()) return std::nullopt;
      }
      items[k] = own_item(*task, arguments[k]);
      lines[k] = *line;
    }
    if (items[0].empty() && items[1].empty()) {
      const auto [known, fresh] = by_both.try_emplace(lines[0], arguments[0]);
      if (lines[0] != lines[1] || arguments[0] != arguments[1] || known->second != arguments[0]) return std::nullopt;
      continue;
    }
    for (const std::size_t k : {0U, 1U}) {
      const bool writes = is_write(one->sites[k].type);
      if (!items[k].empty() && (!writes || type_of(*DirectiveText::at(code, lines[k]), items[k]) != "in")) continue;
      const std::string theirs = without_blanks(items[1 - k]);
      const std::string first = is_first_of(theirs, arguments[1 - k]) ? theirs.substr(arguments[1 - k].size()) : "";
      const std::string item = !items[k].empty() ? items[k] : arguments[k] + first;
      const auto [known, fresh] = missing.try_emplace(lines[k], Missing{item, false});
      if (!fresh && without_blanks(known->second.item) != without_blanks(item)) return std::nullopt;
      known->second.writes = known->second.writes || writes;
    }
  }
  if (missing.size() != 1) return std::nullopt;
  auto& [line, what] = *missing.begin();
  for (const auto& [construct, argument] : by_both) {
    if (construct != line || !without_blanks(what.item).starts_with(argument)) return std::nullopt;
    what.writes = true; // one of the two does
  }
  const auto task = DirectiveText::at(code, line);
  const std::string type = what.writes ? "inout" : "in";
  for (const Clause& clause : task->clauses()) {
    const auto list = read_depend(clause);
    if (!list || std::ranges::find(list->items, what.item) == list->items.end()) continue;
    std::string others;
    for (const std::string& item : list->items)
      if (item != what.item) others += (others.empty() ? "" : ", ") + item;
    const std::string by =
        (others.empty() ? std::string() : depend(list->type, others) + " ") + depend("inout", what.item);
    const auto edit = task->with_replaced(code, clause, by);
    if (!edit) return std::nullopt;
    return Repair{"declare '" + what.item + "' as 'inout' here: the task writes it",
                  {*edit},
                  "the tasks are siblings and both name '" + what.item + "', but the one that writes it declares 'in'",
                  Cause::wrong_dependence_type};
  }
  const auto edit = task->with(code, depend(type, what.item));
  if (!edit) return std::nullopt;
  return Repair{"add '" + depend(type, what.item) + "' to the construct here: the task " +
                    (what.writes ? "writes" : "reads") + " it",
                {*edit}};
}

} // namespace

std::optional<Repair> repair_dependences(const Group& group, Codes& codes) {
  const Cause cause = group.front()->cause;
  if (cause == Cause::non_sibling_dependence || cause == Cause::different_locks)
    return repair_non_siblings(group, codes);
  if (auto found = Dependences(group, codes).find()) return found;
  for (const bool by_element : {true, false})
    if (auto found = items_of_arguments(group, codes, by_element)) return found;
  if (group.front()->cause == Cause::wrong_dependence_type) return item_of_parameter(group, codes);
  return group.front()->cause == Cause::missing_dependence ? common_item(group, codes) : std::nullopt;
}

} // namespace fletcher::reports
