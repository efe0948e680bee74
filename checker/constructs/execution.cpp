// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks, teams and threads as objects: made, found, referenced, freed; and the horizon that they pass together.
#include "checker/constructs/execution.hpp"

#include "checker/constructs/dependences.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <unordered_set>

namespace fletcher::constructs {

namespace {
constexpr std::size_t max_frames = 1u << 18; // per thread; address space only
constexpr std::size_t max_tasks = 1u << 28;  // alive at once; address space only
// Giving pages back is a system call, and page faults later.
constexpr std::size_t worth_giving_back = 4u << 20;
// Each of a task of its own costs about 150 bytes. Threads take some at once, not to meet at one counter.
constexpr std::uint32_t most_strands_for_rules = 1u << 18, rule_strands_at_once = 64;

// The others are few, and some outlive their region.
bool is_pooled(TaskKind kind) { return kind == TaskKind::explicit_ || kind == TaskKind::target; }
} // namespace

Execution::Execution(order::StrandTables& tables, access::CallTree& calls, access::Locksets& locksets,
                     access::RaceCheck* races)
    : tables_(tables), calls_(calls), locksets_(locksets), races_(races), pool_(max_tasks), threads_(max_threads) {}

Execution::~Execution() {
  // Whoever did not end is freed all the same, whatever refers to it.
  std::unordered_set<Team*> teams;
  for (const auto& [id, team] : teams_) teams.insert(team);
  tasks_.each([&](Task& t) {
    if (t.kind == TaskKind::implicit) teams.insert(t.team);
    const bool pooled = is_pooled(t.kind);
    std::destroy_at(&t);
    if (!pooled) ::operator delete(&t);
  });
  for (Team* team : teams) delete team;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i) delete threads_[i].load(std::memory_order_relaxed);
}

access::ThreadState& Execution::thread(ThreadId id) {
  std::atomic<ThreadData*>& slot = threads_[number(id) % max_threads];
  if (ThreadData* known = slot.load(std::memory_order_acquire)) return *known;
  const memory::SpinGuard guard(threads_lock_);
  if (ThreadData* known = slot.load(std::memory_order_acquire)) return *known;
  auto* made = new ThreadData;
  made->frames = memory::ReservedArray<access::Frame>(max_frames);
  made->id = id;
  made->tables = &tables_;
  made->stack.attach(made->frames.data(), made->frames ? max_frames : 0);
  if (races_ != nullptr)
    races_->attach(*made);
  else
    ++made->off; // for good: there is no shadow memory
  slot.store(made, std::memory_order_release);
  if (last_thread_.load(std::memory_order_relaxed) < number(id))
    last_thread_.store(number(id), std::memory_order_release);
  return *made;
}

Team* Execution::team(TeamId id) {
  const memory::SpinGuard guard(teams_lock_);
  const auto at = teams_.find(number(id));
  return at == teams_.end() ? nullptr : at->second;
}

Task* Execution::new_task(access::ThreadState& thread, TaskId id, TaskKind kind, Task* parent, Team* team) {
  ThreadData& d = data(thread);
  void* const slot = is_pooled(kind) ? pool_.take(d.slots) : ::operator new(sizeof(Task));
  if (slot == nullptr) return nullptr;
  Task* const t = std::construct_at(static_cast<Task*>(slot));
  t->id = id;
  t->kind = kind;
  t->parent = parent;
  t->team = team;
  t->thread = thread.id;
  if (parent != nullptr) retain(*parent);
  tasks_.enter(d.tally, id, t);
  return t;
}

void Execution::free(access::ThreadState& thread, Task* t) noexcept {
  ThreadData& d = data(thread);
  tasks_.remove(d.tally, t->id);
  for (Task* p : t->predecessors) drop(thread, p);
  if (t->rare_ != nullptr) {
    for (Task* p : t->rare_->awaited) drop(thread, p);
    for (const Mismatch& m : t->rare_->mismatches) drop(thread, m.earlier);
  }
  forget_siblings(thread, *t);
  const TaskKind kind = t->kind;
  if (kind == TaskKind::implicit) drop(thread, t->team);
  std::destroy_at(t);
  if (is_pooled(kind))
    pool_.give(d.slots, t);
  else
    ::operator delete(t);
}

void Execution::drop(access::ThreadState& thread, Task* t) noexcept {
  // Whoever holds the only reference needs no locked instruction to see it.
  while (t != nullptr && (t->references.load(std::memory_order_acquire) == 1 ||
                          t->references.fetch_sub(1, std::memory_order_acq_rel) == 1)) {
    Task* const parent = t->parent;
    free(thread, t);
    t = parent;
  }
}

void Execution::drop(access::ThreadState& thread, Team* t) noexcept {
  if (t->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  drop(thread, t->encountering);
  delete t;
}

void Execution::give_back_tasks() noexcept {
  if (pool_.footprint() < worth_giving_back) return;
  std::size_t free_slots = 0;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i)
    if (const ThreadData* d = threads_[i].load(std::memory_order_acquire)) free_slots += pool_.free_slots(d->slots);
  pool_.trim(free_slots);
}

