// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/data_race.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fletcher::rules {

namespace {

using order::RecordId;

/// An untied task has a record for each thread that it went on with.
bool same_task(const order::StrandTables& tables, RecordId a, RecordId b) {
  return a == b || (a != RecordId::none && b != RecordId::none && tables.task(a).id == tables.task(b).id);
}

/// How many generations `ancestor` is above `record`; 0 where it is not.
unsigned generations(const order::StrandTables& tables, RecordId ancestor, RecordId record) {
  unsigned n = 1;
  for (RecordId r = tables.task(record).parent; r != RecordId::none; r = tables.task(r).parent, ++n)
    if (same_task(tables, r, ancestor)) return n;
  return 0;
}

bool is_explicit(const order::TaskRecord& r) { return r.kind == TaskKind::explicit_ || r.kind == TaskKind::target; }

/// The implicit task that `record` is or descends from.
RecordId member(const order::StrandTables& tables, RecordId record) {
  while (is_explicit(tables.task(record)) && tables.task(record).parent != RecordId::none)
    record = tables.task(record).parent;
  return record;
}

/// What two members of a team did, or the tasks that they created, with a begin or end of a worksharing construct in
/// between that both members meet.
bool in_two_constructs(const order::StrandTables& tables, const access::Race& race) {
  if (tables.block_of(race.later).work.steps_after(tables.block_of(race.earlier).work) == 0) return false;
  const order::TaskRecord &x = tables.task(member(tables, race.later_task)),
                          &y = tables.task(member(tables, race.earlier_task));
  return x.kind == TaskKind::implicit && y.kind == TaskKind::implicit && same_task(tables, x.parent, y.parent);
}

/// The two tasks, each `a` or `b` or an ancestor of it, whose common parent is the nearest common ancestor. Neither of
/// `a` and `b` is an ancestor of the other.
std::pair<RecordId, RecordId> parting(const order::StrandTables& tables, RecordId a, RecordId b) {
  const auto depth = [&](RecordId r) {
    std::size_t n = 0;
    for (; r != RecordId::none; r = tables.task(r).parent) ++n;
    return n;
  };
  const auto parent = [&](RecordId r) { return tables.task(r).parent; };
  std::size_t of_a = depth(a), of_b = depth(b);
  for (; of_a > of_b; --of_a) a = parent(a);
  for (; of_b > of_a; --of_b) b = parent(b);
  while (parent(a) != RecordId::none && parent(b) != RecordId::none && !same_task(tables, parent(a), parent(b)))
    a = parent(a), b = parent(b);
  return {a, b};
}

/// What a task's list says of the item at `address`, which begins there or at most so many bytes before.
std::optional<Dependence> declaration(const auto& list, Address address, Address before) {
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const Dependence& d) { return d.all_memory || address - d.address <= before; });
  return at == list.end() ? std::nullopt : std::optional<Dependence>(*at);
}

/// The same of two tasks. Clauses tell where items begin, not their sizes: where one begins at the address, what begins
/// before it is its neighbour.
std::pair<std::optional<Dependence>, std::optional<Dependence>> declarations(const auto& a, const auto& b,
                                                                             Address address) {
  const auto begins = [&](const Dependence& d) { return !d.all_memory && d.address == address; };
  const bool exact = std::any_of(a.begin(), a.end(), begins) || std::any_of(b.begin(), b.end(), begins);
  const Address before = exact ? 0 : address % 8;
  return {declaration(a, address, before), declaration(b, address, before)};
}

/// A lock or critical construct that both hold, in two contention groups.
bool shared_by_teams(const std::vector<access::Held>& a, const std::vector<access::Held>& b) {
  return std::any_of(a.begin(), a.end(), [&](const access::Held& held) {
    return std::any_of(b.begin(), b.end(), [&](const access::Held& other) {
      const access::Exclusion &x = held.exclusion, &y = other.exclusion;
      return x.kind == access::Exclusion::Kind::mutex && x.kind == y.kind && x.mutex.kind == y.mutex.kind &&
             x.mutex.address == y.mutex.address;
    });
  });
}

