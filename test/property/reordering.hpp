// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small traces of tasks with locks, reads and writes, and by brute force all their sync-preserving correct reorderings:
// what prediction may say at most (Mathur, Pavlogiannis, Viswanathan, POPL 2021). A correct reordering keeps each
// task's order, and that of creations and waits, lets a lock be held by one at a time, and each read in it reads what
// it read in the trace; a sync-preserving one has the sections of each lock in the trace's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fletcher::property {

struct TraceEvent {
  /// `wait`: for the children that the task has created so far.
  enum class Op : std::uint8_t { acquire, release, read, write, atomic_read, atomic_write, create, wait } op = Op::read;
  unsigned task = 0;
  unsigned object = 0; ///< the lock, the variable, or the created task
};
constexpr bool is_access(TraceEvent e) { return e.op >= TraceEvent::Op::read && e.op <= TraceEvent::Op::atomic_write; }
constexpr bool is_read(TraceEvent e) { return e.op == TraceEvent::Op::read || e.op == TraceEvent::Op::atomic_read; }
constexpr bool is_write(TraceEvent e) { return is_access(e) && !is_read(e); }
constexpr bool is_atomic(TraceEvent e) {
  return e.op == TraceEvent::Op::atomic_read || e.op == TraceEvent::Op::atomic_write;
}
constexpr bool in_conflict(TraceEvent a, TraceEvent b) {
  return is_access(a) && is_access(b) && a.object == b.object && (is_write(a) || is_write(b)) &&
         !(is_atomic(a) && is_atomic(b));
}

struct Trace {
  std::vector<TraceEvent> events;
  unsigned members = 2; ///< tasks 0, 1, … that are there from the beginning
  unsigned tasks = 2;   ///< all of them

  std::string text() const;
};

/// Tasks with accesses, critical sections (also nested ones, in the locks' order), children and waits for them, one
/// event at a time in a random order.
Trace random_trace(std::uint64_t seed);

/// A trace without some of the events that still differs, as far as leaving out one thing after the other gets.
Trace shrink(Trace trace, const std::function<bool(const Trace&)>& differs);

/// O(states that the reorderings meet), exponential in the number of tasks.
class Reorderings {
public:
  explicit Reorderings(const Trace& trace);
  /// Some reordering ends right before both events, which then come next.
  bool adjacent(std::size_t a, std::size_t b) const { return adjacent_.contains(std::minmax(a, b)); }

private:
  static constexpr std::uint8_t nothing = 0xff;
  /// How many events of each task have happened; who wrote each variable last; the last acquisition of each lock, and
  /// whether it is held. Bytes, so that it can be remembered as a string.
  struct State {
    std::string at, writer, section, held;
    std::string key() const { return at + writer + section + held; }
  };
  const TraceEvent& event(std::size_t i) const { return trace_.events[i]; }
  bool happened(const State& s, std::size_t event) const;
  /// The index of the task's next event; that of the trace's end where it has none, or has not been created.
  std::size_t next(const State& s, unsigned task) const;
  bool can_happen(const State& s, std::size_t event) const;
  void explore(State s);

  const Trace& trace_;
  std::vector<std::vector<std::size_t>> of_task_;
  std::vector<std::size_t> place_;              ///< of an event: how many of its task come before it
  std::vector<std::size_t> created_;            ///< by task: its creation; the trace's end for members
  std::vector<std::uint8_t> writer_;            ///< by read: whose value it read
  std::vector<std::vector<unsigned>> children_; ///< by wait: the tasks that it waits for
  std::set<std::string> seen_;
  std::set<std::pair<std::size_t, std::size_t>> adjacent_;
};

} // namespace fletcher::property
