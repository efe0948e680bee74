// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function a construct, with the sections of the OpenMP 5.1 specification.
#include "execution.hpp"

#include <algorithm>
#include <deque>

namespace fletcher::compiled {
namespace {

class Executor {
public:
  Executor(std::uint32_t threads, std::span<const std::uint32_t> executors)
      : threads_(threads), executors_(executors) {}

  Execution run(const Program& program) {
    Task& initial = new_task(node({}));
    body(initial, program.before);
    parallel(initial, program.region);
    body(initial, program.after);
    return std::move(execution_);
  }

private:
  struct Sibling {
    const std::vector<Dependence>* list;
    Node end;
  };
  struct Task {
    std::uint32_t id = 0;
    Node now = 0; ///< comes before whatever the task does next
    bool final = false;
    std::vector<Node>* team = nullptr;  ///< the ends of its explicit tasks since the last barrier
    std::vector<Node>* group = nullptr; ///< the ends of the tasks of the innermost taskgroup
    std::vector<Node> children;         ///< their ends
    std::vector<Sibling> siblings;      ///< the children with depend clauses
    std::set<Exclusion> held;
  };
  using Members = std::vector<Task*>;

  Node node(const std::vector<Node>& after) {
    const Node made = static_cast<Node>(execution_.next.size());
    execution_.next.emplace_back();
    for (const Node before : after) execution_.next[before].push_back(made);
    return made;
  }
  /// The task goes on after these, too.
  void join(Task& task, std::vector<Node> after) {
    after.push_back(task.now);
    task.now = node(after);
  }

  Task& new_task(Node first) {
    Task& task = tasks_.emplace_back();
    task.id = static_cast<std::uint32_t>(tasks_.size()) - 1;
    task.now = first;
    return task;
  }

  void body(Task& task, const Construct& c) {
    for (const Construct& inner : c.body) construct(task, inner);
  }

  void construct(Task& task, const Construct& c) {
    switch (c.op) {
    case Op::access:
      join(task, {});
      return execution_.accesses.push_back({&c, task.now, task.id, task.held});
    case Op::locked:
      return locked(task, c);
    case Op::task:
      return explicit_task(task, c, c, c.undeferred, c.final);
    case Op::detached:
      return detached(task, c);
    case Op::taskwait: // 2.19.5: the child tasks
      return join(task, task.children);
    case Op::taskwait_depend: // as an empty undeferred task with the clauses would
      return join(task, predecessors(task, c.depend));
    case Op::taskgroup:
      return taskgroup(task, [&] { body(task, c); });
    case Op::taskloop:
      return taskloop(task, c);
    case Op::parallel:
      return parallel(task, c);
    case Op::taskyield:
      return;
    default: // of the region
      return body(task, c);
    }
  }

  void locked(Task& task, const Construct& c) {
    const Exclusion exclusion{0, c.lock};
    join(task, {});
    const Node first = task.now;
    task.held.insert(exclusion);
    body(task, c);
    task.held.erase(exclusion);
    join(task, {});
    execution_.sections.push_back({exclusion, first, task.now});
  }

  /// 2.19.11: whether a task with the item `later` depends on an earlier sibling with the item `earlier`.
  static bool depends(const Dependence& earlier, const Dependence& later) {
    if (earlier.address != later.address) return false;
    const bool alike = earlier.type == later.type;
    return !alike || later.type == DependenceType::out || later.type == DependenceType::inout;
  }
  static std::vector<Node> predecessors(const Task& creator, const std::vector<Dependence>& list) {
    std::vector<Node> ends;
    for (const Sibling& sibling : creator.siblings)
      for (const Dependence& earlier : *sibling.list)
        for (const Dependence& later : list)
          if (depends(earlier, later)) ends.push_back(sibling.end);
    return ends;
  }

