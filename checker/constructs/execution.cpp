// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks, teams and threads as objects: made, found, referenced, freed.
#include "checker/constructs/execution.hpp"

#include "checker/constructs/dependences/dependences.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <unordered_set>

namespace fletcher::constructs {

namespace {
constexpr std::size_t max_frames = 1u << 18; // per thread; address space only
// Strands for rules: threads take some at once, not to meet at one counter. Beyond the fewest they get more only as
// long as these and the tasks that live, by far the most of what level graph keeps, stay within this many bytes.
constexpr std::uint32_t fewest_strands_for_rules = 1u << 14, most_strands_for_rules = 1u << 17;
constexpr std::uint32_t rule_strands_at_once = 64;
constexpr std::size_t bytes_of_rule_strand = 150, most_memory = 48u << 20;
} // namespace

Activation::Activation(Origin& from) noexcept : origin(&from), known(from.known), work(from.work) {}
Activation::~Activation() = default;

Execution::Execution(order::StrandTables& tables, access::CallTree& calls, access::Locksets& locksets,
                     access::RaceCheck* races)
    : tables_(tables), calls_(calls), locksets_(locksets), races_(races), tasks_(memory_.arena), threads_(max_threads) {
}

Execution::~Execution() {
  // A task that did not end is freed all the same, whatever refers to it.
  std::unordered_set<Team*> teams;
  for (const auto& [id, team] : teams_) teams.insert(team);
  std::unordered_set<Origin*> origins;
  DependLists::Magazines lists;
  tasks_.each([&](Task& t) {
    if (t.kind == TaskKind::implicit) teams.insert(t.team());
    origins.insert(&t.origin());
    memory_.lists.free(lists, t.depend);
    if (!t.active()) return;
    Activation* const activation = &t.now();
    if (activation->given != nullptr) origins.insert(activation->given);
    if (activation->used != nullptr) std::destroy_at(activation->used);
    std::destroy_at(activation);
    if (!TaskMemory::is_pooled(t.kind)) ::operator delete(activation);
  });
  for (Origin* origin : origins) {
    const bool pooled = origin->pooled;
    std::destroy_at(origin);
    if (!pooled) ::operator delete(origin);
  }
  for (Team* team : teams) delete team;
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i) delete threads_[i].load(std::memory_order_relaxed);
}

