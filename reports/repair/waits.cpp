// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is missing between a task, or a thread, and whoever goes on: a copy of a variable that the task only reads, a
// taskwait before the end of the block whose variables the task uses, a barrier that a nowait took away.
#include "reports/document/words.hpp"
#include "reports/explanation/statement_places.hpp"
#include "reports/repair/directive_text.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/statement_form.hpp"

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
    for (const Position at : code.mentions(leader.variable, *body)) { // nothing but reads
      const std::string_view text = code.line(at.line);
      const std::string_view before = trimmed(text.substr(0, at.column)),
                             behind = trimmed(text.substr(at.column + leader.variable.size()));
      const bool assigned = (behind.starts_with('=') && !behind.starts_with("==")) ||
                            (behind.size() > 1 && behind[1] == '=' &&
                             std::string_view("+-*/&|^%").find(behind[0]) != std::string_view::npos) ||
                            behind.starts_with("++") || behind.starts_with("--") || before.ends_with("++") ||
                            before.ends_with("--") || (before.ends_with('&') && !before.ends_with("&&"));
      if (assigned) return std::nullopt;
    }
    if (task->names_besides_shared(leader.variable)) return std::nullopt;
    construct = std::move(task);
  }
  if (!is_of_one_function(code, leader, construct->first_line()) || !is_number(leader, codes, construct->first_line()))
    return std::nullopt;
  const std::string clause = "firstprivate(" + leader.variable + ")";
  const auto edit = construct->with_instead_of_shared(code, clause, leader.variable);
  if (!edit) return std::nullopt;
  return Repair{"add '" + clause + "' to the construct here: the task then reads what '" + leader.variable +
                    "' is when it is created",
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

/// A taskwait at the end of the block that the variable belongs to.
std::optional<Repair> wait_in_block(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const Code& code = codes.of(leader.place.file);
  const auto construct = line_of_construct(leader.place, codes.sources());
  if (!construct || !code.is_c() || leader.declared.file != code.file()) return std::nullopt;
  std::optional<Extent> block;
  for (const Diagnostic* one : group) {
    if (one->rule != Rule::missing_taskwait || one->declared != leader.declared) return std::nullopt;
    const auto blocks = code.blocks_around(one->place.line);
    const auto around = std::ranges::find_if(blocks, [&](const Extent& b) {
      return b.contains(leader.declared.line) && Position{leader.declared.line, 0} < b.end;
    });
    const bool parameter = around == blocks.end();
    const auto own = parameter ? code.function_around(one->place.line) : std::optional(*around);
    if (!own || (block && block->begin != own->begin)) return std::nullopt;
    block = own;
  }
  if (block->begin.line == block->end.line) return std::nullopt;
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
  std::uint32_t as = last == block->end.line ? leader.declared.line : last;
  if (as <= block->begin.line) as = *construct;
  const std::string text = directive(code.file(), "taskwait");
  return Repair{"add '" + text + "' before this line: the task uses '" + leader.variable + "', which ends here",
                {inserted_before(code, last, text, as)}};
}

/// A barrier behind a construct that only one thread executes, for which the others do not wait.
std::optional<Repair> barrier_behind_masked(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::optional<std::uint32_t> behind, first;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const Site* own = &sites[i];
    const Site* other = &sites[i + 1];
    if (other->place.line < own->place.line) std::swap(own, other);
    const auto around = DirectiveText::around(code, own->place.line);
    if (around.empty() || (!around.front().is("master") && !around.front().is("masked"))) return std::nullopt;
    const auto body = around.front().body(code);
    if (!body || body->contains(other->place.line) || body->end.column == 0) return std::nullopt;
    const SourcePlace construct{code.file(), around.front().first_line(), 1};
    if (!is_directly_in_region(construct, codes.sources()) ||
        !trimmed(code.line(body->end.line).substr(body->end.column)).empty())
      return std::nullopt;
    if (behind && *behind != body->end.line + 1) return std::nullopt;
    behind = body->end.line + 1;
    first = around.front().first_line();
  }
  const std::string text = directive(code.file(), "barrier");
  return Repair{"add '" + text + "' before this line: nobody waits for the thread that executes the construct above",
                {inserted_before(code, *behind, text, *first)}};
}

