// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/waits/deadlock.hpp"

#include "checker/rules/describe.hpp"
#include "checker/waiting/snapshot.hpp"

#include <algorithm>

namespace fletcher::rules {

namespace {

Finding later_sink(Stack stack, std::vector<TaskDescription> tasks) {
  Finding f;
  f.rule = Rule::dependence_cycle;
  f.message = "the sink names an iteration that comes after the one that waits for it";
  f.steps.push_back({"{task} waits here for an iteration past the loop's last one: a sink has to be an earlier one",
                     std::move(stack), std::nullopt, std::move(tasks)});
  f.fix = "name an iteration that comes before, in the order of the loop";
  return f;
}

using constructs::Task;
using waiting::Link;
using waiting::Reason;
using waiting::Snapshot;

class Teller {
public:
  Teller(constructs::Execution& execution, const Snapshot& snapshot) : execution_(execution), snapshot_(snapshot) {}

  Deadlock tell(const std::vector<Link>& circle) {
    if (const Task* const waiter = waits_for_nothing(circle)) return tell_of_sink(*waiter);
    Deadlock result;
    Finding& f = result.finding;
    f.rule = rule_of(circle);
    f.message = circle.front().reason == Reason::left && circle.size() == 1
                    ? "a task waits for a lock that no task will unset"
                    : sentence(f.rule, circle.size());
    f.fix = fix(f.rule, circle);
    std::vector<std::size_t> step_of; // each link has a step, and that of a mutex one for its acquisition, if known
    std::size_t steps = 0;
    for (const Link& link : circle) {
      step_of.push_back(steps);
      steps += acquired(link).empty() ? 1 : 2;
    }
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const Link& link = circle[i];
      tell(link, " " + std::to_string(step_of[(i + 1) % circle.size()]), f);
      for (const std::uint64_t part : {std::uint64_t{number(link.waiter->id)}, link.waiter->wait().pc})
        result.identity = (result.identity ^ part) * 0x100000001b3;
      if (const access::ThreadState* thread = snapshot_.thread_of(*link.waiter)) result.threads.push_back(thread->id);
    }
    return result;
  }

private:
  /// A member of one of their teams that the runtime lets wait where OpenMP does not. Who waits for it waits for that.
  static const Task* waits_for_nothing(const std::vector<Link>& circle) {
    for (const Link& link : circle)
      if (const constructs::Team* const team = link.waiter->team(); team != nullptr)
        for (const Task* const member : team->members)
          if (member->wait().kind == constructs::Wait::Kind::no_iteration ||
              member->wait().kind == constructs::Wait::Kind::later_iteration)
            return member;
    return nullptr;
  }

  Deadlock tell_of_sink(const Task& waiter) {
    Deadlock result;
    const bool later = waiter.wait().kind == constructs::Wait::Kind::later_iteration;
    result.finding = later ? later_sink(where(waiter), lineage(waiter)) : missing_iteration(waiter);
    result.identity = (std::uint64_t{number(waiter.id)} * 0x100000001b3) ^ waiter.wait().pc;
    if (const access::ThreadState* const thread = snapshot_.thread_of(waiter)) result.threads.push_back(thread->id);
    return result;
  }

  Finding missing_iteration(const Task& waiter) {
    Finding f;
    f.rule = Rule::dependence_cycle;
    f.message = "the OpenMP runtime, and not the program, waits for an iteration that the loop does not have";
    f.steps.push_back({"{task} waits here for an iteration just past the loop's end, which OpenMP does not wait for",
                       where(waiter), std::nullopt, lineage(waiter)});
    f.fix = "nothing needs to change in the program; compilers that pass the loop's end to the runtime, as gcc does, "
            "avoid it";
    return f;
  }

  static Rule rule_of(const std::vector<Link>& circle) {
    const auto has = [&](Reason r) {
      return std::any_of(circle.begin(), circle.end(), [&](const Link& l) { return l.reason == r; });
    };
    if (has(Reason::mismatch) || has(Reason::another_barrier)) return Rule::barrier_mismatch;
    const bool own_lock = circle.size() == 1 && circle.front().reason == Reason::mutex &&
                          circle.front().waiter->wait().mutex.kind <= MutexKind::nest_lock;
    return own_lock ? Rule::lock_misuse : Rule::dependence_cycle;
  }

  static std::string sentence(Rule rule, std::size_t tasks) {
    if (rule == Rule::barrier_mismatch) return "threads of a team wait for each other at different barriers";
    if (rule == Rule::lock_misuse) return "a task sets a lock that it has set already, and waits for itself";
    if (tasks == 1) return "a task waits for itself";
    return std::to_string(tasks) + " tasks wait for each other in a circle";
  }

  static std::string fix(Rule rule, const std::vector<Link>& circle) {
    const auto count = [&](auto... reasons) {
      return std::count_if(circle.begin(), circle.end(), [&](const Link& l) { return ((l.reason == reasons) || ...); });
    };
    if (rule != Rule::dependence_cycle) return {}; // the rule's own is enough
    if (count(Reason::left) != 0) return "unset the lock on every way out of the task that sets it";
    const auto mutexes = count(Reason::mutex, Reason::turn);
    if (count(Reason::fulfilment) != 0)
      return "fulfil the event in a task that does not wait for the detached task, and before anything waits for that "
             "one";
    if (mutexes != 0 && mutexes != static_cast<std::ptrdiff_t>(circle.size()))
      return "release the lock, or leave the construct, before the wait begins";
    if (mutexes > 1) return "take the locks, and nest the constructs, in one order everywhere";
    return {};
  }

