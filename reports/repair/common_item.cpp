// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An item need not be what the tasks share: tasks that name the same thing are ordered. So where their constructs
// follow each other in one block, the item that one of them has serves for the others, and where none has one, the
// variable. Tasks of one construct, as in a wavefront, name the elements that they read.
#include "reports/repair/common_item.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/depend_clause.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace fletcher::reports {
namespace {

/// What a task does at the sites of the races.
struct Taker {
  bool writes = false;
  std::vector<SourcePlace> sites;
};

bool is_name_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The names in a piece of code that stand for variables, as far as the text tells.
std::set<std::string> names_in(std::string_view text) {
  static const std::set<std::string, std::less<>> keywords{
      "int",    "long",   "double",   "float",    "unsigned", "char",    "short", "signed",  "void",   "bool",
      "const",  "static", "auto",     "for",      "while",    "if",      "else",  "do",      "return", "sizeof",
      "struct", "new",    "delete",   "size_t",   "true",     "false",   "NULL",  "nullptr", "std",    "break",
      "switch", "case",   "continue", "volatile", "register", "default", "class", "this"};
  std::set<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name_begin(text[i])) {
      // A number's letters are no name.
      if (std::isdigit(static_cast<unsigned char>(text[i])) != 0)
        while (i < text.size() && (is_word(text[i]) || text[i] == '.')) ++i;
      else
        ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const std::string name(text.substr(begin, i - begin));
    const std::string_view behind = trimmed(text.substr(i)), before = trimmed(text.substr(0, begin));
    const bool member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
    if (!member && !behind.starts_with('(') && !behind.starts_with("::") && !keywords.contains(name)) out.insert(name);
  }
  return out;
}

class CommonItem {
public:
  CommonItem(const Group& group, Codes& codes) : group_(group), leader_(*group.front()), codes_(codes) {}

  std::optional<Repair> find() {
    if (!read_sites() || !code_->is_c()) return std::nullopt;
    // A task that has to wait may be the one that fulfils an event of another.
    if (!code_->mentions("omp_fulfill_event", code_->whole()).empty()) return std::nullopt;
    for (const auto& [line, taker] : takers_) {
      auto directive = DirectiveText::at(*code_, line);
      if (!directive || !is_deferred(*directive) || directive->clause("detach") != nullptr) return std::nullopt;
      for (const Clause& clause : directive->clauses())
        if (clause.name == "depend" && !read_depend(clause)) return std::nullopt;
      constructs_.emplace(line, std::move(*directive));
    }
    if (constructs_.size() > 1)
      if (auto found = one_item()) return found;
    return elements_read();
  }

private:
  static bool is_deferred(const DirectiveText& one) {
    return one.is("task") || (one.is("target") && one.clause("nowait") != nullptr);
  }

  bool read_sites() {
    for (const Diagnostic* one : group_) {
      if (one->rule == Rule::unmatched_dependence) continue; // of the same tasks: what is done about the race helps
      if (one->rule != Rule::data_race || one->cause != Cause::missing_dependence || one->sites.size() != 2)
        return false;
      if (one->variable != leader_.variable) return false;
      for (const Site& site : one->sites) {
        const bool of_task = site.task == TaskKind::explicit_ || site.task == TaskKind::target;
        if (!of_task || !site.construct.known()) return false;
        const Code& code = codes_.of(site.construct.file);
        if (code_ != nullptr && code_ != &code) return false;
        code_ = &code;
        const auto line = line_of_construct(site.construct, codes_.sources());
        if (!line) return false;
        takers_[*line].writes = takers_[*line].writes || is_write(site.type);
        takers_[*line].sites.push_back(site.place);
      }
    }
    return code_ != nullptr;
  }

  // ---- several constructs
  // --------------------------------------------------------------------------------------------

