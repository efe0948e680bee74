// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/dependences/dependences.hpp"

#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

namespace fletcher::constructs {

namespace {
bool is_set(DependenceType t) { return t == DependenceType::mutexinoutset || t == DependenceType::inoutset; }

// Two different types on one address are an inout, as their pairs with other siblings say.
DependenceMap::Items one_per_address(std::span<const Dependence> list) {
  DependenceMap::Items merged;
  for (const Dependence& d : list) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Dependence& m) {
      return m.address == d.address && m.all_memory == d.all_memory;
    });
    if (same == merged.end())
      merged.push_back(d);
    else if (same->type != d.type)
      same->type = DependenceType::inout;
  }
  return merged;
}

void append(DependenceMap::Predecessors& to, const TaskList& from) {
  to.tasks.insert(to.tasks.end(), from.tasks.begin(), from.tasks.end());
  to.ended.join(from.ended);
}
} // namespace

void DependenceMap::collect(const Location& l, DependenceType type, Predecessors& result) {
  if (type == DependenceType::in) {
    append(result, l.last);
  } else if (is_set(type) && l.type == type && l.readers.empty() && !l.last.empty()) {
    append(result, l.before);
  } else {
    // Readers come after `last` themselves; where there are none, `last` is what counts.
    append(result, l.readers.empty() ? l.last : l.readers);
  }
}

DependenceMap::Predecessors DependenceMap::predecessors(std::span<const Dependence> list) const {
  Predecessors result;
  for (const Dependence& d : list) {
    if (d.all_memory) {
      for (const auto& [address, location] : locations_) {
        append(result, location.last);
        append(result, location.readers);
      }
    } else if (const auto at = locations_.find(d.address); at != locations_.end()) {
      collect(at->second, d.type, result);
      continue;
    }
    if (everything_ != nullptr) result.tasks.push_back(everything_);
  }
  std::ranges::sort(result.tasks, {}, &Task::id); // from the first created on
  result.tasks.erase(std::unique(result.tasks.begin(), result.tasks.end()), result.tasks.end());
  return result;
}

void DependenceMap::keep(TaskList& where, Task* task) {
  constexpr std::size_t long_list = 64; // and each power of two beyond
  if (where.tasks.size() >= long_list && std::has_single_bit(where.tasks.size())) shorten(where);
  where.tasks.push_back(task);
  kept_.push_back(task);
}

void DependenceMap::shorten(TaskList& list) {
  std::vector<ContextId> examples;
  std::erase_if(list.tasks, [&](Task* t) {
    if (!t->complete.load(std::memory_order_acquire)) return false;
    if (std::find(examples.begin(), examples.end(), t->creation) == examples.end()) {
      examples.push_back(t->creation);
      return false;
    }
    list.ended.join(t->known());
    list.ended.raise(t->chain(), t->last());
    gone_.push_back(t);
    return true;
  });
}

void DependenceMap::let_go(TaskList& list) {
  gone_.insert(gone_.end(), list.tasks.begin(), list.tasks.end());
  list.tasks.clear();
  list.ended.clear();
}

void DependenceMap::enter_everything(Task* task) {
  for (auto& [address, location] : locations_) {
    let_go(location.last);
    let_go(location.before);
    let_go(location.readers);
  }
  locations_.clear();
  if (everything_ != nullptr) gone_.push_back(everything_);
  everything_ = task;
  kept_.push_back(task);
}

void DependenceMap::enter(Task* task, std::span<const Dependence> list) {
  for (const Dependence& d : list)
    if (d.all_memory) return enter_everything(task);
  for (const Dependence& d : list) {
    const auto [at, is_new] = locations_.try_emplace(d.address);
    Location& l = at->second;
    if (is_new && everything_ != nullptr) keep(l.last, everything_);
    if (d.type == DependenceType::in) {
      keep(l.readers, task);
      continue;
    }
    if (is_set(d.type) && l.type == d.type && l.readers.empty() && !l.last.empty()) {
      keep(l.last, task);
      continue;
    }
    TaskList& before = l.readers.empty() ? l.last : l.readers;
    let_go(l.before);
    if (is_set(d.type)) std::swap(l.before, before);
    let_go(l.last);
    let_go(l.readers);
    l.type = d.type;
    keep(l.last, task);
  }
}

void Execution::declare(const TaskDependences& e) {
  Task* made = task(e.task);
  if (made == nullptr || made->parent() == nullptr || !made->depend.empty()) return;
  access::ThreadState& t = thread(e.thread);
  Task& parent = *made->parent();
  Activation& maker = parent.now();
  if (maker.stack_base == 0 && t.task == &parent && parent.kind == TaskKind::explicit_) maker.stack_base = e.stack_base;
  if (maker.siblings == nullptr) maker.siblings = std::make_unique<DependenceMap>();
  const DependenceMap::Items merged = one_per_address(e.list);
  const std::span<const Dependence> items(merged.data(), merged.size());
  const DependenceMap::Predecessors before = maker.siblings->predecessors(items);
  memory_.lists.make(data(t).slots.lists, made->depend, e.list, {before.tasks.data(), before.tasks.size()},
                     races_ != nullptr && !may_know_itself(parent) ? unit_number(parent) : std::uint8_t{0});
  for (Task* p : made->depend.predecessors()) retain(*p);
  if (!before.ended.empty()) {
    activate(t, *made);
    learn(*made, before.ended);
  }
  maker.siblings->enter(made, items, [this](Task* s) { retain(*s); }, [this, &t](Task* s) { drop(t, s); });
}

