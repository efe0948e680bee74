// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/explain_tasks.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/task_stacks.hpp"

namespace fletcher::reports {

namespace {

/// Where the other side is in another team.
std::string team_words(const Side& one) { return one.team ? " in team " + std::to_string(*one.team) : ""; }

std::string own_task_words(const Side& one, const SourcePlace& seen_from, const SourceText& sources) {
  if (one.access->tasks.empty()) return "an unknown task";
  const TaskDescription& task = one.access->tasks.front();
  const std::string where =
      one.creation.empty() ? std::string() : place_words(one.created, one.creation, seen_from, sources);
  switch (task.kind) {
  case TaskKind::explicit_:
    return where.empty() ? "task " + std::to_string(number(task.id)) : "the task created at " + where;
  case TaskKind::target:
    return where.empty() ? "target task " + std::to_string(number(task.id)) : "the target task created at " + where;
  case TaskKind::implicit:
    return (task.of_league ? "team " : "thread ") + std::to_string(task.thread_number) +
           (task.of_league ? " of the teams construct" : " of the parallel region") +
           (where.empty() ? "" : " at " + where);
  case TaskKind::initial:
    return "the initial task";
  case TaskKind::foreign:
    return "thread T" + std::to_string(number(task.thread)) + " (not an OpenMP thread)";
  case TaskKind::operation:
    return task.call.empty() ? "a pending operation" : "a pending " + task.call;
  }
  return "a task";
}

/// What a library's function does with the argument that it got.
std::string library_words(const AccessDescription& access) {
  return access.function + (is_write(access.type) ? " writes " : " reads ") + access.argument;
}

} // namespace

std::string task_words(const Side& one, const SourcePlace& seen_from, const SourceText& sources) {
  return own_task_words(one, seen_from, sources) + team_words(one);
}

std::string other_task_words(const Side& first, const Side& second, const SourcePlace& seen_from,
                             const SourceText& sources) {
  if (!first.access->tasks.empty() && !second.access->tasks.empty() && first.created.known() &&
      first.created == second.created) {
    const TaskDescription &a = first.access->tasks.front(), &b = second.access->tasks.front();
    if (a.kind == TaskKind::implicit && b.kind == TaskKind::implicit && a.id != b.id &&
        (a.thread_number != b.thread_number || second.team))
      return (b.of_league ? "team " : "thread ") + std::to_string(b.thread_number) + team_words(second);
    if (a.kind == TaskKind::implicit && a.id == b.id)
      return "another part of its work, which another thread may execute (in this run one thread executed both)";
    if (a.kind == b.kind && is_explicit(a)) return "another task created there" + team_words(second);
  }
  return task_words(second, seen_from, sources);
}

std::string access_words(const AccessDescription& access) {
  if (!access.function.empty()) return library_words(access);
  return std::string(words(access.type)) + (access.size != 0 ? " of " + plural(access.size, "byte") : std::string());
}

std::string creation_words(const TaskDescription& task, const Side& one, std::size_t depth, bool both, Rule rule) {
  const std::string whose = std::string(words(one.access->type));
  if (task.kind == TaskKind::implicit)
    return task.of_league ? "the teams construct begins here" : "the parallel region begins here";
  if (depth > 0) return "the task around it was created here";
  if (both) return "both tasks were created here";
  if (rule != Rule::data_race) return "the task was created here";
  return "the task of the " + whose + " was created here";
}

std::string length_words(const std::vector<TaskDescription>& tasks) {
  std::size_t around = 0;
  bool skipped = false;
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    around += tasks[i - 1].skipped + (is_explicit(tasks[i]) ? 1 : 0);
    skipped = skipped || tasks[i - 1].skipped != 0;
  }
  return skipped ? ", within " + plural(around, "other task") : std::string();
}

} // namespace fletcher::reports
