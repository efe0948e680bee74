// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An item need not be what the tasks share: tasks that name the same thing are ordered. So where their constructs
// follow each other in one block, the item that one of them has serves for the others, and where none has one, the
// variable.
#include "reports/repair/tasks/common_item.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/source/calls/accessed_argument.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/tasks/elements_read.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fletcher::reports {
namespace {

class CommonItem {
public:
  CommonItem(const Group& group, const TaskConstructs& tasks, SourceText& sources)
      : group_(group), leader_(*group.front()), code_(tasks.code), takers_(tasks.takers), constructs_(tasks.constructs),
        sources_(sources) {}

  std::optional<Repair> find() const {
    if (constructs_.size() < 2 || !follow_each_other()) return std::nullopt;
    const std::string name = shared_name();
    if (name.empty()) return std::nullopt;
    const std::string item = item_for(name);
    if (item.empty()) return std::nullopt;
    const bool renames =
        std::ranges::any_of(group_, [](const Diagnostic* one) { return one->rule == Rule::unmatched_dependence; });
    Repair out{{}, {}};
    for (const auto& [line, construct] : constructs_) {
      const bool writes = takers_.at(line).writes || is_set_in(construct, item, name);
      const std::string has = type_of(construct, item);
      if (!has.empty()) {
        if (writes && has == "in") return std::nullopt;
        continue;
      }
      if (!means_the_same(item, name, line)) return std::nullopt;
      const auto edit = with_item(construct, item, name, writes, renames, out.sentence);
      if (!edit) return std::nullopt;
      out.edits.push_back(*edit);
    }
    return out.edits.empty() ? std::nullopt : std::optional(out);
  }

private:
  /// The task sets the item by a statement of its own; an item without an index, by setting any element.
  bool is_set_in(const DirectiveText& construct, const std::string& item, const std::string& name) const {
    const auto body = construct.body(*code_);
    return body && std::ranges::any_of(code_->mentions(name, *body), [&](Position at) {
             const std::string_view line = code_->line(at.line);
             const std::string element = element_at(*code_, at, name);
             if (item.find('[') != std::string::npos && without_blanks(element) != without_blanks(item)) return false;
             const std::string_view behind = trimmed(line.substr(at.column + std::max(element.size(), name.size())));
             if (behind.starts_with("++") || behind.starts_with("--")) return true;
             const auto equals = behind.find('=');
             return (equals == 0 ||
                     (equals == 1 && std::string_view("+-*/%&|^").find(behind[0]) != std::string_view::npos)) &&
                    !behind.substr(equals).starts_with("==");
           });
  }

  /// The constructs stand in one block, none of them under a condition or in a loop of its own.
  bool follow_each_other() const {
    std::optional<Position> block;
    for (const auto& [line, construct] : constructs_) {
      const auto blocks = code_->blocks_around(line);
      if (blocks.empty() || (block && *block != blocks.front().begin)) return false;
      block = blocks.front().begin;
      for (std::uint32_t above = line - 1; above > 0; --above) {
        if (!code_->directive_line(above).empty()) {
          const auto directive = DirectiveText::at(*code_, above);
          if (directive && !directive->stands_alone()) return false; // its statement is this construct
          break;
        }
        const std::string_view text = trimmed(code_->line(above));
        if (text.empty()) continue;
        if (std::string_view(";{}").find(text.back()) == std::string_view::npos) return false;
        break;
      }
    }
    return true;
  }

  /// The variable, or of memory without a name what all of the tasks name.
  std::string shared_name() const {
    const std::uint32_t first = constructs_.begin()->first;
    if (is_identifier(leader_.variable)) return is_known_before(leader_.variable, first) ? leader_.variable : "";
    std::optional<std::set<std::string>> common;
    for (const auto& [line, construct] : constructs_) {
      const auto body = construct.body(*code_);
      if (!body) return {};
      const std::set<std::string> own = names_in(code_->text(*body));
      if (!common) {
        common = own;
        continue;
      }
      std::erase_if(*common, [&](const std::string& name) { return !own.contains(name); });
    }
    std::erase_if(*common, [&](const std::string& name) {
      return !is_known_before(name, first) || !is_place_of_memory(name, first);
    });
    return common->size() == 1 ? *common->begin() : std::string();
  }

  /// It is declared above, in a block that goes on to the line or outside of functions.
  bool is_known_before(const std::string& name, std::uint32_t line) const {
    if (name == leader_.variable && leader_.declared.file == code_->file() && leader_.declared.line < line) {
      const auto blocks = code_->blocks_around(leader_.declared.line);
      if (blocks.empty() || blocks.front().contains(line)) return true;
    }
    const auto function = code_->function_around(line);
    if (!function) return false;
    for (const Position at : code_->mentions(name, {{1, 0}, {line, 0}})) {
      const auto blocks = code_->blocks_around(at.line);
      const bool outside = blocks.empty() || (at < function->begin && at.line == function->begin.line);
      if (!outside && !blocks.front().contains(line)) continue;
      const std::string_view before = trimmed(code_->line(at.line).substr(0, at.column));
      // A declaration: a word or a star stands in front, and no operator.
      if (!before.empty() &&
          (is_word(before.back()) || std::string_view("*>}").find(before.back()) != std::string_view::npos) &&
          !before.ends_with("->") && !before.ends_with("return"))
        return true;
    }
    return false;
  }

  /// An array, a pointer or an object, by its declaration, and no number.
  bool is_place_of_memory(const std::string& name, std::uint32_t line) const {
    const auto at = code_->mentions(name, {{1, 0}, {line, 0}});
    if (at.empty()) return false;
    const std::string_view text = code_->line(at.front().line);
    const std::string_view before = trimmed(text.substr(0, at.front().column)),
                           behind = trimmed(text.substr(at.front().column + name.size()));
    return before.ends_with('*') || behind.starts_with('[') || before.ends_with('>');
  }

