// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated runtime: threads with stacks of tasks, teams, barriers, task groups. Included by simulator*.cpp only.
#pragma once

#include "simulate.hpp"

#include <deque>
#include <map>
#include <optional>

namespace fletcher::property {

class Simulator {
public:
  Simulator(const Program& program, const Schedule& schedule, std::span<Listener* const> listeners,
            const std::function<void(const SimulatedAccess&)>& on_access);
  bool run();

private:
  struct Task;
  struct Team;
  struct Thread;
  enum class Step : std::uint8_t { done, progress, blocked };

  /// A construct that a task is in the middle of.
  struct Frame {
    const Construct* construct;
    bool member = false; ///< of a parallel construct: as a member of the team, not as the encountering task
    std::uint32_t stage = 0;
    std::size_t next = 0;
    Task* child = nullptr;
    Team* team = nullptr;
    std::size_t iteration = 0;
  };
  struct Group {
    std::uint32_t pending = 0;
    bool cancelled = false;
  };
  struct Sibling {
    const std::vector<Dependence>* list;
    Task* task;
  };
  struct Task {
    TaskId id = TaskId::none;
    const Construct* construct = nullptr;
    Task* parent = nullptr;
    Team* team = nullptr;
    std::vector<Frame> frames;
    std::uint32_t index = 0; ///< of an implicit task: in the team
    std::uint32_t barriers = 0;
    bool explicit_task = false, undeferred = false, untied = false, final = false;
    bool in_parts = false; ///< an untied one has been put aside
    bool started = false, body_ended = false, complete = false;
    bool detached = false, fulfilled = false;
    std::uint32_t children = 0;    ///< that are not complete
    std::vector<Group*> groups;    ///< open ones; the first may be the creator's
    std::vector<Sibling> siblings; ///< the children with depend clauses, in creation order
    std::vector<Task*> predecessors;
    std::vector<HeldMutex> held;
  };
  struct Team {
    TeamId id = TeamId::none;
    std::uint32_t size = 1;
    bool lone = false; ///< of one, in a region: by the limit on levels, so no other number of threads is asked about
    bool internal_barriers = false; ///< gcc's code: every barrier is of kind internal
    std::uint32_t unfinished = 0;   ///< explicit tasks that are not complete
    std::vector<Task*> waiting;     ///< deferred tasks that have not started
    std::vector<Task*> suspended;   ///< untied tasks between two threads
    std::vector<std::uint32_t> arrived;
    std::vector<bool> opened;
    std::map<std::pair<const Construct*, std::size_t>, bool> ordered_done, source_done;
    std::map<const Construct*, std::size_t> taken; ///< iterations of a dynamic loop, or the body of a single
  };
  struct Thread {
    ThreadId id = ThreadId::none;
    std::uint64_t preference = 0;
    bool announced = false;
    bool foreign = false; ///< outside OpenMP: only fulfils events
    std::vector<Task*> stack;
    Task* left = nullptr; ///< the untied task whose end another thread has reported before this one left it
    Team* summoned_by = nullptr;
    const Construct* summoned_to = nullptr;
    std::uint32_t index = 0;
    Task* unreported_end = nullptr; ///< an implicit task whose end the runtime reports later
    bool idle() const { return stack.empty() && summoned_by == nullptr && !foreign; }
  };

  template <class Event> void tell(const Event& event) {
    for (Listener* listener : listeners_) listener->on(event);
  }

  // simulator.cpp: threads and what they run
  Task& new_task(Task* parent, Team* team, const Construct* construct);
  Thread& new_thread();
  bool advance(Thread& thread);
  Step advance_frame(Thread& thread, Task& task);
  void report_late_end(Thread& thread);
  void begin_member(Thread& thread, Team& team, const Construct& construct, std::uint32_t index);
  bool run_other(Thread& thread);
  bool suspend(Thread& thread);
  bool may_start(const Task& task) const;
  void start(Thread& thread, Task& task);
  void end_body(Thread& thread, Task& task);
  Thread* teller_of_end(const Thread& thread, const Task& task);
  void discard(Thread& thread, Task& task);
  void complete(Task& task);
  void fulfill(ThreadId thread, Task& task);
  bool foreign_fulfill();
  void free_exclusions(Task& task);

  // simulator_constructs.cpp: one function a construct
  Step run_body(Task& task, Frame& frame);
  Step run_access(Thread& thread, Task& task, const Construct& construct);
  Step run_locked(Thread& thread, Task& task, Frame& frame);
  Step run_task(Thread& thread, Task& task, Frame& frame);
  Task& create_task(Thread& thread, Task& creator, const Construct& construct, bool undeferred, bool with_list);
  Step run_taskwait(Thread& thread, Task& task, Frame& frame);
  Step run_taskwait_depend(Thread& thread, Task& task, Frame& frame);
  Step run_taskgroup(Thread& thread, Task& task, Frame& frame);
  Step run_cancel(Thread& thread, Task& task, const Construct& construct);
  Step run_fulfill(Thread& thread, const Construct& construct);
  bool satisfied(const Task& creator, const std::vector<Dependence>& list) const;

  // simulator_teams.cpp: parallel regions and what their members do together
  Step run_parallel(Thread& thread, Task& task, Frame& frame);
  Step run_member(Thread& thread, Task& task, Frame& frame);
  Step run_loop(Thread& thread, Task& task, Frame& frame);
  Step run_single(Thread& thread, Task& task, Frame& frame);
  Step run_ordered(Thread& thread, Task& task, Frame& frame);
  Step run_doacross(Thread& thread, Task& task, Frame& frame);
  void arrive(Thread& thread, Task& task, SyncKind kind, Address pc);
  bool opened(Task& task);
  /// The iteration that the task is in, and its loop.
  static const Frame* loop_frame(const Task& task);

  const Program& program_;
  const Schedule schedule_;
  const std::span<Listener* const> listeners_;
  const std::function<void(const SimulatedAccess&)>& on_access_;
  Random random_;
  std::deque<Task> tasks_;
  std::deque<Team> teams_;
  std::deque<Group> groups_;
  std::deque<Thread> threads_;
  std::map<HeldMutex, const Task*> owners_;
  std::map<std::uint32_t, Task*> events_;
  std::uint32_t next_task_ = 1, next_team_ = 1;
  Thread* foreign_ = nullptr;
};

} // namespace fletcher::property
