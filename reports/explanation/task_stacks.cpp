// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/task_stacks.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::reports {
namespace {

/// What the compiler outlined to make such a task's function.
Outlined outlined_for(const TaskDescription& task) {
  return is_explicit(task) ? Outlined::task : task.of_league ? Outlined::teams : Outlined::region;
}

bool may_be_of_a_task(const Frame& frame) {
  return frame.function.outlined == Outlined::region || frame.function.outlined == Outlined::task;
}

/// Frames of inlined functions have the code addresses of the calls that are made in them.
bool is_same_call(const Frame& a, const Frame& b) {
  return a.module == b.module && a.place == b.place && (a.place.known() || a.offset == b.offset);
}

} // namespace

bool is_explicit(const TaskDescription& task) {
  return task.kind == TaskKind::explicit_ || task.kind == TaskKind::target;
}

Tasks who_ran(const Stack& stack, Tasks tasks) {
  return !tasks.empty() && !stack.empty() && stack == tasks.front().creation ? tasks.subspan(1) : tasks;
}

std::vector<Frame> shown_in_task(const SymbolTable& symbols, const Stack& stack, Tasks tasks) {
  std::vector<Frame> frames = stack.empty() ? std::vector<Frame>() : symbols.shown(stack);
  if (tasks.empty()) return frames;
  const TaskDescription& task = tasks.front();
  bool outermost = true;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (!may_be_of_a_task(*frame)) continue;
    if (outermost) frame->function.outlined = outlined_for(task);
    if (frame->function.name.empty() && outermost && !task.creation.empty())
      if (const auto creation = shown_in_task(symbols, task.creation, tasks.subspan(1)); !creation.empty())
        frame->function.name = creation.front().function.name;
    outermost = false;
  }
  return frames;
}

std::map<std::string, Outlined> constructs_of(const Document& document, const SymbolTable& symbols) {
  std::map<std::string, Outlined> constructs;
  const auto learn = [&](const Stack& stack, const TaskDescription& task) {
    const auto frames = symbols.shown(stack);
    const auto own = std::find_if(frames.rbegin(), frames.rend(), may_be_of_a_task);
    if (own != frames.rend() && !own->compiler_name.empty())
      constructs.try_emplace(own->compiler_name, outlined_for(task));
  };
  const auto learn_all = [&](const Stack& stack, Tasks tasks) {
    const Stack* in = &stack;
    for (const TaskDescription& task : who_ran(stack, tasks)) {
      if (!in->empty()) learn(*in, task);
      in = &task.creation;
    }
  };
  for (const Finding& finding : document.findings) {
    for (const AccessDescription& access : finding.accesses) learn_all(access.stack, access.tasks);
    for (const Step& step : finding.steps) learn_all(step.stack, step.tasks);
  }
  return constructs;
}

std::optional<MissingWait> missing_wait(const std::vector<Side>& sides, const SymbolTable& symbols) {
  if (sides.size() < 2) return std::nullopt;
  for (const auto& [above, below] : {std::pair(&sides[0], &sides[1]), std::pair(&sides[1], &sides[0])}) {
    const Tasks tasks = below->access->tasks;
    if (above->access->tasks.empty()) continue;
    for (std::size_t i = 1; i < tasks.size(); ++i) {
      if (tasks[i].id != above->access->tasks.front().id || !is_explicit(tasks[i - 1])) continue;
      const auto creation = shown_in_task(symbols, tasks[i - 1].creation, tasks.subspan(i));
      auto from = creation.rbegin();
      auto to = above->stack.rbegin();
      while (from != creation.rend() && to != above->stack.rend() && is_same_call(*from, *to)) ++from, ++to;
      MissingWait wait;
      wait.descendant = below;
      wait.taskwait_is_enough = i == 1;
      if (from == creation.rend() || to == above->stack.rend() || from->function.name != to->function.name) return wait;
      wait.place = {*to};
      // Tasks of a recursion wait in the same function, so one taskwait serves all generations. A task that stands
      // within another one's construct is no recursion: its creator did not call the function again.
      wait.taskwait_is_enough = true;
      for (std::size_t child = 0; child + 1 < i; ++child) {
        const auto stack = shown_in_task(symbols, tasks[child].creation, tasks.subspan(child + 1));
        if (stack.size() < 2 || stack.front().function.name != to->function.name) wait.taskwait_is_enough = false;
      }
      return wait;
    }
  }
  return std::nullopt;
}

} // namespace fletcher::reports