/// The initial task of its team of a league; none outside of leagues.
RecordId team_of_league(const order::StrandTables& tables, RecordId task) {
  while (task != RecordId::none && !tables.task(task).of_league) task = tables.task(task).parent;
  return task;
}

/// Nothing orders or excludes these but atomics: barriers, locks and critical constructs are those of one team.
bool in_two_teams(const order::StrandTables& tables, RecordId a, RecordId b) {
  const RecordId x = team_of_league(tables, a), y = team_of_league(tables, b);
  return x != RecordId::none && y != RecordId::none && !same_task(tables, x, y);
}

bool has_lock(const std::vector<access::Held>& set) {
  return std::any_of(set.begin(), set.end(),
                     [](const access::Held& held) { return held.exclusion.kind == access::Exclusion::Kind::mutex; });
}

bool atomic(access::Kind k) { return k == access::Kind::atomic_read || k == access::Kind::atomic_write; }

} // namespace

// Of code that is not instrumented neither atomic operations nor a thread's own data are seen, by which it may keep two
// tasks apart. So two count that OpenMP's dependences and waits are made for, a task and its sibling or ancestor, and
// memory that one of them names in a depend clause: that is no thread's own.
bool DataRace::is_certain(const access::Race& race) const {
  const order::StrandTables& tables = execution_.tables();
  const RecordId later = race.later_task, earlier = race.earlier_task;
  const order::TaskRecord &a = tables.task(later), &b = tables.task(earlier);
  const bool siblings = is_explicit(a) && is_explicit(b) && same_task(tables, a.parent, b.parent);
  const bool related = siblings || (is_explicit(a) && generations(tables, earlier, later) != 0) ||
                       (is_explicit(b) && generations(tables, later, earlier) != 0);
  if (!related || race.predicted || flushed_.load(std::memory_order_relaxed) ||
      execution_.calls().is_ending(race.later_site) || execution_.calls().is_ending(race.earlier_site))
    return false;
  const access::MemoryExtent extent = memory_->around(race.address, ThreadId{a.thread});
  const auto names_it = [&](RecordId task) {
    const auto declared = tables.dependences_of(task);
    return std::any_of(declared.begin(), declared.end(), [&](const Dependence& one) {
      return !one.all_memory && one.address - extent.begin < extent.end - extent.begin;
    });
  };
  return names_it(later) || names_it(earlier);
}

access::Repeats DataRace::race(const access::Race& race) {
  if (memory_ != nullptr && !is_certain(race)) return access::Repeats::none;
  const Address a = execution_.calls().pc(race.later_site), b = execution_.calls().pc(race.earlier_site);
  const order::StrandTables& tables = execution_.tables();
  const RecordId later = race.later_task, earlier = race.earlier_task;
  const bool between_teams = in_two_teams(tables, later, earlier);
  Callers callers{execution_.calls().caller(race.later_site), execution_.calls().caller(race.earlier_site)};
  if (b < a || (a == b && callers.second < callers.first)) std::swap(callers.first, callers.second);
  const bool all_callers = reporter_.report({Rule::data_race, std::min(a, b), std::max(a, b), between_teams}, callers,
                                            [&] { return describe_race(race); });
  if (team_of_league(tables, later) != RecordId::none) return access::Repeats::none;
  return all_callers ? access::Repeats::same_places : access::Repeats::same_callers;
}

Finding DataRace::describe_race(const access::Race& race) {
  Finding f;
  f.rule = Rule::data_race;
  f.severity = Severity::error;
  const RecordId later = race.later_task, earlier = race.earlier_task;
  f.accesses.push_back(
      describe(execution_, race.later, later, race.later_site, race.later_kind, race.later_bytes, earlier));
  f.accesses.push_back(
      describe(execution_, race.earlier, earlier, race.earlier_site, race.earlier_kind, race.earlier_bytes, later));
  // A device's copy has the name of what it is a copy of.
  const Address variable = mappings_.original(race.address);
  for (AccessDescription& one : f.accesses) one.address += variable - race.address;
  f.object = describe_stack(execution_, variable);
  f.predicted = race.predicted;
  f.divided = race.divided;
  f.alone = race.alone;
  explain(race, f);
  return f;
}

