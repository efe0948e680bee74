// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/waiting/snapshot.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fletcher::waiting {

using constructs::Task;
using constructs::Taskgroup;
using constructs::Team;
using Kind = constructs::Wait::Kind;

namespace {

// A reader understands a lock or a taskwait sooner than who keeps which thread busy: those circles cost more.
enum Cost : std::uint32_t { direct = 2, barrier = 3, thread_busy = 5, somebody = 6 };

const constructs::Rare& rare(const Task& task) {
  static const constructs::Rare none;
  return task.active() && task.rare_if_any() != nullptr ? *task.rare_if_any() : none;
}
std::uint64_t barriers_left(const Task& member) { return rare(member).barriers; }

bool at_scheduling_point(const Task& task) { return task.wait().kind != Kind::none && task.wait().kind != Kind::mutex; }

// OpenMP 5.1, 2.12.6: a tied task may be started on a thread only as a descendant of all that are suspended there,
// unless in a barrier. Implicit tasks count in a taskwait alone, as runtimes have it.
bool constrains(const Task& task) {
  if (task.kind == TaskKind::implicit) return task.wait().kind == Kind::taskwait;
  return !task.untied && task.wait().kind != Kind::barrier;
}

bool is_ancestor(const Task& ancestor, const Task& task) {
  for (const Task* t = task.parent(); t != nullptr; t = t->parent())
    if (t == &ancestor) return true;
  return false;
}

bool may_take(const Task* top, const Task& queued) {
  if (!at_scheduling_point(*top) || top->team() != queued.team()) return false;
  if (queued.untied) return true;
  for (const Task* t = top; t != nullptr && t->team() == queued.team(); t = t->now().below)
    if (constrains(*t) && !is_ancestor(*t, queued)) return false;
  return true;
}

} // namespace

bool runs(const access::ThreadState& thread) {
  return thread.task != nullptr && thread.task->wait().kind == Kind::none;
}

Snapshot::Snapshot(constructs::Execution& execution, const Outside& outside)
    : execution_(execution), anyone_(helper(outside.strangers ? Needs::nothing : Needs::one)) {
  std::vector<const Task*> started;
  execution.each_thread([&](access::ThreadState& t) {
    if (t.task == nullptr || (t.task->now().closing && execution.is_over(*t.task->team()))) return; // idle
    add_stack(t);
    for (const Task* task = t.task; task != nullptr; task = task->now().below) started.push_back(task);
  });
  execution.each_unfinished([&](const Task& task) {
    vertex(task);
    unfinished_.push_back(&task);
  });
  add_crews();
  for (const Task* task : started) add_wait(*task);
  for (const Task* task : unfinished_) {
    if (!places_.contains(task)) add_queued(*task);
    add_awaited(*task);
  }
  for (const auto& [task, its] : vertices_)
    if (!task->body_ended) graph_.wait(anyone_, its, 0, somebody);
}

Snapshot::Vertex Snapshot::vertex(const Task& task) {
  const auto [at, is_new] = vertices_.try_emplace(&task, 0);
  if (is_new) {
    at->second = graph_.add(Needs::all);
    tasks_.push_back(&task);
  }
  return at->second;
}

Snapshot::Vertex Snapshot::helper(Needs needs) {
  tasks_.push_back(nullptr);
  return graph_.add(needs);
}

void Snapshot::wait(const Task& from, const Task& to, Reason reason, std::uint32_t cost) {
  graph_.wait(vertex(from), vertex(to), static_cast<std::uint32_t>(reason), cost);
}
void Snapshot::wait(const Task& from, Vertex to, Reason reason, std::uint32_t cost) {
  graph_.wait(vertex(from), to, static_cast<std::uint32_t>(reason), cost);
}
void Snapshot::running(const Task& task) { graph_.set(vertex(task), Needs::nothing); }

void Snapshot::add_stack(access::ThreadState& thread) {
  const Task* above = nullptr;
  for (const Task* task = thread.task; task != nullptr; above = task, task = task->now().below) {
    vertex(*task);
    places_[task] = {&thread, above == nullptr};
    if (above != nullptr) wait(*task, *above, Reason::interrupted, barrier);
  }
}

void Snapshot::add_crews() {
  for (const auto& [task, place] : places_) {
    if (task->kind != TaskKind::implicit || task->team() == nullptr) continue;
    const Team& team = *task->team();
    const auto [at, is_new] = crews_.try_emplace(&team);
    Crew& crew = at->second;
    if (is_new) {
      crew.complete = team.size != 0 && team.members.size() == team.size;
      crew.tasks = helper(Needs::all);
      crew.thread = helper(crew.complete ? Needs::one : Needs::nothing);
    }
    const Task* top = place.thread->task;
    crew.tops.push_back(top);
    graph_.wait(crew.thread, vertex(*top), 0, thread_busy);
    crew.any_task = crew.any_task || (top == task && task->wait().kind == Kind::barrier);
  }
  for (const Task* task : unfinished_)
    if (const auto at = crews_.find(task->team()); at != crews_.end())
      graph_.wait(at->second.tasks, vertex(*task), 0, 0);
}

void Snapshot::add_wait(const Task& task) {
  switch (task.wait().kind) {
  case Kind::none:
    if (on_top(task)) running(task);
    return;
  case Kind::taskwait:
  case Kind::taskgroup:
    return; // add_awaited
  case Kind::predecessors:
    for (const Task* p : rare(task).awaited)
      if (!p->complete) wait(task, *p, Reason::sibling, direct);
    return;
  case Kind::barrier:
    return add_barrier(task);
  case Kind::mutex:
    return add_mutex(task);
  case Kind::iteration:
  case Kind::no_iteration:
  case Kind::later_iteration:
    return add_turn(task, Reason::iteration);
  }
}

