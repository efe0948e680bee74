// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of a race, by the letter.
#include "oracle.hpp"

#include <algorithm>
#include <iterator>

namespace fletcher::property {

/// The spans in which a mutexinoutset task excludes its siblings of the same set: from its first strand to its
/// completion, and so with everything that it waits for.
class Recording::Exclusions final : public Listener {
public:
  explicit Exclusions(const graph::GraphBuilder& builder) : builder_(builder) {}

  void on(const TaskDependences& event) override {
    for (const Dependence& item : event.list) {
      if (item.type != DependenceType::mutexinoutset) continue;
      const TaskId parent = builder_.parent(event.task);
      spans_[{MutexKind::ordered, (Address{number(parent)} << 32) + item.address}].push_back(event.task);
    }
  }

  void add(std::map<HeldMutex, TaskId>& protection, graph::Vertex strand, const graph::Reachability& order) const {
    const graph::TaskGraph& graph = builder_.graph();
    for (const auto& [name, tasks] : spans_) {
      const auto holder = std::find_if(tasks.begin(), tasks.end(), [&](TaskId task) {
        return order.reaches(vertex(graph, graph::NodeKind::strand, task), strand) &&
               order.reaches(strand, vertex(graph, graph::NodeKind::task_end, task));
      });
      if (holder != tasks.end()) protection[name] = *holder;
    }
  }

private:
  static graph::Vertex vertex(const graph::TaskGraph& graph, graph::NodeKind kind, TaskId task) {
    const auto range = boost::make_iterator_range(boost::vertices(graph));
    return *std::find_if(range.begin(), range.end(), [&](graph::Vertex v) {
      return graph[v].kind == kind && graph[v].task == task && graph[v].ordinal == 0;
    });
  }
  const graph::GraphBuilder& builder_;
  std::map<HeldMutex, std::vector<TaskId>> spans_;
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

bool Recording::race(const RecordedAccess& a, const RecordedAccess& b) const {
  if (a.construct->variable != b.construct->variable) return false;
  if (!access::conflict(a.construct->access, b.construct->access)) return false;
  if (a.strand == b.strand || !order_->concurrent(a.strand, b.strand)) return false;
  const std::map<HeldMutex, TaskId> left = protection(a), right = protection(b);
  return std::none_of(left.begin(), left.end(), [&](const auto& held) {
    const auto other = right.find(held.first);
    return other != right.end() && other->second != held.second;
  });
}

bool Recording::race_in_run(const RecordedAccess& a, const RecordedAccess& b) const {
  return race(a, b) && order_in_run_->concurrent(a.strand_in_run, b.strand_in_run);
}

} // namespace fletcher::property