namespace {
/// What a task knew at its end it knew at its start: a strand of its own stands for all of it.
bool tells_all(const Task& t) { return !t.grown && t.has_strands(); }

/// `task`, where it ended, comes after `past`.
bool knows(const Task& task, const order::Knowledge& known, const Past& past) {
  return past.chain == task.chain() ? past.last <= task.last() : known.get(past.chain) >= past.last;
}

/// `task`, which starts, comes after `past`, of which it knew all but the strand itself where it is `lone`.
void remember(Activation& task, const Past& past, bool lone) {
  if (task.pasts >= task.past.size()) {
    task.pasts = Activation::too_many_pasts;
    return;
  }
  task.second_is_lone = lone;
  task.past[task.pasts++] = past;
}

/// What `t` knew where it ended, beyond `known`, the end of `task` and what siblings know that were created later:
/// nothing (a past without a chain), one strand, or more than that (nullopt).
std::optional<Past> beyond(const Task& task, const order::Knowledge& known, const Task& t) {
  const Activation& then = t.now();
  if (!tells_all(t) || then.pasts == Activation::too_many_pasts) return std::nullopt;
  Past more;
  for (unsigned i = 0; i < then.pasts; ++i) {
    if (knows(task, known, then.past[i])) continue;
    if (i == 0 || !then.second_is_lone) return std::nullopt;
    more = then.past[i];
  }
  return more;
}
} // namespace

// Of several predecessors the last one created mostly knows what the others know: its clock is taken. Another one that
// it comes after adds nothing; nor does the clock of one whose own predecessors it all comes after. Only where neither
// is known clocks are joined, unless it is one strand that is missing, as along the rows of a grid. The chain of the
// first one that the last one does not come after is inherited, as that is known less far. The last one's is not in its
// place: who comes after the first one in another way has it, and would lose to this task the chain that it comes next
// on, as would the one after that, until all clocks differ everywhere.
void Execution::after_predecessors(Task& after) {
  Activation& now = after.now();
  const Taskgroup* const group = after.group();
  const auto before = after.depend.predecessors();
  const Task& base = *before.back();
  // Asked twice of each, as far as there are bits to remember answers.
  std::uint64_t asked = 0, nothing = 0;
  const auto adds_nothing = [&](std::size_t i) {
    const std::uint64_t bit = i < 64 ? std::uint64_t{1} << i : 0;
    if ((asked & bit) != 0) return (nothing & bit) != 0;
    const Task& p = *before[i];
    const bool answer = tells_all(p) && knows(base, base.known(), {p.chain(), p.last()});
    asked |= bit;
    if (answer) nothing |= bit;
    return answer;
  };
  const Task* ancestor = nullptr;
  bool other_chain = false;
  const std::size_t count = before.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Task* const p = before[i];
    // Who waits for all siblings learns from the predecessor itself what that knows, unless it is not among those
    // waited for: it is in another taskgroup, or the wait is for an undeferred task alone.
    if (p->group() != group || after.undeferred) after.learned = true;
    if (ancestor != nullptr || p->chain() == ChainId::none || p->group() != group) continue;
    if (i + 1 == count ? other_chain : adds_nothing(i)) continue;
    other_chain = true;
    if (tables_.inherit(p->chain(), p->last())) ancestor = p;
  }
  order::Knowledge known = base.known();
  const auto come_after = [&](const Task& p, bool lone) {
    if (tells_all(p))
      remember(now, {p.chain(), p.last()}, lone);
    else
      now.pasts = Activation::too_many_pasts;
    if (&p != ancestor) known.raise(p.chain(), p.last());
  };
  come_after(base, false);
  for (std::size_t i = count - 1; i-- > 0;) {
    if (adds_nothing(i)) continue;
    const Task* const p = before[i];
    const auto more = beyond(base, known, *p);
    if (more && more->chain != ChainId::none) {
      remember(now, *more, true);
      known.raise(more->chain, more->last);
    }
    const bool covered = more || !known.join(p->known());
    if (!covered || p != ancestor)
      come_after(*p, covered); // else the clock is that of before: its own chain is not in it
  }
  if (ancestor != nullptr) {
    now.chain = ancestor->chain();
    now.last = ancestor->last();
  }
  known.join(now.known);
  now.known = std::move(known);
  now.last_tells_all = false;
  now.begin_past();
}

// Whom it waits for is known when it begins; their ends are there when it has ended.
void Execution::taskwait_depend(const TaskwaitDepend& e) {
  Task* waiter = active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  Activation& now = waiter->now();
  std::vector<Task*>& awaited = waiter->rare().awaited;
  if (!e.list.empty() && now.siblings != nullptr) {
    const DependenceMap::Predecessors before = now.siblings->predecessors(e.list);
    for (Task* p : before.tasks) {
      retain(*p);
      awaited.push_back(p);
    }
    learn(*waiter, before.ended); // they have ended
  }
  now.wait = {e.begin ? Wait::Kind::predecessors : Wait::Kind::none, {}, e.pc};
  if (e.begin) return;
  access::ThreadState& t = thread(e.thread);
  for (Task* p : awaited) {
    now.known.join(p->known());
    now.known.raise(p->chain(), p->last());
    waiter->learn();
    drop(t, p);
  }
  awaited.clear();
}

} // namespace fletcher::constructs
