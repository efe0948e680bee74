// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short names for the events of hand-written cases: a script tells a graph builder what happens on one thread after
// another, and asks it about the order of the strands it passed.
#pragma once

#include "checker/graph/graph_builder.hpp"
#include "checker/graph/reachability.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace fletcher::property {

using enum DependenceType;

class Script {
public:
  explicit Script(graph::GraphOptions options = {}) : builder(options) {
    builder.on(InitialTaskBegin{ThreadId{1}, TaskId{1}, TaskKind::initial});
  }

  /// Where a task is now.
  graph::Vertex here(std::uint32_t task) const { return builder.strand(TaskId{task}).value(); }
  bool before(graph::Vertex a, graph::Vertex b) const { return a != b && graph::reaches(builder.graph(), a, b); }
  bool concurrent(graph::Vertex a, graph::Vertex b) const { return a != b && !before(a, b) && !before(b, a); }

  /// Task 1 on thread 1 forks `team`; its members are tasks 10·team, 10·team+1, … on threads 1, 2, …
  void fork(std::uint32_t team, std::uint32_t size, std::uint32_t encountering = 1, std::uint32_t thread = 1) {
    builder.on(ParallelBegin{ThreadId{thread}, TaskId{encountering}, TeamId{team}, size, false, 0});
    for (std::uint32_t i = 0; i < size; ++i)
      builder.on(
          ImplicitTaskBegin{ThreadId{i == 0 ? thread : 10 * team + i}, TeamId{team}, TaskId{10 * team + i}, i, size});
  }
  void barrier_in(std::uint32_t member, SyncKind kind = SyncKind::barrier_explicit) {
    builder.on(SyncBegin{thread_of(member), TaskId{member}, TeamId{member / 10}, kind, 0});
  }
  void barrier_out(std::uint32_t member, SyncKind kind = SyncKind::barrier_explicit) {
    builder.on(SyncEnd{thread_of(member), TaskId{member}, TeamId{member / 10}, kind, 0});
  }
  void barrier(std::initializer_list<std::uint32_t> members) {
    for (const auto member : members) barrier_in(member);
    for (const auto member : members) barrier_out(member);
  }
  void member_end(std::uint32_t member) {
    builder.on(ImplicitTaskEnd{thread_of(member), TeamId{member / 10}, TaskId{member}});
  }
  void join(std::uint32_t team, std::uint32_t encountering = 1, std::uint32_t thread = 1) {
    builder.on(ParallelEnd{ThreadId{thread}, TaskId{encountering}, TeamId{team}, 0});
  }

  void create(std::uint32_t creator, std::uint32_t task, std::vector<Dependence> list = {}, bool undeferred = false) {
    TaskTraits traits;
    traits.undeferred = undeferred;
    builder.on(TaskCreate{thread_of(creator), TaskId{creator}, TaskId{task}, TaskKind::explicit_, traits, 0});
    if (!list.empty()) builder.on(TaskDependences{thread_of(creator), TaskId{task}, list});
  }
  void start(std::uint32_t task, std::uint32_t on_top_of) {
    builder.on(TaskSwitch{thread_of(on_top_of), TaskId{on_top_of}, TaskId{task}});
  }
  void end(std::uint32_t task, std::uint32_t next, bool detached = false, bool cancelled = false) {
    builder.on(TaskEnd{thread_of(next), TaskId{task}, TaskId{next}, detached, cancelled});
  }
  /// Runs a task from start to end; gives its strand.
  graph::Vertex run(std::uint32_t task, std::uint32_t on_top_of) {
    start(task, on_top_of);
    const graph::Vertex strand = here(task);
    end(task, on_top_of);
    return strand;
  }
  graph::Vertex create_and_run(std::uint32_t creator, std::uint32_t task, std::vector<Dependence> list = {}) {
    create(creator, task, std::move(list));
    return run(task, creator);
  }
  void sync_in(std::uint32_t task, SyncKind kind) {
    builder.on(SyncBegin{thread_of(task), TaskId{task}, TeamId::none, kind, 0});
  }
  void sync_out(std::uint32_t task, SyncKind kind) {
    builder.on(SyncEnd{thread_of(task), TaskId{task}, TeamId::none, kind, 0});
  }
  void taskwait(std::uint32_t task) {
    sync_in(task, SyncKind::taskwait);
    sync_out(task, SyncKind::taskwait);
  }
  void taskwait_depend(std::uint32_t task, std::vector<Dependence> list) {
    builder.on(TaskwaitDepend{thread_of(task), TaskId{task}, list, true, 0});
    builder.on(TaskwaitDepend{thread_of(task), TaskId{task}, list, false, 0});
  }
  void mutex(std::uint32_t task, MutexKind kind, MutexStep step, Address address = 0x100) {
    builder.on(MutexEvent{thread_of(task), TaskId{task}, {kind, address}, step, 0, 0});
  }
  void loop(std::uint32_t member) {
    builder.on(Work{thread_of(member), TaskId{member}, TeamId{member / 10}, WorkKind::loop_static, true, 0, 0});
  }
  void doacross(std::uint32_t member, bool source, std::uint64_t iteration) {
    const std::uint64_t vector[] = {iteration};
    builder.on(Doacross{thread_of(member), TaskId{member}, TeamId{member / 10}, source, vector});
  }

  graph::GraphBuilder builder;

private:
  /// Members below task 100 run on threads of their own, all else on thread 1.
  static ThreadId thread_of(std::uint32_t task) {
    return ThreadId{task < 10 || task >= 100 || task % 10 == 0 ? 1 : task};
  }
};

} // namespace fletcher::property
