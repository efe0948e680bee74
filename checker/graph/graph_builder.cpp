// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bookkeeping under the graph builder: tasks, teams, strands, channels; and the events of teams and threads. The
// constructs that order tasks are in graph_builder_tasks.cpp and graph_builder_order.cpp.
#include "checker/graph/graph_builder_state.hpp"

namespace fletcher::graph {

GraphBuilder::GraphBuilder(GraphOptions options) : options_(options) {}
GraphBuilder::~GraphBuilder() = default;

Vertex GraphBuilder::add_node(NodeKind kind, const Task* task, const Team* team, Began began, Address pc) {
  Node node;
  node.kind = kind;
  node.task = task != nullptr ? task->id : TaskId::none;
  node.team = team != nullptr ? team->id : TeamId::none;
  node.region = team != nullptr ? team->region : TeamId::none;
  node.began = began;
  node.pc = pc;
  return boost::add_vertex(node, graph_);
}

void GraphBuilder::add_edge(Vertex from, Vertex to, EdgeReason reason, Address address) {
  boost::add_edge(from, to, Edge{reason, address}, graph_);
}

Vertex GraphBuilder::advance(Task& task, Began began, Address pc) {
  const Vertex next = add_node(NodeKind::strand, &task, task.team, began, pc);
  graph_[next].ordinal = ++task.ordinal;
  add_edge(task.strand, next, EdgeReason::program_order);
  task.strand = next;
  return next;
}

Vertex GraphBuilder::advance_from(Task& task, Began began, Vertex from, EdgeReason reason, Address pc,
                                  Address address) {
  const Vertex next = advance(task, began, pc);
  add_edge(from, next, reason, address);
  learn(task, from, reason);
  return next;
}

Vertex GraphBuilder::barrier_node(Team& team, std::uint32_t ordinal) {
  while (team.barriers.size() <= ordinal) {
    const Vertex node = add_node(NodeKind::barrier, nullptr, &team, Began::barrier, 0);
    graph_[node].ordinal = static_cast<std::uint32_t>(team.barriers.size());
    team.barriers.push_back(node);
  }
  return team.barriers[ordinal];
}

void GraphBuilder::publish(Channel& channel, Vertex from, EdgeReason reason, Address address) {
  if (!channel.node || channel.taken) {
    const Vertex node = add_node(NodeKind::object, nullptr, nullptr, Began::release, 0);
    if (channel.node) add_edge(*channel.node, node, reason, address);
    channel = {node, false};
  }
  add_edge(from, *channel.node, reason, address);
}

void GraphBuilder::take(const Channel& channel, Vertex to, EdgeReason reason, Address address) {
  if (channel.node) add_edge(*channel.node, to, reason, address);
}

void GraphBuilder::release(Channel& channel, Task& task, Began began, EdgeReason reason, Address address, Address pc) {
  publish(channel, present(task), reason, address);
  advance(task, began, pc);
}

void GraphBuilder::acquire(Channel& channel, Task& task, Began began, EdgeReason reason, Address address, Address pc) {
  take(channel, advance(task, began, pc), reason, address);
  if (channel.node) learn(task, *channel.node, reason);
  channel.taken = true;
}

GraphBuilder::Task& GraphBuilder::task(TaskId id) {
  if (const auto found = task_by_id_.find(id); found != task_by_id_.end()) return *found->second;
  // A task that began before the builder listened, or a thread's code outside OpenMP: ordered with nothing yet.
  Team& own = teams_.emplace_back();
  Task& task = tasks_.emplace_back();
  task.id = id;
  task.team = &own;
  task.strand = add_node(NodeKind::strand, &task, &own, Began::task_begin, 0);
  task.base = task.learned = task.strand;
  if (id != TaskId::none) task_by_id_.emplace(id, &task);
  return task;
}

GraphBuilder::Task& GraphBuilder::current(ThreadId thread) {
  Task*& running = running_[thread];
  if (running == nullptr) running = &task(TaskId::none);
  return *running;
}

GraphBuilder::Team& GraphBuilder::team(TeamId id) {
  Team*& team = team_by_id_[id];
  if (team == nullptr) {
    team = &teams_.emplace_back();
    team->id = team->region = id;
    team->fork = add_node(NodeKind::fork, nullptr, team, Began::task_begin, 0);
    team->join = add_node(NodeKind::join, nullptr, team, Began::parallel_end, 0);
  }
  return *team;
}

std::optional<Vertex> GraphBuilder::strand(TaskId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = task_by_id_.find(id);
  return found == task_by_id_.end() ? std::nullopt : std::optional(found->second->strand);
}

TaskId GraphBuilder::running(ThreadId thread) const {
  const std::lock_guard lock(mutex_);
  const auto found = running_.find(thread);
  return found == running_.end() || found->second == nullptr ? TaskId::none : found->second->id;
}

TaskId GraphBuilder::parent(TaskId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = task_by_id_.find(id);
  return found == task_by_id_.end() || found->second->parent == nullptr ? TaskId::none : found->second->parent->id;
}

void GraphBuilder::on(const InitialTaskBegin& event) {
  const std::lock_guard lock(mutex_);
  running_[event.thread] = &task(event.task);
}

void GraphBuilder::on(const InitialTaskEnd& event) {
  const std::lock_guard lock(mutex_);
  running_[event.thread] = nullptr;
}

void GraphBuilder::on(const ParallelBegin& event) {
  const std::lock_guard lock(mutex_);
  Task& encountering = task(event.encountering);
  Team& forked = team(event.team);
  if (encountering.team->region != TeamId::none) forked.region = encountering.team->region;
  forked.encountering = &encountering;
  graph_[forked.fork].region = graph_[forked.join].region = forked.region;
  graph_[forked.fork].pc = event.pc;
  add_edge(present(encountering), forked.fork, EdgeReason::fork);
}

void GraphBuilder::on(const ImplicitTaskBegin& event) {
  const std::lock_guard lock(mutex_);
  Team& joined = team(event.team);
  Task& member = tasks_.emplace_back();
  member.id = event.task;
  member.parent = joined.encountering;
  member.team = &joined;
  member.interrupted = running_[event.thread];
  member.strand = add_node(NodeKind::strand, &member, &joined, Began::task_begin, graph_[joined.fork].pc);
  add_edge(joined.fork, member.strand, EdgeReason::fork);
  member.base = member.learned = joined.fork;
  joined.size = event.size;
  task_by_id_[event.task] = &member;
  running_[event.thread] = &member;
}

void GraphBuilder::on(const ImplicitTaskEnd& event) {
  const std::lock_guard lock(mutex_);
  Task& member = task(event.task);
  if (!member.closed) add_edge(member.strand, member.team->join, EdgeReason::join);
  member.closed = true;
  if (running_[event.thread] == &member) running_[event.thread] = member.interrupted;
}

void GraphBuilder::on(const ParallelEnd& event) {
  const std::lock_guard lock(mutex_);
  Task& encountering = task(event.encountering);
  advance_from(encountering, Began::parallel_end, team(event.team).join, EdgeReason::join, event.pc);
  running_[event.thread] = &encountering;
}

} // namespace fletcher::graph
