// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks whose depend clauses do not order them: clauses for all tasks that name the variable, and the type that says
// what a task does.
#include "reports/document/words.hpp"
#include "reports/repair/directive_text.hpp"
#include "reports/repair/repair.hpp"

#include <algorithm>
#include <map>

namespace fletcher::reports {
namespace {

/// "depend(in: x, y)" as type and items.
struct DependClause {
  std::string type;
  std::vector<std::string> items;
};

std::optional<DependClause> read_depend(const Clause& clause) {
  if (clause.name != "depend") return std::nullopt;
  const auto colon = clause.arguments.find(':');
  if (colon == std::string::npos || clause.arguments.find("iterator") != std::string::npos) return std::nullopt;
  DependClause out{std::string(trimmed(std::string_view(clause.arguments).substr(0, colon))), {}};
  int depth = 0;
  std::string item;
  for (const char c : clause.arguments.substr(colon + 1) + ",") {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      out.items.emplace_back(trimmed(item));
      item.clear();
    } else {
      item += c;
    }
  }
  return out;
}

std::string depend(const std::string& type, const std::string& item) { return "depend(" + type + ": " + item + ")"; }

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
    if (!std::ranges::all_of(group_, [](const Diagnostic* one) { return one->whole_variable; })) return std::nullopt;
    const std::string name = item(code);
    if (name != leader_.variable) return std::nullopt;
    Repair out{{}, {}};
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
    }
    return out.edits.empty() ? std::nullopt : std::optional(out);
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

} // namespace

std::optional<Repair> repair_dependences(const Group& group, Codes& codes) { return Dependences(group, codes).find(); }

} // namespace fletcher::reports