ThreadData& Execution::new_thread(ThreadId id) {
  std::atomic<ThreadData*>& slot = threads_[number(id) % max_threads];
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
    made->switch_off(); // for good: there is no shadow memory
  made->watcher.store(watcher_.load());
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

Origin* Execution::new_origin(access::ThreadState& thread, bool pooled, Task* parent, Team* team) {
  void* const slot = pooled ? memory_.origins.take(data(thread).slots.origins) : ::operator new(sizeof(Origin));
  if (slot == nullptr) [[unlikely]]
    return nullptr;
  Origin* const made = std::construct_at(static_cast<Origin*>(slot));
  made->pooled = pooled;
  made->parent = parent;
  made->team = team;
  if (parent == nullptr) return made;
  if (parent->is_private(thread.id))
    count_alone(*parent, 1);
  else
    retain(*parent);
  return made;
}

Task* Execution::new_task(access::ThreadState& thread, TaskId id, TaskKind kind, Origin* origin) {
  if (origin == nullptr) [[unlikely]]
    return nullptr;
  ThreadData& d = data(thread);
  void* const slot =
      TaskMemory::is_pooled(kind) ? memory_.tasks.take(d.slots.tasks) : memory_.residents.take(d.slots.residents);
  if (slot == nullptr) [[unlikely]] {
    drop(thread, origin);
    return nullptr;
  }
  Task* const t = std::construct_at(static_cast<Task*>(slot), *origin);
  t->id = id;
  t->kind = kind;
  tasks_.enter(d.tally, id, t);
  return t;
}

void Execution::activate(access::ThreadState& thread, Task& task) {
  void* const slot = TaskMemory::is_pooled(task.kind) ? memory_.activations.take(data(thread).slots.activations)
                                                      : ::operator new(sizeof(Activation));
  Activation* const made = std::construct_at(static_cast<Activation*>(slot), task.origin());
  made->thread = thread.id;
  task.activate(*made);
}

Task* Execution::release(access::ThreadState& thread, Origin* origin, std::uint32_t references) noexcept {
  // The holder of all references needs no locked instruction to see it.
  if (origin->references.load(std::memory_order_acquire) != references &&
      origin->references.fetch_sub(references, std::memory_order_acq_rel) != references)
    return nullptr;
  Task* const parent = origin->parent;
  const bool pooled = origin->pooled;
  std::destroy_at(origin);
  if (pooled)
    memory_.origins.give(data(thread).slots.origins, origin);
  else
    ::operator delete(origin);
  return parent;
}

void Execution::drop(access::ThreadState& thread, Origin* origin, std::uint32_t references) noexcept {
  if (Task* const parent = release(thread, origin, references)) drop(thread, parent);
}

void Execution::forget_given(access::ThreadState& thread, Task& task) noexcept {
  Activation& now = task.now();
  Origin* const given = std::exchange(now.given, nullptr);
  if (given == nullptr || release(thread, given, now.given_references) == nullptr) return;
  give_up(thread, task, 1);
}

Task* Execution::free(access::ThreadState& thread, Task* t) noexcept {
  ThreadData& d = data(thread);
  tasks_.remove(d.tally, t->id);
  const TaskKind kind = t->kind;
  Origin* const origin = &t->origin();
  if (!t->started) [[unlikely]]
    for (Task* p : t->depend.predecessors()) drop(thread, p);
  if (!t->depend.empty()) [[unlikely]]
    memory_.lists.free(d.slots.lists, t->depend);
  if (t->active()) [[likely]] {
    Activation* const activation = &t->now();
    if (const Rare* const rare = activation->rare_.get()) [[unlikely]]
      for (Task* p : rare->awaited) drop(thread, p);
    forget_siblings(thread, *t);
    if (UsedByChildren* const used = activation->used) {
      std::destroy_at(used);
      memory_.used.give(d.slots.used, used);
    }
    std::destroy_at(activation);
    if (TaskMemory::is_pooled(kind))
      memory_.activations.give(d.slots.activations, activation);
    else
      ::operator delete(activation);
  }
  if (kind == TaskKind::implicit) [[unlikely]]
    drop(thread, origin->team);
  std::destroy_at(t);
  if (TaskMemory::is_pooled(kind))
    memory_.tasks.give(d.slots.tasks, t);
  else
    memory_.residents.give(d.slots.residents, t);
  // Its creator can use the reference for another task.
  if (Task* const parent = origin->parent;
      parent != nullptr && parent->is_of(thread.id) && parent->now().given == origin)
    return ++parent->now().given_references, nullptr;
  return release(thread, origin);
}

void Execution::drop(access::ThreadState& thread, Task* t, std::uint32_t references) noexcept {
  // The holder of all references needs no locked instruction to see it.
  while (t != nullptr && (t->references.load(std::memory_order_acquire) == references ||
                          t->references.fetch_sub(references, std::memory_order_acq_rel) == references)) {
    t = free(thread, t);
    references = 1;
  }
}

void Execution::drop(access::ThreadState& thread, Team* t) noexcept {
  if (t->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  drop(thread, t->encountering);
  delete t;
}

void Execution::give_back_tasks() noexcept {
  memory_.trim([&](auto f) { each_thread([&](const ThreadData& d) { f(d.slots); }); });
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
      if (d->in_stack(address)) return &(*d);
  return nullptr;
}

ContextId Execution::place(access::ThreadState& thread, Address pc) {
  if (pc == 0) return ContextId::none;
  return races_ != nullptr ? races_->site(thread, pc) : calls_.child(calls_.context(thread.stack), pc);
}

bool Execution::may_have_rule_strands() const noexcept {
  const std::uint32_t taken = strands_for_rules_.load(std::memory_order_relaxed);
  if (taken < fewest_strands_for_rules) return true;
  return taken < most_strands_for_rules && memory_.in_memory() + taken * bytes_of_rule_strand < most_memory;
}

bool Execution::open_for_rule(access::ThreadState& thread) {
  if (thread.strand() != StrandId::none) return true;
  if (races_ == nullptr) {
    ThreadData& d = data(thread);
    if (const std::uint32_t now = horizon_generation(); d.rule_generation != now)
      d.rule_strands = d.rule_refusals = 0, d.rule_generation = now;
    if (d.rule_strands == 0) {
      if (d.rule_refusals != 0) return --d.rule_refusals, false; // it is too early to ask again
      if (!may_have_rule_strands()) return d.rule_refusals = rule_strands_at_once, false;
      strands_for_rules_.fetch_add(rule_strands_at_once, std::memory_order_relaxed);
      d.rule_strands = rule_strands_at_once;
    }
    --d.rule_strands;
  }
  return open_strand(thread);
}

void Execution::set_idle(access::ThreadState& thread, bool idle) noexcept {
  ThreadData& d = data(thread);
  if (d.idle == idle) [[likely]]
    return;
  d.idle = idle;
  idle ? thread.switch_off() : thread.switch_on();
}

inline void Execution::put(access::ThreadState& thread, Task* task) {
  if (thread.task == task) return;
  if (thread.own_memory.found) [[unlikely]]
    leave_own(thread);
  if (thread.task != nullptr) thread.task->now().strand = thread.strand();
  const Activation* const now = task != nullptr ? &task->now() : nullptr;
  // Another thread may complete an untied task before this one tells that it has left it.
  Task* const left = thread.untied ? thread.task : nullptr;
  thread.untied = task != nullptr && task->untied;
  if (thread.untied) [[unlikely]]
    retain(*task);
  thread.task = task;
  const StrandId strand = now != nullptr ? now->strand : StrandId::none;
  if (strand == StrandId::none || strand != thread.strand()) [[likely]] {
    thread.forget_order();
    thread.set_strand(strand);
    if (strand != StrandId::none) follow_own(thread);
  } // else an undeferred task goes on in its creator's strand, or that one does again: all that is remembered holds
  thread.asked_thread_number = now != nullptr && now->asked_thread_number;
  if (thread.asked_thread_number) [[unlikely]]
    find_own(thread);
  if (now != nullptr && now->thread == thread.id && now->base != nullptr) [[likely]]
    thread.stack.set_base(now->base);
  thread.stack.set_root(now != nullptr && now->on_creators_chain ? calls_.part(task->creation) : ContextId::none);
  if (left != nullptr) [[unlikely]]
    drop(thread, left);
}

void Execution::leave(access::ThreadState& thread) {
  if (thread.own_memory.found) [[unlikely]]
    leave_own(thread);
  Task* const left = thread.untied ? thread.task : nullptr;
  Activation& now = thread.task->now();
  thread.untied = thread.asked_thread_number = false;
  thread.task = nullptr;
  if (now.on_creators_chain) [[unlikely]]
    now.strand = thread.strand(); // its creator may go on there (give_back_chain)
  else
    thread.set_strand(StrandId::none);
  if (left != nullptr) [[unlikely]]
    drop(thread, left);
}

void Execution::run(access::ThreadState& thread, Task* task) {
  put(thread, task);
  thread.horizon = StrandId{horizon_.load(std::memory_order_acquire)};
  // Alone in the program, without a region or a task that nobody waited for: nothing that it does can race.
  const bool serial = task != nullptr && task->team() == nullptr && task->parent() == nullptr && only_root() &&
                      !task->now().spawned && watcher_.load(std::memory_order_relaxed) == nullptr;
  set_idle(thread, task == nullptr || task->now().waiting || serial);
}

} // namespace fletcher::constructs
