// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/dependences/unmatched_dependence.hpp"

#include "checker/constructs/dependences/dependences.hpp"
#include "checker/rules/dependences/dependence_types.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fletcher::rules {

namespace {

using constructs::NamedStorage;
using constructs::Task;

// What a construct's list is known by where it is not an item of a task's.
constexpr std::uint32_t whole_list = ~0u, a_wait = ~0u - 1;

// Addresses that are kept over all parents.
constexpr std::size_t most = 1u << 16;
// Mismatches of one task with those of one construct: some may turn out to be ordered by other means.
constexpr std::ptrdiff_t most_of_task = 16;

std::optional<Dependence> item_at(const Task& task, Address address) {
  for (const Dependence d : task.depend.items())
    if (d.address == address && !d.all_memory) return d;
  return std::nullopt;
}

bool all_read(const constructs::DependList& list) {
  const auto items = list.items();
  return std::all_of(items.begin(), items.end(),
                     [](const Dependence& d) { return d.type == DependenceType::in && !d.all_memory; });
}

AccessDescription described(const access::CallTree& calls, ContextId place, const Dependence& item) {
  return {.type = item.type == DependenceType::in ? AccessType::read : AccessType::write,
          .address = item.address,
          .size = 0,
          .stack = calls.stack(place),
          .tasks = {},
          .locks = {},
          .declared = {}};
}

} // namespace

// Siblings with an item that means the same memory, but begins elsewhere.
template <class F>
void UnmatchedDependence::mismatches(const Task& parent, const Dependence& own, const Storage& storage, F found) const {
  NamedStorage& named = *parent.used()->storage;
  const auto with = [&](Mismatch::Kind kind, Address address) {
    parent.now().siblings->named(address, [&](Task* earlier) {
      const std::optional<Dependence> theirs = item_at(*earlier, address);
      if (theirs && conflict(theirs->type, own.type)) found(Mismatch{kind, earlier, *theirs, own});
    });
  };
  named.overlapping(own.address, storage.size, [&](Address other) { with(Mismatch::Kind::overlap, other); });
  // Where pointers themselves are written by tasks, they are what is meant.
  if (storage.content != 0 && storage.content != own.address && !named.may_be_written(own.address) &&
      own.type == DependenceType::in)
    with(Mismatch::Kind::pointer, storage.content);
  if (own.type != DependenceType::in)
    named.pointers_to(own.address, [&](Address pointer) {
      if (!named.may_be_written(pointer)) with(Mismatch::Kind::pointer, pointer);
    });
}

void UnmatchedDependence::declared(access::ThreadState& thread, Task& made, std::span<const Storage> storage) {
  Task* const parent = made.parent();
  if (parent == nullptr || parent->team() == nullptr || parent->now().siblings == nullptr) return;
  std::unique_ptr<NamedStorage>& storage_of_parent = execution_.use(thread, *parent).storage;
  if (storage_of_parent == nullptr) storage_of_parent = std::make_unique<NamedStorage>();
  NamedStorage& named = *storage_of_parent;
  const bool reads_only = all_read(made.depend);
  const Address pc = execution_.calls().pc(made.creation);
  const bool told = is_told(named, pc);
  const auto names = [&](const Task* other, Address address) { return item_at(*other, address).has_value(); };
  const auto items = made.depend.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Dependence d = items[i];
    if (d.all_memory) {
      named.write_all();
      continue;
    }
    const Storage known = i < storage.size() ? storage[i] : Storage{};
    if (d.type != DependenceType::in) named.write(d.address);
    if (!told)
      mismatches(*parent, d, known, [&](const Mismatch& m) {
        if (m.earlier == &made || names(&made, m.theirs.address) || names(m.earlier, d.address)) return;
        if (remember(made, m)) execution_.retain(*m.earlier);
      });
    if (d.type == DependenceType::in && (reads_only || every_reader_))
      named.read({pc, every_reader_ ? static_cast<std::uint32_t>(i) : whole_list}, made.creation, d.address,
                 items_.find(d.address));
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const Dependence d = items[i]; !d.all_memory)
      named.enter(d.address, i < storage.size() ? storage[i] : Storage{});
}

