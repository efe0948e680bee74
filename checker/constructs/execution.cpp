// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks, teams and threads as objects: made, found, referenced, freed; and the horizon that they pass together.
#include "checker/constructs/execution.hpp"

#include "checker/constructs/dependences.hpp"

#include <algorithm>

namespace fletcher::constructs {

namespace {
constexpr std::size_t max_frames = 1u << 18; // per thread; address space only
}

void Ended::add(Ended&& other) {
  if (chains.empty())
    chains = std::move(other.chains);
  else
    chains.insert(chains.end(), other.chains.begin(), other.chains.end());
  other.chains.clear();
  if (!other.knowledge.empty()) knowledge.join(other.knowledge);
}

Execution::Execution(order::StrandTables& tables, access::CallTree& calls, access::Locksets& locksets,
                     access::RaceCheck* races)
    : tables_(tables), calls_(calls), locksets_(locksets), races_(races), tasks_(std::size_t{1} << 32),
      threads_(max_threads) {}

Execution::~Execution() {
  // Tasks that never ended are not freed: the process is about to end, or a test broke the rules.
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i) {
    ThreadData* d = threads_[i].load(std::memory_order_relaxed);
    if (d != nullptr && d->member != nullptr) drop(d->member);
    delete d;
  }
}

access::ThreadState& Execution::thread(ThreadId id) {
  std::atomic<ThreadData*>& slot = threads_[number(id) % max_threads];
  if (ThreadData* known = slot.load(std::memory_order_acquire)) return known->state;
  const memory::SpinGuard guard(threads_lock_);
  if (ThreadData* known = slot.load(std::memory_order_acquire)) return known->state;
  auto* made = new ThreadData;
  made->frames = memory::ReservedArray<access::Frame>(max_frames);
  made->state.id = id;
  made->state.tables = &tables_;
  made->state.stack.attach(made->frames.data(), made->frames ? max_frames : 0);
  if (races_ != nullptr)
    races_->attach(made->state);
  else
    ++made->state.off; // for good: there is no shadow memory
  slot.store(made, std::memory_order_release);
  if (last_thread_.load(std::memory_order_relaxed) < number(id))
    last_thread_.store(number(id), std::memory_order_release);
  return made->state;
}

Team* Execution::team(TeamId id) {
  const memory::SpinGuard guard(teams_lock_);
  const auto at = teams_.find(number(id));
  return at == teams_.end() ? nullptr : at->second;
}

Task* Execution::new_task(access::ThreadState& thread, TaskId id, TaskKind kind, Task* parent, Team* team) {
  auto* t = new Task;
  t->id = id;
  t->kind = kind;
  t->parent = parent;
  t->team = team;
  t->thread = thread.id;
  if (parent != nullptr) retain(*parent);
  if (team != nullptr) team->references.fetch_add(1, std::memory_order_relaxed);
  tasks_[number(id)].store(t, std::memory_order_release);
  return t;
}

void Execution::drop(Task* t) noexcept {
  while (t != nullptr && t->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    tasks_[number(t->id)].store(nullptr, std::memory_order_release);
    for (Task* p : t->predecessors) drop(p);
    for (Task* p : t->awaited) drop(p);
    if (t->siblings != nullptr) t->siblings->clear([this](Task* s) { drop(s); });
    Task* parent = t->parent;
    if (t->team != nullptr) drop(t->team);
    delete t;
    t = parent;
  }
}

void Execution::drop(Team* t) noexcept {
  if (t->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  drop(t->encountering);
  delete t;
}

std::int64_t Execution::unfinished_tasks() const {
  std::int64_t n = 0;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i)
    if (const ThreadData* d = threads_[i].load(std::memory_order_acquire))
      n += d->created.load(std::memory_order_acquire) - d->completed.load(std::memory_order_acquire);
  return n;
}

std::uint64_t Execution::tasks_created() const {
  std::int64_t n = 0;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i)
    if (const ThreadData* d = threads_[i].load(std::memory_order_acquire))
      n += d->created.load(std::memory_order_relaxed);
  return static_cast<std::uint64_t>(n);
}

const access::ThreadState* Execution::owner_of_stack(Address address) const noexcept {
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i)
    if (const ThreadData* d = threads_[i].load(std::memory_order_acquire))
      if (address - d->state.stack_low < d->state.stack_high - d->state.stack_low) return &d->state;
  return nullptr;
}