// All that was counted as completed has been counted as created: with the completed ones counted first, zero means that
// there was a moment without a task, whatever tasks are made and completed meanwhile.
std::int64_t Execution::unfinished_tasks() const {
  std::int64_t n = 0;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  const auto each = [&](auto count) {
    for (std::uint32_t i = 1; i <= threads; ++i)
      if (const ThreadData* d = threads_[i].load(std::memory_order_acquire)) count(*d);
  };
  each([&](const ThreadData& d) { n -= d.completed.load(std::memory_order_acquire); });
  each([&](const ThreadData& d) { n += d.created.load(std::memory_order_acquire); });
  return n;
}

bool Execution::is_over(const Team& team) {
  const memory::SpinGuard guard(teams_lock_);
  return !teams_.contains(number(team.id));
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
      if (address - d->stack_low < d->stack_high - d->stack_low) return &(*d);
  return nullptr;
}

ContextId Execution::place(access::ThreadState& thread, Address pc) {
  if (pc == 0) return ContextId::none;
  return races_ != nullptr ? races_->site(thread, pc) : calls_.child(calls_.context(thread.stack), pc);
}

bool Execution::open_for_rule(access::ThreadState& thread) {
  if (thread.strand != StrandId::none) return true;
  if (races_ == nullptr) {
    ThreadData& d = data(thread);
    if (const std::uint32_t now = horizon_generation(); d.rule_generation != now)
      d.rule_strands = 0, d.rule_generation = now;
    if (d.rule_strands == 0) {
      if (strands_for_rules_.load(std::memory_order_relaxed) >= most_strands_for_rules) return false;
      strands_for_rules_.fetch_add(rule_strands_at_once, std::memory_order_relaxed);
      d.rule_strands = rule_strands_at_once;
    }
    --d.rule_strands;
  }
  return open_strand(thread);
}

void Execution::set_idle(access::ThreadState& thread, bool idle) noexcept {
  ThreadData& d = data(thread);
  if (d.idle == idle) return;
  d.idle = idle;
  std::atomic_ref(thread.off).fetch_add(idle ? 1 : -1, std::memory_order_relaxed);
}

void Execution::run(access::ThreadState& thread, Task* task) {
  if (thread.task != task) {
    thread.forget_order();
    if (thread.task != nullptr) thread.task->strand = thread.strand;
    // Another thread may complete an untied task before this one tells that it has left it.
    Task* const left = thread.untied ? thread.task : nullptr;
    thread.untied = task != nullptr && task->traits.untied;
    if (thread.untied) retain(*task);
    thread.task = task;
    thread.strand = task != nullptr ? task->strand : StrandId::none;
    thread.asked_thread_number = task != nullptr && task->asked_thread_number;
    if (task != nullptr && task->thread == thread.id && task->base != nullptr) thread.stack.set_base(task->base);
    if (left != nullptr) drop(thread, left);
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
          d != nullptr && d->task != nullptr && !d->task->waiting)
        set_idle((*d), false);
  }
  run(t, root);
}

void Execution::end_root(const InitialTaskEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Task* root = task(e.task);
  if (root == nullptr) return;
  if (t.task == root) run(t, nullptr);
  // Its past stays concurrent with whoever has not joined it, so it goes on counting as a root until somebody has.
  const bool waited = !root->orphans && root->ended.empty() && root->references.load(std::memory_order_acquire) == 1;
  if (waited && !root->has_strands()) {
    roots_.fetch_sub(1, std::memory_order_acq_rel);
  } else if (waited) {
    const memory::SpinGuard guard(ended_roots_lock_);
    ended_roots_.push_back({root->chain, root->last});
  }
  forget_siblings(t, *root);
  drop(t, root);
}

void Execution::pass_horizon(access::ThreadState& thread, Task& task) {
  const StrandId horizon = tables_.next_strand();
  horizon_.store(number(horizon), std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  tables_.pass_horizon(horizon);
  forget_carriers();
  give_back_tasks();
  if (races_ != nullptr) races_->sync_log().clear();
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

void Execution::forget_joined_roots(const Task& task) {
  if (only_root()) return;
  const memory::SpinGuard guard(ended_roots_lock_);
  const std::size_t joined = std::erase_if(
      ended_roots_, [&](const EndedRoot& root) { return order::happens_before(tables_, root.last, position(task)); });
  roots_.fetch_sub(static_cast<std::uint32_t>(joined), std::memory_order_acq_rel);
}

void Execution::reuse_tables(Team& team) {
  if (!tables_.worth_rewinding(team.mark)) return;
  for (Task* member : team.members) member->record.store(order::RecordId::none, std::memory_order_relaxed);
  tables_.rewind(team.mark);
}

// Only where nothing that ended is still concurrent with what comes, and nothing runs but `task`.
void Execution::try_horizon(access::ThreadState& thread, Task& task) {
  // The tasks of all threads are counted last: that reads what other threads write.
  if (task.team != nullptr ? task.kind != TaskKind::implicit || !task.team->alone : task.parent != nullptr) return;
  // In a unit of work its own past still counts as concurrent.
  if (task.rare_ != nullptr && task.rare_->unit_since != StrandId::none) return;
  if (!only_root() || !task.ended.empty() || task.orphans || unfinished_tasks() != 0) return;
  for (const Taskgroup* g = task.open_group.get(); g != nullptr; g = g->outer.get())
    if (!g->direct.empty() || !g->deep.empty()) return;
  if (task.team != nullptr) {
    Team& team = *task.team;
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
    reuse_tables(team);
  } else {
    pass_horizon(thread, task);
    run(thread, &task);
  }
}

} // namespace fletcher::constructs
