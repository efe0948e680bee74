// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/annotator.hpp"

#include "lib/annotate/old_accesses.hpp"
#include "lib/annotate/points.hpp"
#include "lib/annotate/records.hpp"
#include "lib/annotate/reports/later_writes.hpp"
#include "lib/annotate/tasks/asides.hpp"
#include "lib/annotate/tasks/fiber_tasks.hpp"
#include "lib/annotate/tasks/running.hpp"
#include "lib/annotate/tasks/task_dependences.hpp"
#include "lib/annotate/tasks/task_ends.hpp"
#include "lib/annotate/tasks/task_names.hpp"
#include "lib/annotate/tasks/untied_parts.hpp"
#include "lib/annotate/threads/handlers.hpp"
#include "lib/annotate/threads/own_stack.hpp"
#include "lib/annotate/threads/thread_ends.hpp"
#include "lib/annotate/threads/thread_locals.hpp"
#include "lib/annotate/unseen_calls.hpp"
#include "lib/interpose/binding/late_binding.hpp"
#include "lib/tool/process/kernel_threads.hpp"
#include "lib/tool/session.hpp"

#include <unistd.h>

#include <bit>
#include <memory>
#include <span>
#include <utility>

namespace fletcher::annotate {

namespace {

bool is_barrier(SyncKind kind) noexcept {
  return kind == SyncKind::barrier_explicit || kind == SyncKind::barrier_workshare ||
         kind == SyncKind::barrier_parallel || kind == SyncKind::barrier_teams || kind == SyncKind::barrier_internal;
}

/// How often this thread's accesses are ignored.
[[gnu::tls_model("initial-exec")]] constinit thread_local unsigned ignored = 0;
/// Released by tasks that know that they are on this thread.
[[gnu::tls_model("initial-exec")]] constinit thread_local Point of_thread{};
/// The OpenMP runtime made this thread, and the program has no name for it.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool is_worker = false;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool is_main = false;

class Annotator final : public Listener {
public:
  explicit Annotator(const ThreadSanitizer& sanitizer) : sanitizer_(sanitizer), asides_(sanitizer_) {
    changes_functions.store(true, std::memory_order_relaxed);
    if (interpose::is_behind_program()) call_unseen(sanitizer_);
    // What calls say of a task is seen where the library is in front of the program, by `fletcher run`.
    if (!can_change_stacks || !sanitizer.has_fibers() || interpose::is_behind_program()) return;
    fibers_ = new Fibers(sanitizer_);
    if (!thread_locals_.exist() && !handles_signals()) judges_tasks.store(true, std::memory_order_relaxed);
  }

  void ask_thread_number() {
    Task* const task = executed(tool::where().task);
    if (!task || std::exchange(task->has_number, true)) return;
    sanitizer_.acquire(of_thread);
  }

  void destroy_unused_fibers() {
    asides_.destroy_unused();
    if (fibers_ != nullptr) fibers_->destroy_unused();
  }

  void on(const ThreadBegin& e) override {
    is_worker = e.openmp_worker;
    is_main = gettid() == getpid();
    if (is_worker) forget_unused_stack(sanitizer_);
    if (!is_worker && !is_main) had_programs_threads_.store(true, std::memory_order_relaxed);
  }
  void on(const ThreadEnd&) override {
    if (is_worker) ignore_rest_of_thread(sanitizer_);
    asides_.end_thread();
  }
  void on(const InitialTaskBegin& e) override {
    const auto task = std::make_shared<Task>();
    task->group = std::make_shared<Taskgroup>();
    tasks_.add(e.task, task);
  }
  void on(const InitialTaskEnd& e) override { remove(e.task); }

