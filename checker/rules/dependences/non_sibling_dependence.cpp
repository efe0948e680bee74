// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/dependences/non_sibling_dependence.hpp"

#include "checker/rules/dependences/dependence_types.hpp"
#include "checker/rules/describe.hpp"
#include "checker/rules/team_memory.hpp"

#include <algorithm>

namespace fletcher::rules {

namespace {

using constructs::Task;

// Concurrent declarations of one address: beyond this many, the oldest give way.
constexpr std::size_t remembered = 8;

/// How far below the nearest task that is above both of them the two tasks are.
struct Fork {
  std::size_t first, second;
};
Fork fork_of(const std::vector<TaskDescription>& first, const std::vector<TaskDescription>& second) {
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j)
      if (first[i].id == second[j].id) return {i, j};
  return {first.size(), second.size()};
}

bool is_explicit(const TaskDescription& task) {
  return task.kind == TaskKind::explicit_ || task.kind == TaskKind::target;
}

/// Where the two lines of tasks part, and what would order them there.
std::vector<Step> way_out(const std::vector<TaskDescription>& earlier, const std::vector<TaskDescription>& later,
                          bool in_two_units) {
  const auto [i, j] = fork_of(earlier, later);
  if (i == earlier.size()) return {};
  std::vector<Step> steps;
  const auto covers_its_children = [&](const TaskDescription& child, std::size_t generations) {
    steps.push_back({std::string("this child of the nearest common ancestor needs the dependence itself, and ") +
                         (generations == 1 ? "a taskwait" : "a taskgroup around all that it creates") +
                         ", so that it covers the task inside",
                     child.creation});
  };
  if (in_two_units) {
    steps.push_back(
        {"the nearest common ancestor of the two tasks is then the one that began this parallel region: only a "
         "barrier of the team, between their creations, orders them",
         earlier[i].creation});
    return steps;
  }
  if (j == 0) { // a taskwait of the common ancestor itself
    covers_its_children(earlier[i - 1], i - 1);
    return steps;
  }
  if (i == 0) return {};
  const TaskDescription &first = earlier[i - 1], &second = later[j - 1];
  if (!is_explicit(first) || !is_explicit(second)) {
    steps.push_back({"the nearest common ancestor of the two tasks is the one that began this parallel region: only a "
                     "barrier of the team, between their creations, orders them",
                     first.creation});
    return steps;
  }
  if (i > 1) covers_its_children(first, i - 1);
  if (j > 1)
    steps.push_back(
        {"this child of the nearest common ancestor needs the dependence itself: the task inside is created "
         "by it",
         second.creation});
  const TaskDescription& next = first.id < second.id ? second : first;
  steps.push_back({"or let the nearest common ancestor, which creates this task after the other one, wait between the "
                   "two (taskgroup; a taskwait waits for children only)",
                   next.creation});
  return steps;
}

} // namespace

TaskId NonSiblingDependence::owner_of(const Task& creator, Address address) const {
  for (const Task* t = &creator; t != nullptr; t = t->parent()) {
    const access::ThreadState* const thread = execution_.known_thread(t->thread());
    if (thread == nullptr || !thread->in_stack(address)) continue;
    if (const Address base = t->now().stack_base; base != 0 && address >= base)
      continue; // of a task that it interrupted, or stands on
    // A region's primary member stands on the frames of the task that encountered the region.
    if (t->kind == TaskKind::implicit && t->parent() != nullptr && t->parent()->thread() == t->thread()) continue;
    return t->id;
  }
  return TaskId::none;
}

bool NonSiblingDependence::conflicting(const Declaration& known, const Declaration& mine) const {
  if ((known.parent == mine.parent && !in_two_units(known, mine)) || known.owner != mine.owner ||
      !conflict(known.type, mine.type))
    return false;
  return heap_is_told_ || known.permanent || known.owner != TaskId::none || known.life == mine.life;
}

// Siblings that name one address: nobody has to be asked for their order, unless both read or are in one set.
bool NonSiblingDependence::ordered_by_clauses(const Declaration& known, const Declaration& mine) noexcept {
  const bool set = mine.type == DependenceType::inoutset || mine.type == DependenceType::mutexinoutset;
  return known.parent == mine.parent && !in_two_units(known, mine) && !known.wait && !mine.wait &&
         (known.type != mine.type || (mine.type != DependenceType::in && !set));
}

std::vector<NonSiblingDependence::Declaration> NonSiblingDependence::conflicts_of(Declaration mine, Address address,
                                                                                  const Task& now) {
  std::vector<Declaration> conflicts;
  Shard& s = shard(address);
  const memory::SpinGuard guard(s.lock);
  s.renew(execution_.horizon_generation());
  Named& named = s.named[address];
  mine.life = named.unfinished != 0 ? named.life : 0;
  std::vector<Declaration>& known = named.declarations;
  auto kept = known.begin();
  for (const Declaration& other : known) {
    // What its predecessors tell a task it knows only where these are its siblings.
    const order::Position position = in_two_units(other, mine)
                                         ? order::Position{now.origin().known, ChainId::none, now.origin().unit}
                                         : constructs::position(now);
    const bool ordered =
        ordered_by_clauses(other, mine) || order::happens_before(execution_.tables(), other.strand, position);
    if (!ordered && conflicting(other, mine)) conflicts.push_back(other);
    if (ordered && !mine.wait && (mine.type != DependenceType::in || other.type == DependenceType::in)) continue;
    if (&*kept != &other) *kept = other;
    ++kept;
  }
  known.erase(kept, known.end());
  if (known.size() == remembered) known.erase(known.begin());
  known.push_back(mine);
  return conflicts;
}