  /// 2.12.1. A task in a final task is included, thus undeferred. `fulfilled`: its completion waits for this, too.
  void explicit_task(Task& creator, const Construct& clauses, const Construct& code, bool undeferred, bool final,
                     std::vector<Node> fulfilled = {}, std::uint32_t times = 1) {
    std::vector<Node> before = predecessors(creator, clauses.depend);
    before.push_back(creator.now);
    const Node first = node(before);
    Task& task = new_task(first);
    task.team = creator.team;
    task.group = creator.group;
    task.final = final || creator.final;
    for (const Dependence& item : clauses.depend)
      if (item.type == DependenceType::mutexinoutset) task.held.insert({creator.id, item.address});
    for (; times > 0; --times) body(task, code);
    join(task, std::move(fulfilled));
    const Node end = task.now;
    for (const Exclusion& exclusion : task.held) execution_.sections.push_back({exclusion, first, end});
    creator.children.push_back(end);
    creator.siblings.push_back({&clauses.depend, end});
    creator.team->push_back(end);
    if (creator.group != nullptr) creator.group->push_back(end);
    if (undeferred || creator.final) join(creator, {end});
  }

  /// 2.12.1, detach: the task completes when its block has and the event is fulfilled.
  void detached(Task& creator, const Construct& c) {
    const Node fulfilled = node({});
    explicit_task(creator, c, c.body[0], false, false, {fulfilled});
    Task& other = new_task(creator.now); // the sibling: two parts around the call
    other.team = creator.team;
    other.group = creator.group;
    body(other, c.body[1]);
    execution_.next[other.now].push_back(fulfilled);
    body(other, c.body[2]);
    creator.children.push_back(other.now);
    creator.team->push_back(other.now);
    if (creator.group != nullptr) creator.group->push_back(other.now);
  }

  /// 2.19.6: the child tasks that are generated in it, and their descendants.
  template <class Inside> void taskgroup(Task& task, Inside inside) {
    std::vector<Node> ends;
    std::vector<Node>* const outer = std::exchange(task.group, &ends);
    inside();
    task.group = outer;
    join(task, ends);
    if (outer != nullptr) outer->insert(outer->end(), ends.begin(), ends.end());
  }

  /// 2.12.2.
  void taskloop(Task& task, const Construct& c) {
    static const Construct no_clauses;
    const auto chunks = [&] {
      for (std::uint32_t i = 0; i < c.count; i += c.chunk)
        explicit_task(task, no_clauses, c, false, false, {}, c.chunk);
    };
    c.nowait ? chunks() : taskgroup(task, chunks);
  }

  /// 2.6, 2.19.3: a barrier waits for all members and all explicit tasks of the team.
  void barrier(const Members& members, std::vector<Node>& tasks) {
    for (const Task* member : members) tasks.push_back(member->now);
    const Node all = node(tasks);
    for (Task* member : members) member->now = all;
    tasks.clear();
  }

  void parallel(Task& encountering, const Construct& c) {
    Members members;
    std::vector<Node> tasks;
    for (std::uint32_t i = c.count != 0 ? c.count : threads_; i > 0; --i) {
      members.push_back(&new_task(node({encountering.now})));
      members.back()->team = &tasks;
    }
    for (const Construct& part : c.body) together(members, tasks, part);
    barrier(members, tasks);
    encountering.now = members.front()->now;
  }

  /// 2.10, 2.11: no worksharing construct has an order of its own but that of its closing barrier.
  void together(const Members& members, std::vector<Node>& tasks, const Construct& c) {
    const auto any_member = [&]() -> Task& {
      const std::uint32_t unit = execution_.units++;
      return *members[unit < executors_.size() ? executors_[unit] : 0];
    };
    switch (c.op) {
    case Op::single:
      body(any_member(), c);
      break;
    case Op::sections:
      for (const Construct& section : c.body) body(any_member(), section);
      break;
    case Op::loop:
      for (std::uint32_t i = 0; i < c.count; ++i) body(c.dynamic ? any_member() : *members[i % members.size()], c);
      break;
    case Op::barrier:
      break;
    case Op::masked:
      return body(*members.front(), c);
    default:
      for (Task* member : members) body(*member, c);
      return;
    }
    if (!c.nowait) barrier(members, tasks);
  }

  const std::uint32_t threads_;
  const std::span<const std::uint32_t> executors_;
  Execution execution_;
  std::deque<Task> tasks_;
};

} // namespace

Execution execute(const Program& program, std::uint32_t threads, std::span<const std::uint32_t> executors) {
  return Executor(threads, executors).run(program);
}

} // namespace fletcher::compiled