  void on(const ParallelBegin& e) override {
    if (judges_tasks.load(std::memory_order_relaxed) && has_what_no_task_owns())
      judges_tasks.store(false, std::memory_order_relaxed);
    const auto task = tasks_.find(e.encountering);
    if (task && !task->team && is_main) begin_outermost_region();
    const auto team = std::make_shared<Team>();
    team->construct = e.pc;
    team->is_league = e.league;
    team->contention_group = task ? task->contention_group : 0;
    sanitizer_.release(team->begun);
    teams_.add(e.team, team);
  }
  void on(const ImplicitTaskBegin& e) override {
    const auto task = std::make_shared<Task>();
    task->team = teams_.find(e.team);
    if (task->team) {
      sanitizer_.acquire(task->team->begun);
      task->contention_group = task->team->is_league ? e.index + 1 : task->team->contention_group;
    }
    task->id = e.task;
    task->member.index = e.index;
    task->member.size = e.size;
    if (is_worker) name_thread(*task);
    tasks_.add(e.task, task);
  }
  void on(const ImplicitTaskEnd& e) override {
    const auto task = tasks_.find(e.task);
    if (task && task->team) sanitizer_.release(task->team->ended);
    remove(e.task);
  }
  void on(const ParallelEnd& e) override {
    const auto team = teams_.find(e.team);
    if (!team) return;
    sanitizer_.acquire(team->ended);
    sanitizer_.acquire(team->tasks);
    teams_.remove(e.team);
    if (!is_worker) return;
    if (const auto task = tasks_.find(e.encountering); task && !task->creator) name_thread(*task);
  }

  void on(const TaskCreate& e) override {
    const auto task = std::make_shared<Task>();
    task->id = e.task;
    task->construct = e.pc;
    if (Task* const creator = executed(e.creator)) {
      task->creator = creator->shared_from_this();
      task->team = task->creator->team;
      task->contention_group = task->creator->contention_group;
      if (!std::exchange(task->creator->has_created, true))
        forget_frames(sanitizer_, asides_, *task->creator, e.frames_end);
      task->created_on_main = is_main && !task->creator->creator;
      task->waited_for_by = task->group = task->creator->group;
      // Outside of every region one thread executes all.
      task->may_move = task->team && e.kind == TaskKind::explicit_ && !e.traits.undeferred && !e.traits.untied;
      task->untied = e.traits.untied;
      task->has_parts = task->untied && e.kind == TaskKind::explicit_ && !e.traits.undeferred;
    }
    if (!task->team) tasks_outside_.fetch_add(1, std::memory_order_relaxed);
    sanitizer_.release(task->so_far);
    tasks_.add(e.task, task);
  }
  void on(const TaskDependences& e) override {
    const auto task = tasks_.find(e.task);
    if (task && task->creator) task->dependences = places_of(*task->creator, e.list);
  }
  void on(const TaskSwitch& e) override {
    const Address function = std::exchange(next_function, 0);
    // Another thread may have completed an untied one before this one tells that it has left it.
    if (running.id == e.prior)
      leave(*running.task);
    else if (const auto prior = tasks_.find(e.prior))
      leave(*prior);
    if (Task* const next = executed(e.next)) {
      if (!next->started && next->may_move && function != 0 && ignored == 0 &&
          judges_tasks.load(std::memory_order_relaxed))
        begin_fiber(sanitizer_, *fibers_, *next, function);
      if (next->has_parts && function != 0) begin_part(sanitizer_, *next, function);
      enter(*next);
    }
  }
  void on(const TaskEnd& e) override {
    look_for_later_writes(sanitizer_, e.task, is_main);
    if (const auto task = tasks_.find(e.task)) {
      if (task->has_number) sanitizer_.release(of_thread);
      if (task->parts_seen) sanitizer_.acquire(task->so_far);
      come_to_end(sanitizer_, *task);
      if (e.block_size != 0) asides_.by_short_stack(*task, [&] { sanitizer_.new_memory(e.block, e.block_size); });
      if (task->fiber != nullptr) end_fiber(sanitizer_, *fibers_, *task);
      if (!e.detached || is_second(*task)) forget(e.task, *task);
    }
    if (Task* const next = executed(e.next)) enter(*next);
  }
  void on(const TaskFulfill& e) override {
    const auto task = tasks_.find(e.task);
    if (!task) return;
    come_to_end(sanitizer_, *task);
    if (is_second(*task)) forget(e.task, *task);
  }

