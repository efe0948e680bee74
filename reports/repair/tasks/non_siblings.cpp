// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/tasks/non_siblings.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// Where the two tasks of a finding were created.
std::vector<SourcePlace> tasks_of(const Diagnostic& finding) {
  if (finding.rule == Rule::data_race)
    return finding.sites.size() == 2 ? std::vector{finding.sites[0].construct, finding.sites[1].construct}
                                     : std::vector<SourcePlace>();
  std::vector<SourcePlace> out{finding.place};
  for (const Note& note : finding.notes)
    if (note.kind == Note::Kind::other_access) out.push_back(note.place);
  return out;
}

/// Two tasks that are not siblings: the tasks around them get the dependence, and wait for what they create.
class Parents {
public:
  Parents(const Group& group, Codes& codes) : leader_(*group.front()), codes_(codes) {}

  std::optional<Repair> find() const {
    const std::vector<SourcePlace> places = tasks_of(leader_);
    if (places.size() != 2 || places[0].file != places[1].file) return std::nullopt;
    const Code& code = codes_.of(places[0].file);
    std::vector<DirectiveText> inner;
    std::vector<std::vector<DirectiveText>> around;
    for (const SourcePlace& place : places) {
      const auto line = line_of_construct(place, codes_.sources());
      auto task = line ? DirectiveText::at(code, *line) : std::nullopt;
      if (!task || !task->is("task")) return std::nullopt;
      around.push_back(DirectiveText::around(code, *line));
      std::erase_if(around.back(), [](const DirectiveText& one) { return one.is("taskgroup"); }); // is no task
      inner.push_back(std::move(*task));
    }
    std::string item;
    for (const DependClause& clause : depend_clauses(inner[0]))
      for (const std::string& one : clause.items) {
        if (type_of(inner[1], one).empty()) continue;
        if (!item.empty()) return std::nullopt;
        item = one;
      }
    if (item.empty() || inner[0].first_line() == inner[1].first_line()) return std::nullopt;
    const auto function = code.function_around(inner[0].first_line());
    if (!function || !function->contains(inner[1].first_line())) return std::nullopt;
    Repair out{{}, {}};
    for (const std::size_t i : {0U, 1U})
      if (!add_to_parent(code, around[i], around[1 - i], inner[i], item, out)) return std::nullopt;
    return out.edits.empty() ? std::nullopt : std::optional(out);
  }

private:
  /// False: it cannot be done, or it is not sure.
  bool add_to_parent(const Code& code, const std::vector<DirectiveText>& around,
                     const std::vector<DirectiveText>& around_other, const DirectiveText& inner,
                     const std::string& item, Repair& out) const {
    const auto is_shared = [&](const DirectiveText& one) {
      return std::ranges::any_of(around_other,
                                 [&](const DirectiveText& other) { return other.first_line() == one.first_line(); });
    };
    const auto meeting = std::ranges::find_if(around, is_shared);
    // Where the text has nothing around both, the tasks around them have the same creator: they are in one function.
    if (meeting == around.end() ? around.size() != 1 || around_other.size() != 1 : meeting - around.begin() > 1)
      return false;
    if (meeting == around.begin()) return true; // no task around it that the other one is not in
    const DirectiveText& parent = around.front();
    const auto body = parent.body(code);
    if (!parent.is("task") || !body) return false;
    const std::string_view base = first_word(item);
    const Extent before{body->begin, {inner.first_line(), 0}};
    const bool has_copy = std::ranges::any_of(parent.clauses(), [&](const Clause& one) {
      const bool same = one.name == "firstprivate" && item.size() > base.size() && is_pointer(code, base, parent);
      return one.name.ends_with("private") && mentions(one.arguments, base) && !same;
    });
    if (base.empty() || has_copy || !code.mentions(base, before).empty()) return false;
    const std::uint32_t end = body->end.line;
    if (code.is_c() && (trimmed(code.text(*body)).front() != '{' || trimmed(code.line(end)) != "}")) return false;
    const std::string clause = depend(type_of(inner, item), item);
    if (type_of(parent, item).empty()) {
      const auto edit = parent.with(code, clause);
      if (!edit) return false;
      out.edits.push_back(*edit);
      out.sentence += (out.sentence.empty() ? "add '" : ", and '") + clause + "' to the task at line " +
                      std::to_string(parent.first_line());
    }
    if (const auto last = DirectiveText::at(code, end - 1); !last || !last->is("taskwait")) {
      out.edits.push_back(inserted_before(code, end, directive(code.file(), "taskwait"), inner.first_line()));
      if (out.sentence.starts_with("wait"))
        out.sentence = "wait for the tasks inside, in both tasks around them (taskwait)";
      else
        out.sentence +=
            std::string(out.sentence.empty() ? "wait" : ", which waits") + " for the task inside (taskwait)";
    }
    return true;
  }

  /// A copy of it leads to the same memory.
  static bool is_pointer(const Code& code, std::string_view name, const DirectiveText& seen_from) {
    const auto function = code.function_around(seen_from.first_line());
    if (!function || !code.is_c()) return false;
    const std::uint32_t head = function->begin.line > 1 ? function->begin.line - 1 : 1;
    const auto all = code.mentions(name, {{head, 0}, {seen_from.first_line(), 0}});
    return !all.empty() && trimmed(code.line(all.front().line).substr(0, all.front().column)).ends_with('*');
  }

  const Diagnostic& leader_;
  Codes& codes_;
};

/// Tasks that several threads of a team create, the first in a construct at whose end nobody waits: all wait there.
std::optional<Repair> wait_of_construct(const Group& group, Codes& codes) {
  const std::vector<SourcePlace> places = tasks_of(*group.front());
  if (group.size() != 1 || places.size() != 2 || places[0].file != places[1].file) return std::nullopt;
  const Code& code = codes.of(places[0].file);
  const auto a = line_of_construct(places[0], codes.sources()), b = line_of_construct(places[1], codes.sources());
  if (!code.is_c() || !a || !b || *a == *b) return std::nullopt;
  const std::uint32_t first = std::min(*a, *b), then = std::max(*a, *b);
  for (const std::uint32_t line : {first, then})
    if (const auto task = DirectiveText::at(code, line); !task || !task->is("task")) return std::nullopt;
  for (const DirectiveText& one : DirectiveText::around(code, first)) {
    if (one.first_line() == first) continue;
    const auto body = one.body(code);
    if (!body || one.is("task") || one.is("parallel") || body->end.line >= then) return std::nullopt;
    if (one.clause("nowait") == nullptr) continue;
    const auto edit = one.without(code, "nowait");
    if (!edit) return std::nullopt;
    return Repair{"remove 'nowait' here: the first task then ends before the second one is created", {*edit}};
  }
  return std::nullopt;
}

} // namespace

std::optional<Repair> repair_non_siblings(const Group& group, Codes& codes) {
  if (auto found = Parents(group, codes).find()) return found;
  return wait_of_construct(group, codes);
}

} // namespace fletcher::reports