void NonSiblingDependence::declared(const Task& made) {
  if (heap_is_told_ || made.parent() == nullptr) return; // nobody asks
  for (const Dependence d : made.depend.items()) {
    if (d.all_memory || d.permanent) continue;
    Shard& s = shard(d.address);
    const memory::SpinGuard guard(s.lock);
    s.renew(execution_.horizon_generation());
    Named& named = s.named[d.address];
    if (named.unfinished++ == 0) ++named.life;
  }
}

void NonSiblingDependence::started(access::ThreadState& thread, Task& task) {
  if (task.depend.empty() || task.parent() == nullptr) return;
  const Task& parent = *task.parent();
  if (!execution_.open_for_rule(thread)) return;
  if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  for (const Dependence d : task.depend.items()) {
    if (d.all_memory) continue; // orders siblings; names no storage of its own
    const Declaration mine{.strand = thread.strand(),
                           .task = task.id,
                           .parent = parent.id,
                           .unit = task.depend.unit(),
                           .owner = owner_of(parent, d.address),
                           .type = d.type,
                           .permanent = d.permanent,
                           .life = 0,
                           .wait = false,
                           .place = task.creation};
    for (const Declaration& other : conflicts_of(mine, d.address, task))
      if (in_two_units(other, mine) && !is_there_for_team(execution_, memory_, parent, d.address))
        continue; // another thread that executed the unit would have named its own
      else if (!other.wait)
        report(other, mine, d.address);
      else if (descends(mine.strand, other.task))
        report(mine, other, d.address);
  }
}

void NonSiblingDependence::ended(const Task& task) {
  if (heap_is_told_) return; // nobody asks
  for (const Dependence d : task.depend.items()) {
    if (d.all_memory || d.permanent) continue;
    Shard& s = shard(d.address);
    const memory::SpinGuard guard(s.lock);
    const auto at = s.named.find(d.address);
    if (at != s.named.end() && at->second.unfinished != 0) --at->second.unfinished;
  }
}

void NonSiblingDependence::waited(access::ThreadState& thread, Task& waiter, std::span<const Dependence> list,
                                  ContextId place) {
  used_.store(true, std::memory_order_relaxed);
  if (!execution_.open_for_rule(thread)) return;
  for (const Dependence& d : list) {
    if (d.all_memory) continue;
    const Declaration mine{.strand = thread.strand(),
                           .task = waiter.id,
                           .parent = waiter.id,
                           .unit = 0,
                           .owner = owner_of(waiter, d.address),
                           .type = d.type,
                           .permanent = d.permanent,
                           .life = 0,
                           .wait = true,
                           .place = place};
    for (const Declaration& other : conflicts_of(mine, d.address, waiter))
      if (!other.wait && descends(other.strand, waiter.id)) report(other, mine, d.address);
  }
}

// Only what the waiter's children created can be meant by its taskwait.
bool NonSiblingDependence::descends(StrandId strand, TaskId from) const {
  const order::StrandTables& tables = execution_.tables();
  for (order::RecordId r = tables.block_of(strand).task; r != order::RecordId::none; r = tables.task(r).parent)
    if (tables.task(r).id == from) return true;
  return false;
}

void NonSiblingDependence::forget(Address address, std::size_t size) {
  if (size == 0 || !used_.load(std::memory_order_relaxed)) return;
  const Address last = address + size - 1;
  const std::size_t pages = std::min<std::size_t>(last / page - address / page + 1, shards_.size());
  for (std::size_t i = 0; i < pages; ++i) {
    Shard& s = shard(address + i * page);
    const memory::SpinGuard guard(s.lock);
    s.named.erase(s.named.lower_bound(address), s.named.upper_bound(last));
  }
}

void NonSiblingDependence::report(const Declaration& earlier, const Declaration& later, Address address) {
  const access::CallTree& calls = execution_.calls();
  const Address a = calls.pc(later.place), b = calls.pc(earlier.place);
  reporter_.report({Rule::non_sibling_dependence, std::min(a, b), std::max(a, b)}, [&] {
    Finding f;
    f.rule = Rule::non_sibling_dependence;
    f.severity = Severity::error;
    f.cause = Cause::non_sibling_dependence;
    f.message =
        later.wait
            ? "a wait for " + clause(later.type) + " and " + clause(earlier.type) +
                  " name {object}, but the task of the latter is not a child of the waiting task: nothing waits for it"
            : clause(later.type) + " and " + clause(earlier.type) +
                  " name {object}, but the tasks have different parents" +
                  (in_two_units(earlier, later) ? " if two threads execute the code that creates them" : "") +
                  ": dependences order siblings only";
    for (const Declaration& one : {later, earlier})
      f.accesses.push_back(describe(execution_, one.strand, execution_.tables().block_of(one.strand).task, one.place,
                                    kind_of(one.type), {address, address}));
    f.object = describe_stack(execution_, address);
    if (const StackFrame frame = items_.find(address); frame.call.known())
      f.stack_variables.push_back({address, frame});
    f.steps = way_out(f.accesses[1].tasks, f.accesses[0].tasks, in_two_units(earlier, later));
    return f;
  });
}

void NonSiblingDependence::name_past(order::Sweep& sweep) {
  for (Shard& s : shards_)
    for (const auto& [address, named] : s.named)
      for (const Declaration& d : named.declarations) sweep.needs(d.strand);
}

} // namespace fletcher::rules