  void on(const SyncBegin& e) override {
    look_for_later_writes(sanitizer_, e.task, is_main);
    Task* const task = executed(e.task);
    if (!task) return;
    if (e.kind == SyncKind::taskgroup) {
      const auto group = std::make_shared<Taskgroup>();
      group->outer = task->group;
      task->group = group;
    }
    if (!task->team) return;
    if (e.kind == SyncKind::gathering) sanitizer_.release(task->team->gathering);
    if (!is_barrier(e.kind)) return;
    sanitizer_.release(task->team->barriers[task->barriers % 2]);
    if (e.kind == SyncKind::barrier_parallel || e.kind == SyncKind::barrier_teams)
      sanitizer_.release(task->team->ended);
  }
  void on(const SyncEnd& e) override {
    Task* const task = executed(e.task);
    if (!task) return;
    if (e.kind == SyncKind::taskwait) sanitizer_.acquire(task->children);
    if (e.kind == SyncKind::taskgroup && task->group) {
      sanitizer_.acquire(task->group->ends);
      task->group = std::shared_ptr(task->group->outer);
    }
    if (!is_barrier(e.kind)) return;
    if (!task->team) { // the initial task waits for all that it has created, and they
      if (task->group) sanitizer_.acquire(task->group->ends);
      return;
    }
    Team& team = *task->team;
    sanitizer_.acquire(team.barriers[task->barriers % 2]);
    if (team.cancelled) sanitizer_.acquire(team.barriers[(task->barriers + 1) % 2]);
    sanitizer_.acquire(team.tasks);
    ++task->barriers;
  }
  void on(const TaskwaitDepend& e) override {
    Task* const task = executed(e.task);
    if (!task) return;
    const std::vector<Dependent> places = places_of(*task, e.list); // none at the end, where they were known before
    task->awaited.insert(task->awaited.end(), places.begin(), places.end());
    if (e.begin) return;
    for (const Dependent& one : task->awaited) come_after(sanitizer_, one, *task);
    task->awaited.clear();
    sanitizer_.acquire(task->all_memory);
  }
  void on(const Work& e) override {
    if (!e.begin) look_for_later_writes(sanitizer_, e.task, is_main);
    if (Task* const task = executed(e.task)) turns_.on(e, task->member);
  }
  void on(const Dispatch& e) override {
    if (e.kind != DispatchKind::loop_chunk || !turns_.count_chunks()) return;
    if (Task* const task = executed(e.task)) turns_.take_chunk(task->member);
  }
  void on(const Cancel& e) override {
    Task* const task = executed(e.task);
    if (task && task->team) task->team->cancelled = true;
  }

  void on(const MutexEvent& e) override {
    using enum MutexStep;
    const bool is_end = e.step == destroy || e.step == destroy_nest;
    if (e.step != acquired && e.step != releasing && e.step != released && !is_end) return;
    Task* const task = executed(e.task);
    const bool is_ordered = e.mutex.kind == MutexKind::ordered && task && task->team;
    // ThreadSanitizer sees most of these itself, but not C11's, nor all of POSIX's. Readers have one together.
    if (e.mutex.kind == MutexKind::posix)
      return e.step == acquired ? acquire(e.mutex.address) : e.step == released ? release(e.mutex.address) : void();
    // Locks and critical constructs exclude the tasks of one contention group, atomic constructs all.
    const unsigned among = task && e.mutex.kind != MutexKind::atomic ? task->contention_group : 0;
    Lock& lock = is_ordered ? task->team->ordered : points_.lock_of(e.mutex, among);
    if (e.step == acquired) lock.acquired(sanitizer_, e.task);
    if (e.step == releasing || (e.step == released && !e.announced)) lock.released(sanitizer_, e.task);
    if (is_end) lock.destroyed();
  }
  void on(const Doacross& e) override {
    Task* const task = executed(e.task);
    if (!task || !task->team) return;
    e.source ? sanitizer_.release(task->team->doacross) : sanitizer_.acquire(task->team->doacross);
  }
  void on(const Flush&) override {
    sanitizer_.acquire(flushed_);
    sanitizer_.release(flushed_);
  }

  void on(const Release& e) override { release(e.object); }
  void on(const Acquire& e) override { acquire(e.object); }

  void on(const Reduction& e) override {
    if (e.begin)
      ignore();
    else
      notice();
  }
  void on(const Combination& e) override {
    Task* const task = executed(e.task);
    if (e.begin && task && task->team) sanitizer_.acquire(task->team->gathering);
  }
  void on(const MemoryBegin& e) override { renew(e); }
  void on(const MemoryEnd& e) override { renew(e); }

private:
  Task* executed(TaskId id) {
    if (running.id == id) return running.task;
    const auto found = tasks_.find(id);
    if (found && (!found->has_parts || found->parts_seen)) running = {id, found.get()};
    return found.get();
  }
  void remove(TaskId id) {
    if (running.id == id) running = {};
    tasks_.remove(id);
  }

