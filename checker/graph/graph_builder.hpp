// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the task graph from events by the plain reading of docs/design/semantics.md: each construct adds the
// edges of its row and nothing else. Made to be obviously right, not fast: the clock engine is checked against it.
#pragma once

#include "checker/events.hpp"
#include "checker/graph/sibling_dependences.hpp"
#include "checker/graph/task_graph.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::graph {

struct GraphOptions {
  /// Also an edge from every release of a lock, critical or mutexinoutset task to the next acquisition: this run's
  /// order, which OpenMP does not guarantee.
  bool lock_order = false;
  /// What a thread did before a unit of work (constructs/teams/work.cpp) comes before whatever comes after the unit:
  /// this run's order. The unit itself is concurrent with it either way, unless the thread learned who it is.
  bool assignment = false;
};

/// Thread-safe: one event at a time. Linear in events, except for dependences between two large sets of siblings.
class GraphBuilder final : public Listener {
public:
  explicit GraphBuilder(GraphOptions options = {});
  ~GraphBuilder() override;

  /// Not to be used while events arrive.
  const TaskGraph& graph() const noexcept { return graph_; }
  /// The strand that `task` is in; none for a task that no event named.
  std::optional<Vertex> strand(TaskId task) const;
  /// The task that a thread runs.
  TaskId running(ThreadId thread) const;
  /// The task whose construct made `task`: its creator, or the encountering task of its team. none for initial tasks.
  TaskId parent(TaskId task) const;

  void on(const InitialTaskBegin&) override;
  void on(const InitialTaskEnd&) override;
  void on(const ParallelBegin&) override;
  void on(const ParallelEnd&) override;
  void on(const ImplicitTaskBegin&) override;
  void on(const ImplicitTaskEnd&) override;
  void on(const TaskCreate&) override;
  void on(const TaskDependences&) override;
  void on(const TaskSwitch&) override;
  void on(const TaskEnd&) override;
  void on(const TaskFulfill&) override;
  void on(const SyncBegin&) override;
  void on(const SyncEnd&) override;
  void on(const TaskwaitDepend&) override;
  void on(const MutexEvent&) override;
  void on(const Doacross&) override;
  void on(const Work&) override;
  void on(const Combination&) override;
  void on(const Dispatch&) override;
  void on(const Release&) override;
  void on(const Acquire&) override;

private:
  struct Task;
  struct Team;
  /// What was released on something that hands order from one strand to later ones. A node per batch of releases, so
  /// that an acquisition in between is not ordered after the releases that follow it.
  struct Channel {
    std::optional<Vertex> node;
    bool taken = false;
  };
  using LoopKey = std::pair<std::uint32_t, Address>; ///< a worksharing loop of a team, by its number, and a mutex

  Vertex add_node(NodeKind kind, const Task* task, const Team* team, Began began, Address pc);
  void add_edge(Vertex from, Vertex to, EdgeReason reason, Address address = 0);
  /// Ends the task's strand; the next one begins.
  Vertex advance(Task& task, Began began, Address pc = 0);
  Vertex advance_from(Task& task, Began began, Vertex from, EdgeReason reason, Address pc = 0, Address address = 0);
  Vertex barrier_node(Team& team, std::uint32_t ordinal);
  void publish(Channel& channel, Vertex from, EdgeReason reason, Address address);
  void take(const Channel& channel, Vertex to, EdgeReason reason, Address address);
  void release(Channel& channel, Task& task, Began began, EdgeReason reason, Address address, Address pc);
  void acquire(Channel& channel, Task& task, Began began, EdgeReason reason, Address address, Address pc);
  Channel& loop_channel(Task& task, Address address);
  void close_exclusion(Task& task);
  /// What everything that comes after `task`'s present point comes after.
  Vertex present(Task& task);
  /// The member comes after `from`, in whatever unit of work.
  void learn(Task& task, Vertex from, EdgeReason reason);
  void begin_unit(Task& task, Address pc);
  void end_unit(Task& task);
  /// What the member does now comes after the pieces of the static loop that it leaves.
  void end_pieces(Task& task);
  /// In an assignment that counts, the member may know what it did before its present unit.
  void know_thread(Task& task);

  Task& task(TaskId id);
  Task& current(ThreadId thread);
  Team& team(TeamId id);

  const GraphOptions options_;
  mutable std::mutex mutex_;
  TaskGraph graph_;
  std::deque<Task> tasks_;
  std::deque<Team> teams_;
  std::unordered_map<TaskId, Task*> task_by_id_;
  std::unordered_map<TeamId, Team*> team_by_id_;
  std::unordered_map<ThreadId, Task*> running_;
  std::map<Address, Channel> objects_;
  std::map<std::pair<MutexKind, Address>, Channel> locks_;
};

} // namespace fletcher::graph
