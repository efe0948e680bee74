// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of a race, by the letter.
#include "oracle.hpp"

#include <algorithm>
#include <iterator>

namespace fletcher::property {

/// The spans in which a task excludes others: a mutexinoutset task, from its first strand to its completion, its
/// siblings of the same set; whoever holds a lock, from its acquisition to its release, whoever else acquires it.
/// Whatever the holder creates and waits for within the span is inside, too.
class Recording::Exclusions final : public Listener {
public:
  explicit Exclusions(const graph::GraphBuilder& builder) : builder_(builder) {}

  void on(const TaskDependences& event) override {
    for (const Dependence& item : event.list) {
      if (item.type != DependenceType::mutexinoutset) continue;
      const TaskId parent = builder_.parent(event.task);
      spans_[{MutexKind::ordered, (Address{number(parent)} << 32) + item.address}].push_back(
          {event.task, first(graph::NodeKind::strand, event.task), first(graph::NodeKind::task_end, event.task), true});
    }
  }
  void on(const MutexEvent& event) override {
    if (event.mutex.kind == MutexKind::ordered) return;
    std::vector<Span>& spans = spans_[{event.mutex.kind, event.mutex.address}];
    const graph::Vertex here = builder_.strand(event.task).value();
    if (event.step == MutexStep::acquired) spans.push_back({event.task, here, here, false});
    if (event.step == MutexStep::released) spans.back().to = here;
  }

  void add(std::map<HeldMutex, TaskId>& protection, graph::Vertex strand, const graph::Reachability& order) const {
    for (const auto& [name, spans] : spans_) {
      const auto around = std::find_if(spans.begin(), spans.end(), [&](const Span& span) {
        if (!span.whole_strands && (strand == span.from || strand == span.to)) return false;
        return order.reaches(span.from, strand) && order.reaches(strand, span.to);
      });
      if (around != spans.end()) protection[name] = around->holder;
    }
  }

private:
  struct Span {
    TaskId holder;
    graph::Vertex from, to;
    bool whole_strands; ///< the first and last strands are inside, too; otherwise the access itself tells
  };
  graph::Vertex first(graph::NodeKind kind, TaskId task) const {
    const graph::TaskGraph& graph = builder_.graph();
    const auto range = boost::make_iterator_range(boost::vertices(graph));
    return *std::find_if(range.begin(), range.end(), [&](graph::Vertex v) {
      return graph[v].kind == kind && graph[v].task == task && graph[v].ordinal == 0;
    });
  }
  const graph::GraphBuilder& builder_;
  std::map<HeldMutex, std::vector<Span>> spans_;
};

Recording::Recording(const Program& program, const Schedule& schedule, std::span<Listener* const> also,
                     const std::function<void(const SimulatedAccess&)>& on_access)
    : exclusions_(std::make_unique<Exclusions>(guaranteed_)) {
  std::vector<Listener*> listeners{&guaranteed_, &in_run_, exclusions_.get()};
  listeners.insert(listeners.end(), also.begin(), also.end());
  ended_ = simulate(program, schedule, listeners, [&](const SimulatedAccess& access) {
    RecordedAccess recorded{access.construct,
                            access.thread,
                            access.task,
                            *guaranteed_.strand(access.task),
                            *in_run_.strand(access.task),
                            {access.held.begin(), access.held.end()}};
    accesses_.push_back(std::move(recorded));
    if (on_access) on_access(access);
  });
  order_.emplace(guaranteed_.graph());
  order_in_run_.emplace(in_run_.graph());
}

Recording::~Recording() = default;

std::map<HeldMutex, TaskId> Recording::protection(const RecordedAccess& access) const {
  std::map<HeldMutex, TaskId> all;
  for (const HeldMutex& name : access.held) all[name] = access.task;
  exclusions_->add(all, access.strand, *order_);
  return all;
}

bool Recording::race_by_own_locks(const RecordedAccess& a, const RecordedAccess& b) const {
  if (a.construct->variable != b.construct->variable) return false;
  if (!access::conflict(a.construct->access, b.construct->access)) return false;
  if (a.strand == b.strand || !order_->concurrent(a.strand, b.strand)) return false;
  return std::none_of(a.held.begin(), a.held.end(), [&](const HeldMutex& m) { return b.held.contains(m); });
}

bool Recording::race(const RecordedAccess& a, const RecordedAccess& b) const {
  if (!race_by_own_locks(a, b)) return false;
  const std::map<HeldMutex, TaskId> left = protection(a), right = protection(b);
  return std::none_of(left.begin(), left.end(), [&](const auto& held) {
    const auto other = right.find(held.first);
    return other != right.end() && other->second != held.second;
  });
}

bool Recording::race_in_run(const RecordedAccess& a, const RecordedAccess& b) const {
  const TeamId region = guaranteed_.graph()[a.strand].region;
  if (region == TeamId::none || guaranteed_.graph()[b.strand].region != region) return false;
  return race(a, b) && order_in_run_->concurrent(a.strand_in_run, b.strand_in_run);
}

} // namespace fletcher::property