/// The first of the two constructs had a barrier, if its nowait did not take it away.
std::optional<Repair> barrier_of_construct(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::optional<DirectiveText> found;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const Site &first = sites[i].place.line < sites[i + 1].place.line ? sites[i] : sites[i + 1],
               &second = sites[i].place.line < sites[i + 1].place.line ? sites[i + 1] : sites[i];
    std::optional<DirectiveText> own;
    for (const DirectiveText& around : DirectiveText::around(code, first.place.line)) {
      const auto body = around.body(code);
      if (!body || body->contains(second.place.line)) continue;
      if (around.clause("nowait") != nullptr) own = around;
      const auto end = code.is_c() ? std::nullopt : DirectiveText::at(code, body->end.line);
      if (end && end->is("end") && end->clause("nowait") != nullptr) own = end;
    }
    if (!own || (found && found->first_line() != own->first_line())) return std::nullopt;
    found = own;
  }
  const auto edit = found->without(code, "nowait");
  if (!edit) return std::nullopt;
  return Repair{"remove 'nowait' here: the construct then ends with a barrier", {*edit}};
}

/// A barrier between two statements that all threads of the region execute, one after the other and once.
std::optional<Repair> barrier_between(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::uint32_t before = 0, behind = 0; // the last of the first ones, the first of the others
  std::optional<std::uint32_t> region;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const auto [first, second] = std::minmax(sites[i].place.line, sites[i + 1].place.line);
    if (first == second || sites[i].task != TaskKind::implicit || sites[i + 1].task != TaskKind::implicit)
      return std::nullopt;
    before = std::max(before, first);
    behind = behind == 0 ? second : std::min(behind, second);
    for (const std::uint32_t line : {first, second}) {
      const auto around = DirectiveText::around(code, line);
      if (around.empty() || !around.front().is("parallel") || around.front().shares_a_loop() ||
          around.front().is("sections") || (region && *region != around.front().first_line()))
        return std::nullopt;
      region = around.front().first_line();
    }
  }
  if (before >= behind) return std::nullopt;
  const auto directive_of_region = DirectiveText::at(code, *region);
  const auto body = directive_of_region ? directive_of_region->body(code) : std::nullopt;
  if (!body) return std::nullopt;
  // Both are statements of the region's own block: neither in a loop nor under a condition.
  for (const std::uint32_t line : {before, behind}) {
    const auto blocks = code.blocks_around(line);
    if (blocks.empty() || blocks.front().begin != body->begin || !begins_a_statement(code, line)) return std::nullopt;
    const std::string_view above = trimmed(code.line(line - 1));
    if (above.ends_with(')') || above.ends_with("else") || above == "do") return std::nullopt;
    const std::string_view own = first_word(trimmed(code.line(line)));
    if (line == before && (own == "if" || own == "while")) return std::nullopt;
  }
  // Nobody leaves in between.
  for (std::uint32_t line = body->begin.line; line < behind; ++line)
    for (const std::string_view word : {"return", "goto", "cancel"})
      if (mentions(code.line(line), word) || mentions(code.directive_line(line), word)) return std::nullopt;
  const auto last = code.statement_at({code.file(), before, 0});
  if (last && last->end.line >= behind) return std::nullopt;
  const std::string text = directive(code.file(), "barrier");
  return Repair{"add '" + text + "' before this line: every thread then has done what stands above",
                {inserted_before(code, behind, text, behind)}};
}

} // namespace

std::optional<Repair> repair_barrier(const Group& group, Codes& codes) {
  if (auto found = barrier_of_construct(group, codes)) return found;
  return barrier_between(group, codes);
}

std::optional<Repair> repair_waits(const Group& group, Codes& codes) {
  switch (group.front()->cause) {
  case Cause::missing_taskwait:
    if (auto found = copy_for_the_task(group, codes)) return found;
    return group.front()->edits.empty() ? taskgroup_around(group, codes) : std::nullopt;
  case Cause::task_outlives_frame:
    return wait_in_block(group, codes);
  default: // an edit that adds a barrier is as good
    if (!group.front()->edits.empty()) return std::nullopt;
    if (auto found = barrier_of_construct(group, codes)) return found;
    if (auto found = barrier_behind_masked(group, codes)) return found;
    return barrier_between(group, codes);
  }
}

} // namespace fletcher::reports