  /// The item of a task that writes; the variable where none names it. Empty: there are several, or of another kind.
  std::string item_for(const std::string& name) const {
    std::string out;
    bool named = false;
    for (const auto& [line, construct] : constructs_)
      for (const DependClause& clause : depend_clauses(construct))
        for (const std::string& one : clause.items) {
          if (!mentions(one, name)) continue;
          named = true;
          if (clause.type != "out" && clause.type != "inout") continue;
          if (out.empty()) out = one;
        }
    if (!out.empty()) return out;
    return named ? std::string() : name;
  }

  /// What the item names does not change from one construct to the other: where it depends on a loop around them, the
  /// task's own code has it, too.
  bool means_the_same(const std::string& item, const std::string& name, std::uint32_t line) const {
    for (const std::string& part : names_in(item)) {
      if (part == name) continue;
      const bool varies = std::ranges::any_of(code_->blocks_around(line), [&](const Extent& block) {
        return mentions(code_->line(block.begin.line), part);
      });
      if (!varies) continue;
      for (const SourcePlace& site : takers_.at(line).sites)
        if (without_blanks(code_->line(site.line)).find(without_blanks(item)) == std::string::npos)
          return is_handed_over(item, line);
    }
    return true;
  }

  /// The task calls a function with the item, its address, or the array whose first element it is.
  bool is_handed_over(const std::string& item, std::uint32_t line) const {
    const std::string own = without_blanks(item);
    for (const Diagnostic* one : group_) {
      const Note* const other = note_of(*one, Note::Kind::other_access);
      for (std::size_t k = 0; k < one->sites.size(); ++k) {
        if (line_of_construct(one->sites[k].construct, sources_) != line) continue;
        if (k == 1 && other == nullptr) return false;
        const std::string argument = accessed_argument(k == 0 ? one->stack : other->stack, one->sites[k], *code_);
        if (argument.empty() || (own != argument && own != argument + "[0]" && "&" + own != argument)) return false;
      }
    }
    return true;
  }

  std::optional<Edit> with_item(const DirectiveText& construct, const std::string& item, const std::string& name,
                                bool writes, bool renames, std::string& sentence) const {
    const std::string at_line = std::to_string(construct.first_line());
    const auto say = [&](const std::string& words) { sentence += (sentence.empty() ? "" : ", and ") + words; };
    const Clause* old = nullptr;
    bool several = false;
    DependClause list;
    for (const Clause& clause : construct.clauses()) {
      const auto read = read_depend(clause);
      if (!read || std::ranges::none_of(read->items, [&](const auto& one) { return mentions(one, name); })) continue;
      const bool fits = writes ? read->type == "out" || read->type == "inout" : read->type == "in";
      if (!fits && !renames) continue;
      several = old != nullptr;
      old = &clause;
      list = *read;
    }
    if (several && renames) return std::nullopt;
    if (old == nullptr || several) {
      const std::string clause = depend(writes ? "inout" : "in", item);
      say("add '" + clause + "' to the construct at line " + at_line);
      return construct.with(*code_, clause);
    }
    // It names the variable by an item that matches no other: the common one stands for it.
    if (writes ? list.type != "out" && list.type != "inout" : list.type != "in") return std::nullopt;
    std::string mine;
    for (std::string& one : list.items) {
      if (!mentions(one, name)) continue;
      if (!mine.empty()) return std::nullopt;
      mine = one;
      one = item;
    }
    if (is_named_elsewhere(mine, construct) || (item.ends_with(']') && uses(construct, mine, name))) {
      if (renames) return std::nullopt;
      const std::string clause = depend(list.type, item);
      say("add '" + clause + "' to the construct at line " + at_line);
      return construct.with(*code_, clause);
    }
    std::string text = "depend(" + list.type + ": ";
    for (std::size_t i = 0; i < list.items.size(); ++i) text += (i == 0 ? "" : ", ") + list.items[i];
    say("name '" + item + "' in place of '" + mine + "' in the clause at line " + at_line);
    return construct.with_replaced(*code_, *old, text + ")");
  }

  /// The task accesses the very element.
  bool uses(const DirectiveText& construct, const std::string& item, const std::string& name) const {
    const auto body = construct.body(*code_);
    return body && item.find('[') != std::string::npos &&
           std::ranges::any_of(code_->mentions(name, *body), [&](Position at) {
             return without_blanks(element_at(*code_, at, name)) == without_blanks(item);
           });
  }

  bool is_named_elsewhere(const std::string& item, const DirectiveText& but) const {
    for (std::uint32_t line = 1; line <= code_->lines(); ++line) {
      if (line == but.first_line()) continue;
      const auto other = DirectiveText::at(*code_, line);
      if (other && !type_of(*other, item).empty()) return true;
    }
    return false;
  }

  const Group& group_;
  const Diagnostic& leader_;
  const Code* code_;
  const std::map<std::uint32_t, Taker>& takers_;
  const std::map<std::uint32_t, DirectiveText>& constructs_;
  SourceText& sources_;
};

} // namespace

std::optional<Repair> common_item(const Group& group, Codes& codes) {
  const auto tasks = task_constructs(group, codes);
  if (!tasks) return std::nullopt;
  if (tasks->code->is_c())
    if (auto found = CommonItem(group, *tasks, codes.sources()).find()) return found;
  return elements_read(group, *tasks, codes);
}

} // namespace fletcher::reports