ContextId Execution::place(access::ThreadState& thread, Address pc) {
  return pc == 0 ? ContextId::none : calls_.child(calls_.context(thread.stack), pc);
}

void Execution::set_idle(access::ThreadState& thread, bool idle) noexcept {
  ThreadData& d = data(thread);
  if (d.idle == idle) return;
  d.idle = idle;
  std::atomic_ref(thread.off).fetch_add(idle ? 1 : -1, std::memory_order_relaxed);
}

void Execution::run(access::ThreadState& thread, Task* task) {
  if (thread.task != task) {
    thread.ordered.fill(StrandId::none);
    if (thread.task != nullptr) thread.task->strand = thread.strand;
    thread.task = task;
    thread.strand = task != nullptr ? task->strand : StrandId::none;
    thread.asked_thread_number = task != nullptr && task->asked_thread_number;
    if (task != nullptr && task->thread == thread.id && task->base != nullptr) thread.stack.set_base(task->base);
  }
  thread.horizon = StrandId{horizon_.load(std::memory_order_acquire)};
  // Alone in the program, without a region or a task that nobody waited for: nothing that it does can race.
  const bool serial =
      task != nullptr && task->team == nullptr && task->parent == nullptr && only_root() && !task->spawned;
  set_idle(thread, task == nullptr || task->waiting || serial);
}

void Execution::begin_root(const InitialTaskBegin& e) {
  access::ThreadState& t = thread(e.thread);
  Task* root = new_task(t, e.task, e.kind, nullptr, nullptr);
  root->started = true;
  root->base = t.stack.base();
  if (t.task != nullptr && t.task->parent == nullptr) {
    // The thread becomes known to the runtime, or goes on in a child of fork: what it holds it still holds.
    for (const HeldMutex& held : t.task->held) {
      CarrierShard& s = shard(held.key);
      const memory::SpinGuard guard(s.lock);
      fresh(s, held.key).holder.task = root->id;
    }
    root->held = std::move(t.task->held);
    t.task->held.clear();
  }
  if (roots_.fetch_add(1, std::memory_order_acq_rel) == 1) {
    // The program mixes in threads of its own: from now on no part of it is serial.
    const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
    for (std::uint32_t i = 1; i <= threads; ++i)
      if (ThreadData* d = threads_[i].load(std::memory_order_acquire);
          d != nullptr && d->state.task != nullptr && !d->state.task->waiting)
        set_idle(d->state, false);
  }
  run(t, root);
}

void Execution::end_root(const InitialTaskEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Task* root = task(e.task);
  if (root == nullptr) return;
  // Its past stays concurrent with whoever has not joined it, so it goes on counting as a root, unless it is the last.
  if (t.task == root) run(t, nullptr);
  forget_siblings(*root);
  drop(root);
}

void Execution::pass_horizon(access::ThreadState& thread, Task& task) {
  const StrandId horizon = tables_.next_strand();
  horizon_.store(number(horizon), std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  tables_.pass_horizon(horizon);
  forget_carriers();
  task.known.clear();
  task.chain = ChainId::none;
  task.last = StrandId::none;
  task.block_left = 0;
  task.learned = false;
  task.spawned = false;
  task.strand = StrandId::none;
  if (thread.task == &task) thread.strand = StrandId::none;
  thread.horizon = horizon;
}

// Only where nothing that ended is still concurrent with what comes, and nothing runs but `task`.
void Execution::try_horizon(access::ThreadState& thread, Task& task) {
  if (!only_root() || unfinished_tasks() != 0 || !task.ended.empty() || task.orphans) return;
  for (const Taskgroup* g = task.open_group.get(); g != nullptr; g = g->outer.get())
    if (!g->direct.empty() || !g->deep.empty()) return;
  if (task.team != nullptr) {
    Team& team = *task.team;
    if (task.kind != TaskKind::implicit || !team.alone) return;
    const memory::SpinGuard guard(team.lock);
    // The other members wait at a barrier, and since the last one neither they nor their tasks left a trace.
    if (team.arrived + 1 != team.size || !team.gathering.empty()) return;
    for (Task* member : team.members)
      if (!member->ended.empty() || (member != &task && member->open_group != nullptr)) return;
    team.result.clear();
    team.fork.clear();
    team.learned = false;
    team.chain = ChainId::none;
    pass_horizon(thread, task);
  } else if (task.parent == nullptr) {
    pass_horizon(thread, task);
    run(thread, &task);
  }
}

} // namespace fletcher::constructs
