// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/dependences.hpp"

#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::constructs {

namespace {
bool is_set(DependenceType t) { return t == DependenceType::mutexinoutset || t == DependenceType::inoutset; }

// Two different types on one address are an inout, as their pairs with other siblings say.
std::vector<Dependence> one_per_address(std::span<const Dependence> list) {
  std::vector<Dependence> merged;
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

void append(std::vector<Task*>& to, const std::vector<Task*>& from) { to.insert(to.end(), from.begin(), from.end()); }
} // namespace

void DependenceMap::collect(const Location& l, DependenceType type, std::vector<Task*>& result) const {
  if (type == DependenceType::in) {
    append(result, l.last);
  } else if (is_set(type) && l.type == type && l.readers.empty() && !l.last.empty()) {
    append(result, l.before);
  } else {
    // Readers come after `last` themselves; where there are none, `last` is what counts.
    append(result, l.readers.empty() ? l.last : l.readers);
  }
}

std::vector<Task*> DependenceMap::predecessors(std::span<const Dependence> list) const {
  std::vector<Task*> result;
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
    if (everything_ != nullptr) result.push_back(everything_);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void DependenceMap::keep(std::vector<Task*>& where, Task* task) {
  where.push_back(task);
  changes_.emplace_back(task, true);
}

void DependenceMap::let_go(std::vector<Task*>& tasks) {
  for (Task* t : tasks) changes_.emplace_back(t, false);
  tasks.clear();
}

void DependenceMap::enter_everything(Task* task) {
  for (auto& [address, location] : locations_) {
    let_go(location.last);
    let_go(location.before);
    let_go(location.readers);
  }
  locations_.clear();
  if (everything_ != nullptr) changes_.emplace_back(everything_, false);
  everything_ = task;
  changes_.emplace_back(task, true);
}

void DependenceMap::enter(Task* task, std::span<const Dependence> list) {
  for (const Dependence& d : list)
    if (d.all_memory) return enter_everything(task);
  for (const Dependence& d : list) {
    const auto [at, is_new] = locations_.try_emplace(d.address);
    Location& l = at->second;
    if (is_new && everything_ != nullptr) keep(l.last, everything_);
    const auto names = [&](const std::vector<Task*>& tasks) { return !tasks.empty() && tasks.back() == task; };
    if (names(l.last)) continue; // the same item twice: the stronger clause came first, or says the same
    if (d.type == DependenceType::in) {
      if (!names(l.readers)) keep(l.readers, task);
      continue;
    }
    if (is_set(d.type) && l.type == d.type && l.readers.empty() && !l.last.empty()) {
      keep(l.last, task);
      continue;
    }
    if (std::erase(l.readers, task) != 0) changes_.emplace_back(task, false); // `in` and `inout` of one item
    std::vector<Task*> before = std::move(l.readers.empty() ? l.last : l.readers);
    let_go(l.last);
    let_go(l.before);
    l.type = d.type;
    if (is_set(d.type))
      l.before = std::move(before);
    else
      let_go(before);
    keep(l.last, task);
  }
}

void Execution::declare(const TaskDependences& e) {
  Task* made = task(e.task);
  if (made == nullptr || made->parent == nullptr) return;
  access::ThreadState& t = thread(e.thread);
  made->declared.assign(e.list);
  Task& parent = *made->parent;
  if (parent.siblings == nullptr) parent.siblings = std::make_unique<DependenceMap>();
  const std::vector<Dependence> merged = one_per_address(e.list);
  made->predecessors.assign(parent.siblings->predecessors(merged));
  for (Task* p : made->predecessors) retain(*p);
  parent.siblings->enter(made, merged, [this](Task* s) { retain(*s); }, [this, &t](Task* s) { drop(t, s); });
}

// Whom it waits for is known when it begins; their ends are there when it has ended.
void Execution::taskwait_depend(const TaskwaitDepend& e) {
  Task* waiter = task(e.task);
  if (waiter == nullptr) return;
  std::vector<Task*>& awaited = waiter->rare().awaited;
  if (!e.list.empty() && waiter->siblings != nullptr) {
    for (Task* p : waiter->siblings->predecessors(e.list)) {
      retain(*p);
      awaited.push_back(p);
    }
  }
  waiter->wait = {e.begin ? Wait::Kind::predecessors : Wait::Kind::none, {}, e.pc};
  if (e.begin) return;
  access::ThreadState& t = thread(e.thread);
  for (Task* p : awaited) {
    waiter->known.join(p->known);
    waiter->known.raise(p->chain, p->last);
    waiter->learned = true;
    drop(t, p);
  }
  awaited.clear();
}

} // namespace fletcher::constructs
