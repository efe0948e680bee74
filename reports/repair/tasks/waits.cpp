// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is missing between a task, or a thread, and the code that continues: a copy of a variable that the task only
// reads, a taskwait before the end of the block whose variables the task uses, or of the task that has the dependence.
#include "reports/document/words.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// No other function knows the variable.
bool is_of_one_function(const Code& code, const Diagnostic& diagnostic, std::uint32_t line) {
  if (is_local_to(code, diagnostic, line)) return true;
  const auto function = code.function_around(line);
  if (!function || !code.is_c() || diagnostic.declared.file != code.file() ||
      !mentions(code.line(diagnostic.declared.line), "static"))
    return false;
  return std::ranges::all_of(code.mentions(diagnostic.variable, code.whole()), [&](Position at) {
    return at.line == diagnostic.declared.line || function->contains(at);
  });
}

/// C: `node* next = first;`, by its declaration.
bool is_pointer(const Diagnostic& diagnostic, Codes& codes) {
  if (!diagnostic.declared.known()) return false;
  const Code& code = codes.of(diagnostic.declared.file);
  const std::uint32_t line = diagnostic.declared.line;
  const auto at = code.mentions(diagnostic.variable, {{line, 0}, {line + 1, 0}});
  if (!code.is_c() || at.empty()) return false;
  const std::string_view text = code.line(line);
  const std::string_view behind = trimmed(text.substr(at.front().column + diagnostic.variable.size()));
  return trimmed(text.substr(0, at.front().column)).ends_with('*') &&
         (behind.starts_with('=') || behind.starts_with(';') || behind.starts_with(','));
}

/// The task only reads a variable that its creator goes on to change: with a copy it reads what was there when it was
/// created, as it would if the creator waited.
std::optional<Repair> copy_for_the_task(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || !is_identifier(leader.variable)) return std::nullopt;
  const Code& code = codes.of(leader.place.file);
  std::optional<DirectiveText> construct;
  for (const Diagnostic* one : group) {
    if (one->variable != leader.variable || !one->whole_variable) return std::nullopt;
    const Site *reader = &one->sites[0], *writer = &one->sites[1];
    if (is_write(reader->type)) std::swap(reader, writer);
    if (is_write(reader->type) || reader->task != TaskKind::explicit_ || !reader->construct.known() ||
        reader->construct.file != code.file() || reader->construct == writer->construct)
      return std::nullopt;
    const auto line = line_of_construct(reader->construct, codes.sources());
    auto task = line ? DirectiveText::at(code, *line) : std::nullopt;
    const auto body = task ? task->body(code) : std::nullopt;
    if (!body || !task->is("task") || (construct && construct->first_line() != task->first_line())) return std::nullopt;
    if (!body->contains(reader->place.line) || body->contains(writer->place.line)) return std::nullopt;
    for (const Position at : code.mentions(leader.variable, *body)) // nothing but reads
      if (is_changed_at(code, at, leader.variable)) return std::nullopt;
    if (task->names_besides_shared(leader.variable)) return std::nullopt;
    construct = std::move(task);
  }
  if (!is_of_one_function(code, leader, construct->first_line()) ||
      (!is_number(leader, codes, construct->first_line()) && !is_pointer(leader, codes)))
    return std::nullopt;
  const std::string clause = "firstprivate(" + leader.variable + ")";
  const auto edit = construct->with_instead_of_shared(code, clause, leader.variable);
  if (!edit) return std::nullopt;
  return Repair{"add '" + clause + "' to the construct here: the task then uses the value that '" + leader.variable +
                    "' has when it is created",
                {*edit}};
}

/// A child with a descendant that its creator does not wait for, and the creator's line that comes too early.
struct Unawaited {
  SourcePlace child;
  std::uint32_t next = 0;
};

/// None where both are descendants of a third task: whether they are to run one after the other is for a person to say.
std::optional<Unawaited> unawaited_child(const Diagnostic& race) {
  if (race.participants.size() != 2) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const Participant &creator = race.participants[k], &below = race.participants[1 - k];
    if (creator.tasks.empty() || creator.tasks.front().id == TaskId::none) continue;
    for (std::size_t i = 1; i < below.tasks.size(); ++i) {
      if (below.tasks[i].id != creator.tasks.front().id) continue;
      const SourcePlace& child = below.tasks[i - 1].created;
      if (!child.known() || child.file != creator.place.file) return std::nullopt;
      return Unawaited{child, creator.place.line};
    }
  }
  return std::nullopt;
}