void Snapshot::add_barrier(const Task& member) {
  const Team& team = *member.team();
  const Crew& crew = crews_.at(&team);
  if (!crew.complete || team.cancelled || team.barriers > barriers_left(member)) return running(member);
  for (const Task* other : team.members) {
    if (other == &member) continue;
    const bool arrived = other->now().waiting && barriers_left(*other) == barriers_left(member);
    // All barriers but gatherings are one to a runtime: it counts who arrives.
    const bool another = rare(*other).at_internal != rare(member).at_internal;
    if (arrived && other->now().closing == member.now().closing && !another) continue;
    if (arrived && (other->now().closing || another)) {
      const Vertex never = helper(Needs::more);
      wait(member, never, other->now().closing ? Reason::mismatch : Reason::another_barrier, direct);
      graph_.wait(never, vertex(*other), 0, direct);
    } else {
      wait(member, *other, Reason::arrival, barrier);
    }
  }
  wait(member, crew.tasks, Reason::team_task, barrier);
}

void Snapshot::add_mutex(const Task& task) {
  const Task* holder = execution_.task(execution_.holder(task.wait().mutex, task).task);
  const bool lock = task.wait().mutex.kind == MutexKind::lock || task.wait().mutex.kind == MutexKind::nest_lock;
  if (holder != nullptr && vertices_.contains(holder) && !(lock && execution_.locks_change_hands()))
    return wait(task, *holder, Reason::mutex, direct);
  // Only its owner may unset it; but any task that can go on might do so.
  if (holder == nullptr && lock && !execution_.locks_change_hands() &&
      execution_.holder(task.wait().mutex, task).task != TaskId::none)
    return wait(task, anyone_, Reason::left, direct);
  if (holder != nullptr || task.wait().mutex.kind != MutexKind::ordered) return running(task);
  add_turn(task, Reason::turn); // nobody has it
}

// Some other member has to come to the iteration, to its ordered region, or to leave the loop.
void Snapshot::add_turn(const Task& member, Reason reason) {
  const auto crew = crews_.find(member.team());
  if (crew == crews_.end() || !crew->second.complete) return running(member);
  const Vertex others = helper(Needs::one);
  wait(member, others, reason, direct);
  for (const Task* other : member.team()->members)
    if (other != &member) graph_.wait(others, vertex(*other), 0, direct);
}

bool Snapshot::may_start(const Task& task, const Crew& crew) const {
  return crew.any_task ||
         std::any_of(crew.tops.begin(), crew.tops.end(), [&](const Task* top) { return may_take(top, task); });
}

void Snapshot::add_queued(const Task& task) {
  if (task.body_ended) {
    if (execution_.is_fulfilled(task)) return running(task);
    return wait(task, anyone_, Reason::fulfilment, direct);
  }
  const auto crew = crews_.find(task.team());
  if (crew == crews_.end() || task.kind != TaskKind::explicit_ || task.undeferred) return running(task);
  if (!task.started)
    for (const Task* p : task.depend.predecessors())
      if (!p->complete) wait(task, *p, Reason::predecessor, direct);
  if (!may_start(task, crew->second)) wait(task, crew->second.thread, Reason::no_thread, direct);
}

void Snapshot::add_awaited(const Task& task) {
  const auto waits = [&](const Task& waiter, Kind kind) {
    return waiter.wait().kind == kind && places_.contains(&waiter);
  };
  if (waits(*task.parent(), Kind::taskwait)) wait(*task.parent(), task, Reason::child, direct);
  for (const Taskgroup* g = task.group(); g != nullptr; g = g->outer != nullptr ? g->outer.get() : g->inherited)
    if (waits(*g->owner, Kind::taskgroup) && g->owner->now().open_group.get() == g)
      wait(*g->owner, task, Reason::descendant, direct);
}

access::ThreadState* Snapshot::thread_of(const Task& task) const {
  const auto at = places_.find(&task);
  return at == places_.end() ? nullptr : at->second.thread;
}

bool Snapshot::on_top(const Task& task) const {
  const auto at = places_.find(&task);
  return at != places_.end() && at->second.top;
}

std::vector<std::vector<Link>> Snapshot::circles() const {
  std::vector<std::vector<Link>> result;
  for (auto circle : graph_.circles()) {
    // Helpers are left out: a link goes from a task to the next one, for the reason with which it begins.
    const auto first =
        std::find_if(circle.begin(), circle.end(), [&](const auto& e) { return tasks_[e.from] != nullptr; });
    std::rotate(circle.begin(), first, circle.end());
    std::vector<Link>& links = result.emplace_back();
    for (const WaitGraph::Edge& e : circle) {
      if (tasks_[e.from] != nullptr) links.push_back({tasks_[e.from], static_cast<Reason>(e.label), nullptr});
      if (tasks_[e.to] != nullptr) links.back().awaited = tasks_[e.to];
    }
    // It begins with a member of a team that waits at a place of its own; of several, with the one whose place comes
    // first in the code. So equal deadlocks are reported equally, whichever task came first.
    const auto rank = [](const Link& l) {
      const constructs::Wait& wait = l.waiter->wait();
      return std::tuple(wait.kind == Kind::none, l.waiter->kind == TaskKind::explicit_, wait.pc, l.waiter->id);
    };
    std::rotate(
        links.begin(),
        std::min_element(links.begin(), links.end(), [&](const Link& a, const Link& b) { return rank(a) < rank(b); }),
        links.end());
  }
  return result;
}

} // namespace fletcher::waiting
