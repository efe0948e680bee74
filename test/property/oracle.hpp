// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program once, keeps its task graphs and accesses, and answers by search which pairs of accesses are races.
#pragma once

#include "simulate.hpp"

#include "checker/graph/graph_builder.hpp"
#include "checker/graph/reachability.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace fletcher::property {

struct RecordedAccess {
  const Construct* construct;
  ThreadId thread;
  TaskId task;
  graph::Vertex strand;        ///< in the graph of guaranteed order
  graph::Vertex strand_in_run; ///< in the graph with this run's order of locks and assignment of work
  std::set<HeldMutex> held;    ///< by its task
};

class Recording {
public:
  /// `also` hears the same events; `on_access` the same accesses, in their order among the events.
  Recording(const Program& program, const Schedule& schedule, std::span<Listener* const> also = {},
            const std::function<void(const SimulatedAccess&)>& on_access = {});
  ~Recording();

  bool ended() const { return ended_; }
  const std::vector<RecordedAccess>& accesses() const { return accesses_; }
  const graph::GraphBuilder& builder() const { return guaranteed_; }

  /// Guaranteed to happen before.
  bool before(const RecordedAccess& a, const RecordedAccess& b) const {
    return a.strand != b.strand && order_->reaches(a.strand, b.strand);
  }
  bool same_strand(const RecordedAccess& a, const RecordedAccess& b) const { return a.strand == b.strand; }
  /// In conflict, concurrent, and the tasks themselves hold no common lock.
  bool race_by_own_locks(const RecordedAccess& a, const RecordedAccess& b) const;
  /// A true race: in conflict, concurrent, and nothing excludes one while the other runs.
  bool race(const RecordedAccess& a, const RecordedAccess& b) const;
  /// A race that no accident of this run hides, within one outermost region: outside there is one thread, and what its
  /// tasks do is reported by the checker as it likes.
  bool race_in_run(const RecordedAccess& a, const RecordedAccess& b) const;

private:
  class Exclusions;
  /// What is held, and by which task: two accesses under one holder do not exclude each other.
  std::map<HeldMutex, TaskId> protection(const RecordedAccess& access) const;

  graph::GraphBuilder guaranteed_;
  graph::GraphBuilder in_run_{graph::GraphOptions{true, true}};
  std::unique_ptr<Exclusions> exclusions_;
  std::vector<RecordedAccess> accesses_;
  std::optional<graph::Reachability> order_, order_in_run_;
  bool ended_ = false;
};

} // namespace fletcher::property