  /// Whatever comes is after all that was, unless the program has threads of its own. ThreadSanitizer keeps four
  /// accesses of eight bytes, and lets one of them go for a fifth: what was before must not take the place of two that
  /// race. It costs a page fault for each page of shadow memory.
  void begin_outermost_region() {
    constexpr unsigned always = 4;
    const unsigned region = outermost_regions_++;
    if (region >= always && !std::has_single_bit(region)) return;
    if (!had_programs_threads_.load(std::memory_order_relaxed) && tasks_outside_.load(std::memory_order_relaxed) == 0)
      sanitizer_.forget_accesses();
  }

  /// Since the last region, too. Asking for handlers takes some microseconds; a program has them set early.
  bool has_what_no_task_owns() {
    constexpr unsigned always = 64, then_every = 16;
    const unsigned region = regions_.fetch_add(1, std::memory_order_relaxed);
    return thread_locals_.exist() || ((region < always || region % then_every == 0) && handles_signals());
  }

  void name_thread(const Task& task) {
    if (!sanitizer_.has_fibers()) return;
    const Address construct = task.team ? task.team->construct : 0;
    const NamedTask named{
        .kind = TaskKind::implicit, .id = task.id, .thread_number = task.member.index, .creation = construct};
    sanitizer_.set_name(sanitizer_.current_fiber(), name_of(named).data());
  }

  void leave(Task& task) {
    if (task.has_number) sanitizer_.release(of_thread);
    if (task.untied) sanitizer_.release(task.so_far); // before the runtime queues its next part
  }
  void enter(Task& task) {
    if (task.has_number) sanitizer_.acquire(of_thread);
    if (!task.creator || (task.started && (!task.untied || task.parts_seen))) return;
    sanitizer_.acquire(task.so_far);
    if (std::exchange(task.started, true) || task.dependences.empty()) return;
    for (const Dependent& one : task.dependences) come_after(sanitizer_, one, *task.creator);
    sanitizer_.acquire(task.creator->all_memory);
  }
  /// Nobody asks for it any more. Its creator's record must not wait for it: chains of tasks have no end.
  void forget(TaskId id, Task& task) {
    if (!task.team) tasks_outside_.fetch_sub(1, std::memory_order_relaxed);
    remove(id);
    std::shared_ptr<Task> last; // may end without the lock
    const memory::SpinGuard guard(task.lock);
    last.swap(task.creator);
  }

  void acquire(Address object) { sanitizer_.acquire(points_.of_object(object)); }
  void release(Address object) { sanitizer_.release(points_.of_object(object)); }

  void ignore() {
    ++ignored;
    sanitizer_.ignore();
  }
  void notice() {
    if (ignored == 0) return;
    --ignored;
    sanitizer_.notice();
  }

  void renew(const auto& e) {
    if ((e.kind == MemoryKind::runtime || e.kind == MemoryKind::mapping) && e.size != 0)
      sanitizer_.new_memory(e.address, e.size);
  }

  const ThreadSanitizer sanitizer_;
  Fibers* fibers_ = nullptr;
  Asides asides_;
  Turns turns_;
  ThreadLocals thread_locals_;
  unsigned outermost_regions_ = 0; ///< of the main thread
  /// Of which one that has ended may not have been waited for. ThreadSanitizer's own thread begins with the first one.
  std::atomic<bool> had_programs_threads_{!tool::kernel::others().empty()};
  std::atomic<unsigned> tasks_outside_{0}; ///< of all regions, that have not ended
  std::atomic<unsigned> regions_{0};
  Table<TaskId, Task> tasks_;
  Table<TeamId, Team> teams_;
  Points points_;
  Point flushed_{};
};

} // namespace

namespace {
constinit Annotator* the_annotator = nullptr;
}

Listener* make_annotator() {
  const auto sanitizer = ThreadSanitizer::find();
  if (!sanitizer) return nullptr;
  the_annotator = new Annotator(*sanitizer);
  return the_annotator;
}

void ask_thread_number() {
  if (tool::InsideTool::here() || the_annotator == nullptr) return;
  const tool::InsideTool inside;
  the_annotator->ask_thread_number();
}

void destroy_unused_fibers() {
  if (the_annotator != nullptr) the_annotator->destroy_unused_fibers();
}

} // namespace fletcher::annotate