void UnmatchedDependence::started(access::ThreadState& thread, Task& task) {
  for (const Mismatch& m : taken(task)) {
    if (!execution_.ended_before(*m.earlier, task)) report(m, task.creation, false);
    execution_.drop(thread, m.earlier);
  }
}

void UnmatchedDependence::discarded(access::ThreadState& thread, const Task& task) {
  for (const Mismatch& m : taken(task)) execution_.drop(thread, m.earlier);
}

bool UnmatchedDependence::remember(const Task& task, const Mismatch& mismatch) {
  const Address theirs = execution_.calls().pc(mismatch.earlier->creation);
  const memory::SpinGuard guard(lock_);
  if (told_pairs_.contains({execution_.calls().pc(task.creation), theirs})) return false;
  std::vector<Mismatch>& all = mismatches_[number(task.id)];
  const auto alike = std::count_if(all.begin(), all.end(), [&](const Mismatch& m) {
    return m.kind == mismatch.kind && execution_.calls().pc(m.earlier->creation) == theirs;
  });
  if (alike >= most_of_task) return false;
  all.push_back(mismatch);
  some_mismatch_.store(true, std::memory_order_release);
  return true;
}

// With every construct that creates children here: nothing new can be found. What was reported stays so.
bool UnmatchedDependence::is_told(NamedStorage& named, Address pc) {
  const std::vector<Address>& constructs = named.constructs(pc);
  if (constructs.size() > NamedStorage::most_constructs) return false;
  std::size_t& told_with = named.told_with(pc);
  if (told_with == constructs.size()) return true;
  const memory::SpinGuard guard(lock_);
  if (!std::all_of(constructs.begin(), constructs.end(),
                   [&](Address other) { return told_pairs_.contains({pc, other}); }))
    return false;
  told_with = constructs.size();
  return true;
}

std::vector<UnmatchedDependence::Mismatch> UnmatchedDependence::taken(const Task& task) {
  if (!some_mismatch_.load(std::memory_order_acquire)) return {};
  const memory::SpinGuard guard(lock_);
  const auto at = mismatches_.find(number(task.id));
  if (at == mismatches_.end()) return {};
  std::vector<Mismatch> result = std::move(at->second);
  mismatches_.erase(at);
  some_mismatch_.store(!mismatches_.empty(), std::memory_order_release);
  return result;
}

void UnmatchedDependence::waits(Task& waiter, std::span<const Dependence> list, std::span<const Storage> storage,
                                ContextId place) {
  if (waiter.team() == nullptr || waiter.now().siblings == nullptr || waiter.now().siblings->empty() ||
      waiter.used() == nullptr || waiter.used()->storage == nullptr)
    return; // nothing is there to wait for
  if (std::any_of(list.begin(), list.end(), [](auto& d) { return d.type == DependenceType::mutexinoutset; })) return;
  const bool matches = !waiter.now().siblings->predecessors(list).empty();
  for (std::size_t i = 0; i < list.size() && !matches; ++i)
    mismatches(waiter, list[i], i < storage.size() ? storage[i] : Storage{}, [&](const Mismatch& m) {
      if (!execution_.ended_before(*m.earlier, waiter)) report(m, place, true);
    });
  const memory::SpinGuard guard(lock_);
  Outcome& outcome = outcomes_[{execution_.calls().pc(place), a_wait}];
  outcome.place = place;
  if (outcome.addresses.empty()) {
    outcome.addresses.insert(list.front().address);
    outcome.example = {list.front().address, items_.find(list.front().address)};
  }
  outcome.wait = true;
  outcome.matched |= matches;
  outcome.in_vain |= !matches;
}

