// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for whom at this moment, as OpenMP's constructs say it: the execution's tasks as a wait-for graph. What may
// run is never counted as waiting: a task without a wait of OpenMP's, a member that has not begun, what nobody knows.
//
// Made and read while no thread tells an event. O(tasks + threads^2).
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/waiting/wait_graph.hpp"

#include <unordered_map>
#include <vector>

namespace fletcher::waiting {

/// Why a task cannot go on before another one has.
enum class Reason : std::uint32_t {
  mutex,           ///< which the other one holds
  left,            ///< for a lock that a task has set that is over: nobody may unset it
  turn,            ///< of the ordered construct, which the others can let come
  iteration,       ///< of a doacross loop, which some member has to come to
  predecessor,     ///< by dependence; it has not started
  child,           ///< in a taskwait
  descendant,      ///< at the end of a taskgroup
  sibling,         ///< in a taskwait with depend
  arrival,         ///< at a barrier that the other one has not reached yet
  mismatch,        ///< at a barrier that the other one will not reach: it waits for the end of the region
  another_barrier, ///< at a barrier that the other one will not reach: it waits at another one
  team_task,       ///< at a barrier, which waits for all tasks of the team
  interrupted,     ///< its thread executes the other one
  no_thread,       ///< of its team is free to execute it: the other one keeps one of them
  fulfilment,      ///< of its event, by a task that can go on
};

struct Link {
  const constructs::Task* waiter;
  Reason reason;
  const constructs::Task* awaited;
};

/// What the checker cannot see and its caller may know.
struct Outside {
  /// The process has threads that no event named; one of them may fulfil an event.
  bool strangers = true;
};

/// The task that the thread executes waits for nothing that events tell. Only while no thread tells an event.
bool runs(const access::ThreadState& thread);

class Snapshot {
public:
  Snapshot(constructs::Execution& execution, const Outside& outside);

  /// Tasks that can never go on, as circles of links (wait_graph.hpp: circles).
  std::vector<std::vector<Link>> circles() const;
  /// The thread that the task runs on or would go on; none for a task in a queue.
  access::ThreadState* thread_of(const constructs::Task& task) const;
  /// It runs as far as the thread knows: nothing was started on top of it.
  bool on_top(const constructs::Task& task) const;

private:
  using Task = constructs::Task;
  using Team = constructs::Team;
  using Vertex = WaitGraph::Vertex;
  struct Place {
    access::ThreadState* thread = nullptr;
    bool top = false;
  };
  /// What is worked out once for each team.
  struct Crew {
    std::vector<const Task*> tops; ///< what its threads execute now
    bool any_task = false;         ///< a thread waits where it may start every task
    bool complete = false;         ///< all members have begun
    Vertex tasks = 0;              ///< all of its explicit tasks
    Vertex thread = 0;             ///< one of its threads
  };

  Vertex vertex(const Task& task);
  Vertex helper(Needs needs);
  void add_stack(access::ThreadState& thread);
  void add_crews();
  void wait(const Task& from, const Task& to, Reason reason, std::uint32_t cost = 1);
  void wait(const Task& from, Vertex to, Reason reason, std::uint32_t cost);
  void running(const Task& task);
  void add_wait(const Task& task);
  void add_barrier(const Task& member);
  void add_mutex(const Task& task);
  void add_turn(const Task& member, Reason reason);
  void add_queued(const Task& task);
  void add_awaited(const Task& task);
  bool may_start(const Task& task, const Crew& crew) const;

  constructs::Execution& execution_;
  WaitGraph graph_;
  std::unordered_map<const Task*, Vertex> vertices_;
  std::vector<const Task*> tasks_; ///< by vertex; null for a helper
  std::unordered_map<const Task*, Place> places_;
  std::unordered_map<const Team*, Crew> crews_;
  std::vector<const Task*> unfinished_;
  Vertex anyone_;
};

} // namespace fletcher::waiting