/// The first line of the loops around a line that do not go on to another.
std::uint32_t before_loops(const Code& code, std::uint32_t line, std::uint32_t other) {
  std::uint32_t first = line;
  for (const Extent& block : code.blocks_around(line)) {
    const std::string_view head = trimmed(code.line(block.begin.line));
    if (block.contains(other) || (first_word(head) != "for" && first_word(head) != "while")) break;
    first = block.begin.line;
  }
  if (first == line && line > 1) { // a loop without braces
    const std::string_view above = trimmed(code.line(line - 1));
    if ((first_word(above) == "for" || first_word(above) == "while") && above.ends_with(')')) first = line - 1;
  }
  return first;
}

/// A taskgroup around the child whose descendants nobody waits for: it waits for all of them.
std::optional<Repair> taskgroup_around(const Group& group, Codes& codes) {
  std::optional<std::uint32_t> start;
  const Code* code = nullptr;
  for (const Diagnostic* one : group) {
    const auto parts = unawaited_child(*one);
    const auto line = parts ? line_of_construct(parts->child, codes.sources()) : std::nullopt;
    if (!line || (code != nullptr && code != &codes.of(parts->child.file))) return std::nullopt;
    code = &codes.of(parts->child.file);
    const auto child = DirectiveText::at(*code, *line);
    const auto body = child ? child->body(*code) : std::nullopt;
    const auto function = code->function_around(*line);
    if (!code->is_c() || !body || !child->is("task") || !function || !function->contains(parts->next) ||
        parts->next <= body->end.line)
      return std::nullopt;
    const std::uint32_t own = before_loops(*code, *line, parts->next);
    if (start && *start != own) return std::nullopt;
    start = own;
  }
  if (!start || !begins_a_statement(*code, *start)) return std::nullopt;
  // Who waits may be the one that fulfils an event that the task waits for.
  if (!code->mentions("omp_fulfill_event", code->whole()).empty()) return std::nullopt;
  if (const auto above = DirectiveText::at(*code, *start - 1); above && !above->stands_alone()) return std::nullopt;
  const std::string text = directive(code->file(), "taskgroup");
  return Repair{"add '" + text + "' before this line: it waits for the task and all of its descendants",
                {inserted_before(*code, *start, text, *start)}};
}

/// The construct of a task by its place.
std::optional<DirectiveText> construct_at(const SourcePlace& place, const Code& code, Codes& codes) {
  if (!place.known() || place.file != code.file()) return std::nullopt;
  const auto line = line_of_construct(place, codes.sources());
  return line ? DirectiveText::at(code, *line) : std::nullopt;
}

/// Both name an item, and not only to read it.
bool are_ordered(const DirectiveText& a, const DirectiveText& b) {
  for (const DependClause& clause : depend_clauses(a))
    for (const std::string& item : clause.items) {
      const std::string other = type_of(b, item);
      if (!other.empty() && (clause.type != "in" || other != "in")) return true;
    }
  return false;
}

/// The task around a child has the dependence that orders both, but ends before its child: it waits.
std::optional<Repair> wait_for_child(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  std::optional<DirectiveText> outer;
  for (const Diagnostic* one : group) {
    if (one->participants.size() != 2 || !code.is_c()) return std::nullopt;
    bool found = false;
    for (const std::size_t k : {0U, 1U}) {
      const auto &own = one->participants[k].tasks, &others = one->participants[1 - k].tasks;
      if (found || own.size() < 3 || others.size() < 2 || own[2].id != others[1].id || own[2].id == TaskId::none)
        continue;
      const auto parent = construct_at(own[1].created, code, codes),
                 sibling = construct_at(others[0].created, code, codes);
      if (!parent || !sibling || !parent->is("task") || !sibling->is("task") || !are_ordered(*parent, *sibling))
        continue;
      if (outer && outer->first_line() != parent->first_line()) return std::nullopt;
      outer = parent;
      found = true;
    }
    if (!found) return std::nullopt;
  }
  const auto body = outer ? outer->body(code) : std::nullopt;
  if (!body) return std::nullopt;
  const std::string text = directive(code.file(), "taskwait"),
                    why = ": the task has the dependence, but ends before its child";
  const std::uint32_t first = body->begin.line, last = body->end.line;
  if (trimmed(code.line(last)) == "}" && trimmed(code.text(*body)).starts_with("{"))
    return Repair{"add '" + text + "' before this line" + why,
                  {inserted_before(code, last, text, outer->first_line() + 1)}};
  // One statement without braces.
  const std::string_view begin = code.line(first).substr(0, body->begin.column),
                         rest = code.line(last).substr(std::min(body->end.column, code.line(last).size()));
  if (first != outer->last_line() + 1 || !trimmed(begin).empty() || !trimmed(rest).empty()) return std::nullopt;
  return Repair{"wait for the child in this task: '" + text + "'" + why,
                {inserted_before(code, first, "{", first), inserted_before(code, last + 1, text, first),
                 inserted_before(code, last + 1, "}", first)}};
}