  /// What a link says; `other` completes the placeholder of whom it waits for.
  static std::string words(const Link& link, const std::string& other) {
    const std::string it = "{task" + other + "}";
    switch (link.reason) {
    case Reason::mutex:
      if (link.waiter == link.awaited) return "{task} waits here for the {lock}, which it holds itself";
      return "{task} waits here for the {lock}, which " + it + " holds";
    case Reason::left:
      return "{task} waits here for the {lock}, which was set by a task that has ended without unsetting it" +
             (link.waiter == link.awaited ? std::string() : ": all other tasks are stuck, " + it + " too");
    case Reason::turn:
      return "{task} waits here for its turn, which " + it + " holds up";
    case Reason::iteration:
      return "{task} waits here for an iteration that " + it + " holds up";
    case Reason::predecessor:
      return "{task} cannot start: it depends on " + it;
    case Reason::child:
      return "{task} waits here in taskwait for its child, " + it;
    case Reason::descendant:
      return "{task} waits here, at the end of a taskgroup, for " + it;
    case Reason::sibling:
      return "{task} waits here in taskwait with depend for " + it;
    case Reason::arrival:
      return "{task} waits at a barrier for " + it;
    case Reason::mismatch:
      return "{task} waits at a barrier that " + it + " will not reach: it has reached the end of the region";
    case Reason::another_barrier:
      return "{task} waits at a barrier that " + it + " will not reach: it waits at another one";
    case Reason::team_task:
      return "{task} waits at a barrier, which waits for " + it + " too";
    case Reason::interrupted:
      return "{task} continues only when its thread has finished " + it;
    case Reason::no_thread:
      return "{task} is not executed: no thread of its team is free; one is occupied by " + it;
    case Reason::fulfilment:
      return "{task} has ended, but its event is not fulfilled, and every task that could fulfil it is stuck, "
             "including " +
             it;
    }
    return {};
  }

  Stack acquired(const Link& link) {
    if (link.reason != Reason::mutex && link.reason != Reason::left) return {};
    const ContextId where = execution_.holder(link.waiter->wait().mutex, *link.waiter).acquired;
    return where == ContextId::none ? Stack{} : execution_.calls().stack(where);
  }

  void tell(const Link& link, const std::string& other, Finding& f) {
    const bool waits = link.waiter->wait().kind != constructs::Wait::Kind::none && link.waiter->wait().pc != 0;
    // A task that is interrupted without a wait is where it created the one that its thread executes at once.
    const Task& made = link.reason == Reason::interrupted ? *link.awaited : *link.waiter;
    Step step{words(link, other), waits ? where(*link.waiter) : execution_.calls().stack(made.creation)};
    step.tasks = lineage(*link.waiter);
    const bool left = link.reason == Reason::left;
    if (link.reason == Reason::mutex || left) step.mutex = link.waiter->wait().mutex;
    f.steps.push_back(std::move(step));
    if (Stack stack = acquired(link); !stack.empty())
      f.steps.push_back({left ? "it was set here" : "{task} acquired it here", std::move(stack),
                         link.waiter->wait().mutex, left ? std::vector<TaskDescription>() : lineage(*link.awaited)});
  }

  Stack where(const Task& task) {
    Stack stack{task.wait().pc};
    // Of a task that others were started on top of, the thread's call stack tells no more.
    if (snapshot_.on_top(task)) {
      const Stack callers = execution_.calls().stack(execution_.calls().context(snapshot_.thread_of(task)->stack));
      stack.insert(stack.end(), callers.begin(), callers.end());
    }
    return stack;
  }

  std::vector<TaskDescription> lineage(const Task& task) {
    std::vector<const Task*> all;
    for (const Task* t = &task; t != nullptr; t = t->parent()) all.push_back(t);
    std::vector<TaskDescription> result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Task* const t = all[i];
      if (!is_near_an_end(i, all.size())) {
        ++result.back().skipped;
        continue;
      }
      result.push_back({.id = t->id,
                        .kind = t->kind,
                        .of_league = t->kind == TaskKind::implicit && t->team()->league,
                        .thread_number = t->active() ? t->now().index : std::uint32_t{0},
                        .thread = t->thread(),
                        .creation = execution_.calls().stack(t->creation),
                        .skipped = 0,
                        .call = {}});
    }
    return result;
  }

  constructs::Execution& execution_;
  const Snapshot& snapshot_;
};

} // namespace

std::vector<Deadlock> deadlocks(constructs::Execution& execution, bool strangers) {
  const Snapshot snapshot(execution, {strangers});
  std::vector<Deadlock> result;
  for (const auto& circle : snapshot.circles()) result.push_back(Teller(execution, snapshot).tell(circle));
  return result;
}

void report_later_sink(constructs::Execution& execution, Reporter& reporter, const Task& waiter) {
  const Address pc = waiter.wait().pc;
  reporter.report({Rule::dependence_cycle, pc, pc}, [&] {
    access::ThreadState& thread = execution.thread(waiter.thread());
    return later_sink(execution.calls().stack(execution.place(thread, pc)),
                      rules::lineage(execution, constructs::record_of(thread, *execution.task(waiter.id))));
  });
}

void report(Reporter& reporter, const Deadlock& deadlock) {
  const Finding& f = deadlock.finding;
  const auto pc = [&](std::size_t step) { return f.steps[step].place(); };
  FindingKey key{f.rule, 0, 0};
  // A lock set twice has been reported by lock_misuse.cpp when it happened; this is the same.
  if (f.rule == Rule::lock_misuse && f.steps.size() == 2)
    key = {f.rule, pc(0), pc(1)};
  else
    for (std::size_t i = 0; i < f.steps.size(); ++i)
      key = {f.rule, i == 0 ? pc(i) : std::min(key.first, pc(i)), std::max(key.second, pc(i))};
  reporter.report(key, [&] { return f; });
}

} // namespace fletcher::rules