void DataRace::explain(const access::Race& race, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  const order::StrandBlock &later = tables.block_of(race.later), &earlier = tables.block_of(race.earlier);
  const LocksetId later_locks = later.held_by(race.later), earlier_locks = earlier.held_by(race.earlier);
  const std::vector<access::Held> by_later = execution_.locksets().members(later_locks),
                                  by_earlier = execution_.locksets().members(earlier_locks);
  const auto is_operation = [&](RecordId task) { return tables.task(task).kind == TaskKind::operation; };
  if (is_operation(race.later_task) || is_operation(race.earlier_task)) {
    f.cause = Cause::pending_operation;
    return;
  }
  const bool one_is_atomic = atomic(race.later_kind) != atomic(race.earlier_kind);
  if (shared_by_teams(by_later, by_earlier) ||
      (!one_is_atomic && in_two_teams(tables, race.later_task, race.earlier_task))) {
    f.cause = Cause::missing_mutual_exclusion;
    f.fix = "atomic or reduction";
    return;
  }
  if (later_locks != LocksetId::empty && earlier_locks != LocksetId::empty) {
    f.cause = Cause::different_locks;
    f.fix = "protect both accesses by the same lock";
    return;
  }
  if (one_is_atomic && !in_two_constructs(tables, race)) {
    f.cause = Cause::not_atomic;
    f.fix = "make the other access atomic too";
    f.fix_place = execution_.calls().stack(atomic(race.later_kind) ? race.earlier_site : race.later_site);
    return;
  }
  explain_order(race, f);
  // Who locks means to exclude others, unless something was to order the two.
  const auto [by_later_task, by_earlier_task] =
      declarations(tables.dependences_of(race.later_task), tables.dependences_of(race.earlier_task), race.address);
  const bool declared = by_later_task || by_earlier_task;
  const bool unordered =
      f.cause == Cause::missing_mutual_exclusion || (f.cause == Cause::missing_dependence && !declared);
  if (unordered && has_lock(by_later) != has_lock(by_earlier)) {
    f.cause = Cause::one_side_locked;
    f.fix = "protect this access by the same lock";
    f.fix_place = f.accesses[has_lock(by_later) ? 1 : 0].stack;
  }
}

void DataRace::explain_order(const access::Race& race, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  const bool of_tasks = is_explicit(tables.task(race.later_task)) || is_explicit(tables.task(race.earlier_task));
  if (of_tasks && !race.assigned && !in_two_constructs(tables, race))
    explain_tasks(race, f);
  else
    explain_team(race, f);
}

void DataRace::explain_team(const access::Race& race, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  const order::WorkPlace later = tables.block_of(race.later).work, earlier = tables.block_of(race.earlier).work;
  if (const std::int32_t steps = later.steps_after(earlier); steps != 0) {
    // Later in the program's text, not in time: the barrier belongs before it.
    const bool swapped = steps < 0;
    const ContextId second = (swapped ? earlier : later).construct();
    const order::TaskRecord& task = tables.task(swapped ? race.earlier_task : race.later_task);
    f.cause = Cause::missing_barrier;
    f.fix = "barrier";
    if (second != ContextId::none)
      f.fix_place = execution_.calls().stack(second);
    else
      f.fix_place = is_explicit(task) ? execution_.calls().stack(task.creation) : f.accesses[swapped ? 1 : 0].stack;
    return;
  }
  // Only a masked construct is not met by all.
  if ((later.construct() == ContextId::none) != (earlier.construct() == ContextId::none)) {
    f.cause = Cause::missing_barrier;
    f.fix = "barrier";
    return;
  }
  f.cause = Cause::missing_mutual_exclusion;
  f.fix = "atomic, critical, reduction or private";
  f.fix_place = f.accesses.front().stack;
}