/// A taskwait right in front of the access waits for tasks of another item: it names the one by which the task says
/// that it writes.
std::optional<Repair> item_of_taskwait(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || leader.edits.size() != 1 || leader.edits.front().replaces) return std::nullopt;
  std::uint32_t line = leader.edits.front().place.line - 1;
  while (line > 0 && trimmed(code.line(line)).empty() && code.directive_line(line).empty()) --line;
  const auto wait = DirectiveText::at(code, line);
  const auto list =
      wait && wait->is("taskwait") && wait->clauses().size() == 1 ? read_depend(wait->clauses().front()) : std::nullopt;
  if (!list || list->items.size() != 1) return std::nullopt;
  std::string item;
  for (const Site& site : sites) {
    if (site.task != TaskKind::explicit_) continue;
    const auto task = construct_at(site.construct, code, codes);
    if (!task) return std::nullopt;
    for (const DependClause& clause : depend_clauses(*task))
      for (const std::string& one : clause.items) {
        if (first_word(one) != leader.variable || (clause.type != "out" && clause.type != "inout")) continue;
        if (!item.empty() && item != one) return std::nullopt;
        item = one;
      }
  }
  if (item.empty() || without_blanks(item) == without_blanks(list->items.front())) return std::nullopt;
  const std::string by = depend(list->type, item);
  const auto edit = wait->with_replaced(code, wait->clauses().front(), by);
  if (!edit) return std::nullopt;
  return Repair{"name the task's list item in this taskwait: '" + by + "'", {*edit}};
}

/// A taskloop would wait for its tasks, if its nogroup did not take that away.
std::optional<Repair> wait_of_taskloop(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  std::optional<DirectiveText> loop;
  for (const Site& site : sites_of(group)) {
    const auto own = construct_at(site.construct, code, codes);
    if (!own || !own->is("taskloop") || own->clause("nogroup") == nullptr) continue;
    if (loop && loop->first_line() != own->first_line()) return std::nullopt;
    loop = own;
  }
  const auto body = loop ? loop->body(code) : std::nullopt;
  if (!body) return std::nullopt;
  for (const Diagnostic* one : group) { // who comes later comes behind the loop
    if (one->sites.size() != 2) return std::nullopt;
    const bool first = body->contains(one->sites[0].place.line), second = body->contains(one->sites[1].place.line);
    const Site& other = one->sites[first ? 1 : 0];
    if (first == second || other.place.line <= body->end.line) return std::nullopt;
  }
  const auto edit = loop->without(code, "nogroup");
  if (!edit) return std::nullopt;
  return Repair{"remove 'nogroup' here: the construct then waits for its tasks", {*edit}};
}

/// `if (n == 0) return;` in front of the block's taskwait: another one in front of that.
std::optional<std::uint32_t> early_return(const Code& code, const Extent& block, std::uint32_t behind) {
  std::optional<std::uint32_t> leaves;
  bool waits = false;
  for (std::uint32_t line = behind; line < block.end.line; ++line) {
    const auto directive = DirectiveText::at(code, line);
    const auto blocks = code.blocks_around(line);
    const bool directly = !blocks.empty() && blocks.front().begin == block.begin;
    if (directive && directive->is("taskwait") && directly && directive->clauses().empty()) waits = true;
    const std::string_view text = trimmed(code.line(line));
    for (const std::string_view word : {"break", "continue", "goto", "throw"})
      if (!waits && mentions(text, word)) return std::nullopt;
    if (waits || !mentions(text, "return")) continue;
    if (leaves || !directly || first_word(text) != "if" || !text.ends_with(';') || !begins_a_statement(code, line))
      return std::nullopt;
    leaves = line;
  }
  return waits ? leaves : std::nullopt;
}

