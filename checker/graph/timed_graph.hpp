// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run as its trace tells it: the task graph with the time of each strand, the tasks by creation, and how long which
// construct waited.
#pragma once

#include "checker/graph/graph_builder.hpp"
#include "checker/graph/trace.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fletcher::graph {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// A region, or a task. A team's implicit tasks have the region as their parent, a region the encountering task.
struct Activity {
  enum class Kind : std::uint8_t { serial, region, implicit, explicit_, target };
  Kind kind = Kind::serial;
  std::size_t parent = nowhere; ///< an earlier one
  TaskId task = TaskId::none;
  TeamId team = TeamId::none;   ///< of a region
  TeamId region = TeamId::none; ///< the outermost one around it
  Address pc = 0;               ///< of the construct; 0 where unknown
  std::uint32_t index = 0;      ///< of an implicit task in its team
  Nanoseconds begin = 0, end = 0;
  Nanoseconds time = 0; ///< that its strands took, without waiting
  bool taskloop = false;
};

/// A task at a construct that waits for others.
struct Wait {
  std::size_t activity = nowhere; ///< that waits
  EdgeReason reason = EdgeReason::taskwait;
  Address pc = 0;
  std::size_t created = 0;    ///< activities before it
  Nanoseconds time = 0;       ///< in which its thread ran no other task
  std::size_t count = 0;      ///< tasks that it waited for
  std::size_t last = nowhere; ///< the one of them that ended last
};

class TimedGraph {
public:
  explicit TimedGraph(std::span<const Record> trace);

  const TaskGraph& graph() const noexcept { return builder_.graph(); }
  /// By vertex: the time that the strand took, 0 of other nodes.
  const std::vector<Nanoseconds>& times() const noexcept { return times_; }
  const std::vector<Activity>& activities() const noexcept { return activities_; }
  const std::vector<Wait>& waits() const noexcept { return waits_; }
  /// That the vertex is a part of, or nowhere.
  std::size_t activity_of(Vertex vertex) const;
  /// Regions that no other one is around, in the order of their begins.
  std::vector<std::size_t> outermost_regions() const;

private:
  struct Waiting {
    std::size_t wait = nowhere; ///< of waits_
    bool now = false;
  };
  struct Thread {
    std::optional<Nanoseconds> last;
  };
  void take(const Record& record, std::span<const Record> items);
  void pass(const Record& record);
  void note(const Record& record);
  void begin_wait(TaskId task, EdgeReason reason, Address pc);
  void end_wait(TaskId task);
  void find_last();
  std::size_t add(Activity activity);
  std::size_t of_task(TaskId task);
  void grow() { times_.resize(boost::num_vertices(graph())), ends_.resize(boost::num_vertices(graph())); }

  GraphBuilder builder_{{false, true}};
  std::vector<Nanoseconds> times_, ends_; ///< by vertex
  std::vector<Activity> activities_;
  std::vector<Wait> waits_;
  std::vector<Vertex> after_; ///< of each wait: the strand that it led to; 0 where it did not end
  std::unordered_map<ThreadId, Thread> threads_;
  std::unordered_map<TaskId, Waiting> waiting_;
  std::unordered_map<TaskId, std::size_t> by_task_;
  std::unordered_map<TeamId, std::size_t> by_team_;
};

} // namespace fletcher::graph