  std::optional<Repair> one_item() const {
    if (!follow_each_other()) return std::nullopt;
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

  /// The task sets the item by a statement of its own; an item without an index, by setting any element.
  bool is_set_in(const DirectiveText& construct, const std::string& item, const std::string& name) const {
    const auto body = construct.body(*code_);
    return body && std::ranges::any_of(code_->mentions(name, *body), [&](Position at) {
             const std::string_view line = code_->line(at.line);
             const std::string element = element_at(at, name);
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
        if (without_blanks(code_->line(site.line)).find(without_blanks(item)) == std::string::npos) return false;
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
             return without_blanks(element_at(at, name)) == without_blanks(item);
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

  // ---- elements
  // -------------------------------------------------------------------------------------------------

  /// Tasks that each name the element that they write, or the first one of a block: who reads names what it reads, too.
  std::optional<Repair> elements_read() const {
    std::optional<std::uint32_t> reader;
    std::set<std::string> items;
    for (const Diagnostic* one : group_) {
      if (one->rule != Rule::data_race) continue;
      const bool first_reads = !is_write(one->sites[0].type);
      const Site &reads = one->sites[first_reads ? 0 : 1], &writes = one->sites[first_reads ? 1 : 0];
      if (is_write(reads.type)) continue;
      const auto line = line_of_construct(reads.construct, codes_.sources()),
                 other = line_of_construct(writes.construct, codes_.sources());
      if (!line || !other || (reader && *reader != *line)) return std::nullopt;
      reader = line;
      const auto missing = elements_not_named(constructs_.at(*line), reads.place, constructs_.at(*other));
      if (!missing) return std::nullopt;
      items.insert(missing->begin(), missing->end());
    }
    if (items.empty()) return std::nullopt;
    std::string list;
    for (const std::string& one : items) list += (list.empty() ? "" : ", ") + one;
    const auto edit = constructs_.at(*reader).with(*code_, depend("in", list));
    if (!edit) return std::nullopt;
    return Repair{"add '" + depend("in", list) + "' to the construct here: the task reads what others write", {*edit}};
  }

  /// What the reading task reads of what the writing one names one element of.
  std::optional<std::set<std::string>> elements_not_named(const DirectiveText& reads, const SourcePlace& at,
                                                          const DirectiveText& writes) const {
    const auto body = reads.body(*code_);
    if (!body || !body->contains(at.line)) return std::nullopt;
    std::set<std::string> named, indices, out;
    for (const DependClause& clause : depend_clauses(reads))
      for (const std::string& one : clause.items) {
        named.insert(without_blanks(one));
        indices.merge(names_in(one));
      }
    for (const DependClause& clause : depend_clauses(writes))
      for (const std::string& written : clause.items) {
        const std::string name(first_word(written));
        const bool is_element = written.ends_with(']') && written.find(':') == std::string::npos && is_identifier(name);
        if (clause.type == "in" || !is_element || (is_identifier(leader_.variable) && name != leader_.variable))
          continue;
        const auto brackets = [](const std::string& text) { return std::ranges::count(text, '['); };
        for (const Position where : code_->mentions(name, *body)) {
          std::string element = element_at(where, name);
          const auto fewer = brackets(written) - brackets(element);
          // The first element of a block stands for the block.
          if (fewer == 1 && written.ends_with("[0]")) element += "[0]";
          if (element.empty() || (fewer != 0 && !element.ends_with("[0]"))) return std::nullopt;
          for (const std::string& part : names_in(element))
            if (!indices.contains(part)) return std::nullopt;
          if (!named.contains(without_blanks(element))) out.insert(element);
        }
      }
    return out;
  }

  /// "a[i - 1][j]" where the name stands; empty where no index follows on the line.
  std::string element_at(Position at, std::string_view name) const {
    const std::string_view line = code_->line(at.line);
    std::size_t end = at.column + name.size();
    while (end < line.size() && line[end] == '[') {
      int depth = 0;
      for (; end < line.size(); ++end) {
        depth += line[end] == '[' ? 1 : line[end] == ']' ? -1 : 0;
        if (depth == 0) break;
      }
      if (end == line.size()) return {};
      ++end;
    }
    const std::string_view element = line.substr(at.column, end - at.column);
    return element.ends_with(']') ? std::string(element) : std::string();
  }

  const Group& group_;
  const Diagnostic& leader_;
  Codes& codes_;
  const Code* code_ = nullptr;
  std::map<std::uint32_t, Taker> takers_; ///< by the line of a task's construct
  std::map<std::uint32_t, DirectiveText> constructs_;
};

} // namespace

std::optional<Repair> common_item(const Group& group, Codes& codes) { return CommonItem(group, codes).find(); }

} // namespace fletcher::reports