/// A taskwait at the end of the block that the variable belongs to.
std::optional<Repair> wait_in_block(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  const auto construct = line_of_construct(leader.place, codes.sources());
  const bool declared = leader.declared.file == code.file();
  if (!construct || !code.is_c() || (!declared && leader.declared.known())) return std::nullopt;
  std::optional<Extent> block;
  for (const Diagnostic* one : group) {
    if (one->rule != Rule::missing_taskwait || one->declared != leader.declared) return std::nullopt;
    const auto blocks = code.blocks_around(one->place.line);
    const auto around = std::ranges::find_if(blocks, [&](const Extent& b) {
      return b.contains(leader.declared.line) && Position{leader.declared.line, 0} < b.end;
    });
    const bool whole = around == blocks.end() || !declared; // it is a parameter, or not known
    const auto own = whole ? code.function_around(one->place.line) : std::optional(*around);
    if (!own || (block && block->begin != own->begin)) return std::nullopt;
    block = own;
  }
  if (block->begin.line == block->end.line) return std::nullopt;
  if (const auto early = early_return(code, *block, *construct)) {
    const std::string text = directive(code.file(), "taskwait");
    return Repair{"add '" + text + "' before this line: the function may return here",
                  {inserted_before(code, *early, text, *early)}};
  }
  // Nobody leaves the block in another way than by its end, where one `return` may stand.
  std::uint32_t last = block->end.line;
  for (std::uint32_t l = *construct; l < block->end.line; ++l) {
    const std::string_view text = code.line(l);
    for (const std::string_view word : {"break", "continue", "goto", "throw", "return"}) {
      if (!mentions(text, word)) continue;
      const bool is_last = word == "return" && trimmed(text).starts_with(word) &&
                           trimmed(code.text({{l, text.size()}, {block->end.line, block->end.column - 1}})).empty();
      if (!is_last) return std::nullopt;
      last = l;
    }
  }
  if (last == block->end.line && trimmed(code.line(last).substr(0, block->end.column - 1)).size() != 0)
    return std::nullopt;
  if (!begins_a_statement(code, last) && last != block->end.line) return std::nullopt;
  std::uint32_t as = last == block->end.line && declared ? leader.declared.line : last;
  if (as <= block->begin.line) as = *construct;
  const std::string text = directive(code.file(), "taskwait");
  const std::string what =
      declared ? "'" + leader.variable + "', which ends here" : "memory of the function, which returns here";
  return Repair{"add '" + text + "' before this line: the task uses " + what, {inserted_before(code, last, text, as)}};
}

/// A task whose creator does not wait for it, in a task that is waited for: each task in between waits for its child.
std::optional<Repair> wait_in_tasks(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  const auto line = line_of_construct(leader.place, codes.sources());
  if (!line || !code.is_c() || group.size() != 1) return std::nullopt;
  const std::string text = directive(code.file(), "taskwait");
  Repair out{"add '" + text + "' before this line: a wait for the outer task does not wait for its child", {}};
  std::uint32_t inner = *line;
  bool in_task = false;
  for (const DirectiveText& one : DirectiveText::around(code, *line)) {
    if (one.first_line() == *line) continue;
    if (!one.is("task")) break;
    in_task = true;
    const auto body = one.body(code);
    if (!body || trimmed(code.line(body->end.line)) != "}") return std::nullopt;
    bool waits = false;
    for (std::uint32_t l = inner; l < body->end.line; ++l) {
      if (mentions(code.line(l), "return") || mentions(code.line(l), "goto")) return std::nullopt;
      const auto wait = DirectiveText::at(code, l);
      waits = waits || (wait && wait->is("taskwait") && wait->clauses().empty() &&
                        code.blocks_around(l).front().begin == body->begin);
    }
    if (!waits) out.edits.push_back(inserted_before(code, body->end.line, text, inner));
    inner = one.first_line();
  }
  return in_task && !out.edits.empty() ? std::optional(out) : std::nullopt;
}

} // namespace

std::optional<Repair> repair_waits(const Group& group, Codes& codes) {
  switch (group.front()->cause) {
  case Cause::missing_taskwait:
    if (auto found = copy_for_the_task(group, codes)) return found;
    if (!group.front()->edits.empty()) return item_of_taskwait(group, codes);
    if (auto found = wait_of_taskloop(group, codes)) return found;
    if (auto found = wait_for_child(group, codes)) return found;
    return taskgroup_around(group, codes);
  case Cause::task_outlives_frame:
    return wait_in_block(group, codes);
  case Cause::descendant_outlives_frame:
    return wait_in_tasks(group, codes);
  default:
    return repair_barrier(group, codes);
  }
}

} // namespace fletcher::reports
