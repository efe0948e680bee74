// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lock-order-cycle says of a circle: whether another run comes to it, what may keep it from that, and the words.
#include "checker/memory/hash.hpp"
#include "checker/rules/describe.hpp"
#include "checker/rules/locks/lock_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace fletcher::rules {

namespace {
constexpr std::uint64_t most_steps = std::uint64_t{1} << 28; ///< of all decisions: seconds of a run
constexpr std::uint32_t asked_each_time = 8;                 ///< about one circle; then ever more rarely
constexpr std::size_t most_circles = 1u << 14;
} // namespace

namespace {
bool is_waited_for(const auto& path, std::uint64_t key) {
  return std::any_of(path.begin(), path.end(), [&](const auto& node) { return node.first->wanted.key == key; });
}
bool is_or_was_held(const LocksAround& locks, std::uint64_t key) {
  return std::any_of(locks.begin(), locks.end(), [&](const LockAround& around) {
    const auto& left = around.lock.left;
    return around.lock.key == key ||
           std::any_of(left.begin(), left.end(), [&](const constructs::LeftMutex& l) { return l.key == key; });
  });
}
} // namespace

// A lock that one of the tasks has had when it took what it holds, and another one too, or has when it waits: the tasks
// may leave word under it of what they hold. Of several one that is itself waited for.
std::optional<constructs::LeftMutex> LockOrder::common_guard(const Path& path) {
  std::optional<constructs::LeftMutex> guard;
  for (const auto& one : path)
    for (const LockAround& around : one.first->held)
      for (const constructs::LeftMutex& left : around.lock.left) {
        const bool is_common = std::any_of(path.begin(), path.end(), [&](const auto& other) {
          return &other != &one && is_or_was_held(other.first->held, left.key);
        });
        if (!is_common) continue;
        if (is_waited_for(path, left.key)) return left;
        if (!guard) guard = left;
      }
  return guard;
}

// Where the accesses under the guard are not seen. One that is itself waited for, by a task that let go of it and holds
// what it took under it, is that of a count: the first one in takes what the last one out releases, and who finds
// that it is taken does not wait for it (readers and writers; Courtois, Heymans and Parnas, CACM 14(10), 1971).
LockOrder::Verdict LockOrder::guarded(const Path& path, std::optional<constructs::LeftMutex> guard) {
  if (!guard) return {};
  if (is_waited_for(path, guard->key)) return {Verdict::Kind::impossible};
  return {Verdict::Kind::guarded, std::move(guard)};
}

predict::Certainty LockOrder::certainty(const Path& path) {
  if (steps_ > most_steps) return predict::Certainty::unknown;
  std::vector<predict::Approach> waits;
  for (const auto& [dependency, wait] : path) waits.push_back({wait->known, wait->chain, wait->strand});
  const predict::DeadlockAnswer answer = predict::sync_preserving_deadlock(execution_.tables(), *log_, waits);
  steps_ += answer.steps;
  return answer.certainty;
}

LockOrder::Verdict LockOrder::judge(const Path& path) {
  using Kind = Verdict::Kind;
  if (!posix_is_told_) return {Kind::impossible};
  // Who waits for a lock that any task unsets does not wait for the one that set it.
  if (std::any_of(path.begin(), path.end(),
                  [&](const auto& node) { return execution_.changes_hands(node.first->wanted.key); }))
    return {Kind::impossible};
  std::optional<constructs::LeftMutex> guard = common_guard(path);
  if (log_ == nullptr) {
    Verdict verdict = guarded(path, std::move(guard));
    if (verdict.kind != Kind::impossible && execution_.locks_change_hands()) verdict = {Kind::changed};
    return verdict;
  }
  const FindingKey key = key_of(path);
  const std::uint64_t circle = memory::mix(key.first, key.second);
  if (asked_.size() < most_circles || asked_.contains(circle))
    if (const std::uint32_t asked = ++asked_[circle]; asked > asked_each_time && !std::has_single_bit(asked))
      return {Kind::again};
  // What decides of a reordering knows no units of work.
  if (of_one_task(path)) return guard ? guarded(path, std::move(guard)) : Verdict{Kind::moved};
  switch (certainty(path)) {
  case predict::Certainty::certain:
    return {};
  case predict::Certainty::unseen:
    return guarded(path, std::move(guard));
  case predict::Certainty::refuted:
    return {guard ? Kind::impossible : Kind::by_values};
  case predict::Certainty::unknown:
    return {execution_.locks_change_hands() ? Kind::changed : Kind::undecided};
  }
  return {};
}