// Cousins, or a task of one member of a team and another member.
void DataRace::explain_relatives(RecordId later, RecordId earlier, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  auto [x, y] = parting(tables, later, earlier);
  const order::TaskRecord &a = tables.task(x), &b = tables.task(y);
  if (!is_explicit(a) || !is_explicit(b)) {
    const bool one_is_member = x == later || y == earlier;
    f.cause = one_is_member ? Cause::missing_barrier : Cause::missing_mutual_exclusion;
    f.fix = one_is_member ? "" : "atomic or critical";
    f.fix_place = f.accesses.front().stack;
  } else if (a.creation == b.creation) {
    f.cause = Cause::missing_mutual_exclusion;
    f.fix = a.taskloop ? "atomic or critical" : "atomic, critical or depend";
  } else { // who creates both has to wait in between; taskwait waits for children only
    const bool b_first = number(b.id) < number(a.id);
    f.cause = Cause::missing_taskwait;
    f.fix = (b_first ? y == earlier : x == later) ? "taskwait" : "taskgroup";
    f.fix_place = execution_.calls().stack((b_first ? a : b).creation);
  }
}

// Who creates the tasks around both can wait in between, if it is one task that creates them at two places.
void DataRace::explain_cousins(RecordId later, RecordId earlier, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  const auto [x, y] = parting(tables, later, earlier);
  const order::TaskRecord &a = tables.task(x), &b = tables.task(y);
  if (!is_explicit(a) || !is_explicit(b) || a.creation == b.creation) return;
  f.fix = "taskgroup";
  f.fix_place = execution_.calls().stack((number(b.id) < number(a.id) ? a : b).creation);
}

void DataRace::explain_tasks(const access::Race& race, Finding& f) {
  const order::StrandTables& tables = execution_.tables();
  const RecordId later = race.later_task, earlier = race.earlier_task;
  const unsigned below_earlier = generations(tables, earlier, later), below_later = generations(tables, later, earlier);
  if (below_earlier != 0 || below_later != 0) {
    // One side is an ancestor that went on without waiting.
    f.cause = Cause::missing_taskwait;
    f.fix = std::max(below_earlier, below_later) == 1 ? "taskwait" : "taskgroup"; // taskwait waits for children only
    f.fix_place = f.accesses[below_earlier != 0 ? 1 : 0].stack;
    return;
  }
  const order::TaskRecord &a = tables.task(later), &b = tables.task(earlier);
  const bool siblings = same_task(tables, a.parent, b.parent) && is_explicit(a) && is_explicit(b);
  const auto [da, db] = declarations(tables.dependences_of(later), tables.dependences_of(earlier), race.address);
  f.fix_place = f.accesses.front().tasks.front().creation;
  if (!siblings && da && db) {
    f.cause = Cause::non_sibling_dependence;
    explain_cousins(later, earlier, f);
  } else if (!siblings || a.taskloop || b.taskloop) {
    explain_relatives(later, earlier, f);
  } else if (da && db) {
    f.cause = Cause::wrong_dependence_type;
    f.fix = "depend(inout)";
    // The clause that has to change is that of the task which writes what it declares to read.
    const bool earlier_lies = db->type == DependenceType::in && writes(race.earlier_kind);
    const bool later_lies = da->type == DependenceType::in && writes(race.later_kind);
    if (earlier_lies && !later_lies) f.fix_place = f.accesses[1].tasks.front().creation;
  } else if (a.creation == b.creation && tables.details_of(later).dependences == 0 &&
             tables.details_of(earlier).dependences == 0) {
    f.cause = Cause::missing_mutual_exclusion;
    f.fix = "atomic, critical or depend";
  } else {
    f.cause = Cause::missing_dependence;
    f.fix = da || db ? "depend" : "depend in both";
    if (da) f.fix_place = f.accesses[1].tasks.front().creation;
  }
}

} // namespace fletcher::rules