void UnmatchedDependence::parent_over(Task& parent) {
  if (parent.used() == nullptr || parent.used()->storage == nullptr) return;
  const std::unique_ptr<const NamedStorage> storage = std::exchange(parent.used()->storage, nullptr);
  const NamedStorage& named = *storage;
  const memory::SpinGuard guard(lock_);
  for (const Address address : named.written())
    if (written_.size() < most) written_.insert(address);
  for (const auto& [construct, reader] : named.readers()) {
    Outcome& outcome = outcomes_[construct];
    outcome.place = reader.creation;
    const bool matched = reader.matched || std::any_of(reader.addresses.begin(), reader.addresses.end(),
                                                       [&](Address a) { return named.may_be_written(a); });
    outcome.matched |= matched || outcome.addresses.size() > most;
    outcome.in_vain |= !matched && named.any_written();
    if (outcome.matched)
      outcome.addresses.clear();
    else
      outcome.addresses.insert(reader.addresses.begin(), reader.addresses.end());
    if (reader.example.frame.call.known()) outcome.example = reader.example;
  }
}

void UnmatchedDependence::conclude() {
  const access::CallTree& calls = execution_.calls();
  const memory::SpinGuard guard(lock_);
  for (const auto& [construct, outcome] : outcomes_) {
    if (outcome.matched || !outcome.in_vain || outcome.addresses.empty() || told_.contains(construct.pc)) continue;
    // Written by tasks of another parent: non-sibling-dependence says whether that is in order.
    if (!outcome.wait && std::any_of(outcome.addresses.begin(), outcome.addresses.end(),
                                     [&](Address a) { return written_.size() >= most || written_.contains(a); }))
      continue;
    reporter_.report({Rule::unmatched_dependence, construct.pc, 0}, [&] {
      Finding f;
      f.rule = Rule::unmatched_dependence;
      f.severity = Severity::warning;
      f.message = outcome.wait
                      ? "this depend clause waits for nothing: no sibling task names {object} in its own"
                      : "this depend(in) orders nothing: no sibling task ever writes {object} by its own clause";
      f.fix = outcome.wait ? "name the same list item as the task that has to be waited for"
                           : "name the list item that a sibling writes; or remove the clause if the value was set "
                             "before the tasks were created";
      const bool known = outcome.example.frame.call.known();
      const Address address = known ? outcome.example.address : *outcome.addresses.begin();
      f.accesses.push_back(described(calls, outcome.place, {.address = address, .type = DependenceType::in}));
      if (known) f.stack_variables.push_back(outcome.example);
      return f;
    });
  }
  outcomes_.clear();
}

void UnmatchedDependence::report(const Mismatch& m, ContextId place, bool wait) {
  const access::CallTree& calls = execution_.calls();
  const Address a = calls.pc(place), b = calls.pc(m.earlier->creation);
  {
    const memory::SpinGuard guard(lock_);
    told_.insert({a, b});
    if (!wait) told_pairs_.emplace(a, b);
  }
  reporter_.report({Rule::unmatched_dependence, std::min(a, b), std::max(a, b)}, [&] {
    Finding f;
    f.rule = Rule::unmatched_dependence;
    f.severity = Severity::warning;
    const std::string who = wait ? "this wait and the task" : "the tasks";
    if (m.kind == Mismatch::Kind::overlap)
      f.message =
          clause(m.own.type) + " names a part of {object} that overlaps an earlier sibling's " + clause(m.theirs.type) +
          " but begins " +
          (m.own.address > m.theirs.address ? std::to_string(m.own.address - m.theirs.address) + " bytes after it"
                                            : std::to_string(m.theirs.address - m.own.address) + " bytes before it") +
          ": list items match only if they begin at the same address, so nothing orders " + who;
    else
      f.message = "one of two depend clauses names a pointer, {object}, and the other names what it points to: " +
                  clause(m.own.type) + " and " + clause(m.theirs.type) + " do not match, so nothing orders " + who;
    f.fix = m.kind == Mismatch::Kind::overlap ? "name an item that begins at the same address in both clauses, for "
                                                "instance the first element of the block that both use"
                                              : "name the same list item in both clauses: what the pointer points to";
    f.accesses.push_back(described(calls, place, m.own));
    f.accesses.push_back(described(calls, m.earlier->creation, m.theirs));
    if (m.kind == Mismatch::Kind::pointer && m.own.type != DependenceType::in)
      f.accesses.front().address = m.theirs.address;
    const Address shown = f.accesses.front().address;
    if (const StackFrame frame = items_.find(shown); frame.call.known()) f.stack_variables.push_back({shown, frame});
    return f;
  });
}

} // namespace fletcher::rules