void LockOrder::report(const Path& path) {
  const Verdict verdict = judge(path);
  if (verdict.kind >= Verdict::Kind::impossible) return;
  if (verdict.kind == Verdict::Kind::certain)
    for (const auto& [dependency, wait] : path) dependency->reported = true;
  auto [key, finding] = describe(path, verdict);
  reporter_.report(key, [&] { return std::move(finding); });
}

// Of two places each is in the key; more are distinguished by the sum of what they are mixed to.
FindingKey LockOrder::key_of(const Path& path) const {
  const auto place = [&](const auto& node) { return execution_.calls().pc(node.first->wanted.acquired); };
  const auto by_place = [&](const auto& a, const auto& b) { return place(a) < place(b); };
  const auto [least, most] = std::minmax_element(path.begin(), path.end(), by_place);
  Address others = place(*least);
  if (path.size() > 2)
    others = std::accumulate(path.begin(), path.end(), Address{0}, [&](Address sum, const auto& node) {
      return sum + memory::mix(path.size(), place(node));
    });
  return {Rule::lock_order_cycle, others, place(*most)};
}

namespace {
std::string doubt(std::size_t step_of_guard, auto kind) {
  using Kind = decltype(kind);
  switch (kind) {
  case Kind::guarded:
    return ", unless data that they read under the {lock " + std::to_string(step_of_guard) + "} keeps them apart";
  case Kind::by_values:
    return ", unless values that they read keep them apart: in this run, one of them had read what another one wrote "
           "after its wait";
  case Kind::undecided:
    return ", unless values that they read keep them apart: the region had too many critical sections to decide";
  case Kind::changed:
    return ", unless other tasks unset the locks meanwhile, as they do in this program";
  case Kind::moved:
    return ", if two threads execute what one thread executed in this run, unless values that they read keep them "
           "apart";
  default:
    return {};
  }
}
} // namespace

LockOrder::Found LockOrder::describe(Path path, const Verdict& verdict) const {
  const access::CallTree& calls = execution_.calls();
  FindingKey key = key_of(path);
  const auto place = [&](const auto& node) { return calls.pc(node.first->wanted.acquired); };
  // The words do not depend on which of them came last.
  const auto by_place = [&](const auto& a, const auto& b) { return place(a) < place(b); };
  std::rotate(path.begin(), std::max_element(path.begin(), path.end(), by_place), path.end());
  Finding f;
  f.rule = Rule::lock_order_cycle;
  key.doubtful = verdict.kind != Verdict::Kind::certain;
  f.severity = key.doubtful ? Severity::warning : Severity::error;
  f.predicted = true;
  f.message = "the {lock 0} is taken while the {lock 1} is held, ";
  f.message += path.size() == 2 ? "and {task 2} takes them in the opposite order"
                                : "and so on in a circle of " + std::to_string(path.size()) + " locks";
  f.message += ": when each holds its first lock, they wait for each other forever";
  f.message += doubt(2 * path.size(), verdict.kind);
  std::uint64_t waited_for = path.back().first->wanted.key;
  for (const auto& [dependency, wait] : path) {
    const bool first = dependency == path.front().first;
    const order::RecordId record = execution_.tables().block_of(wait->strand).task;
    f.steps.push_back({first ? "" : "{task} takes the {lock} here", calls.stack(dependency->wanted.acquired),
                       dependency->wanted.mutex, lineage(execution_, record)});
    const LockAround& around = *dependency->blocking(waited_for);
    const bool by_waiter = around.owner != TaskId::none;
    const char* const holder = by_waiter ? "the task that waits for it holds the {lock}, taken here"
                               : first   ? "{task 0} holds the {lock}, taken here"
                                         : "and holds the {lock}, taken here";
    f.steps.push_back({holder, calls.stack(around.lock.acquired), around.lock.mutex});
    waited_for = dependency->wanted.key;
  }
  if (verdict.guard)
    f.steps.push_back({"the {lock} was acquired here, before the locks that are held",
                       calls.stack(verdict.guard->acquired), verdict.guard->mutex});
  return {key, std::move(f)};
}

} // namespace fletcher::rules
