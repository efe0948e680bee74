// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reordering.hpp"

#include "random.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fletcher::property {
namespace {

using Op = TraceEvent::Op;
constexpr unsigned locks = 2, variables = 3;

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Trace run() {
    Trace trace;
    trace.members = 2 + random_.below(2);
    programs_.resize(trace.members);
    const bool with_tasks = random_.percent(60);
    for (unsigned t = 0; t < trace.members; ++t) program(t, 1 + random_.below(3), with_tasks);
    trace.tasks = static_cast<unsigned>(programs_.size());
    interleave(trace);
    return trace;
  }

private:
  void add(unsigned task, Op op, unsigned object) { programs_[task].push_back({op, task, object}); }
  void access(unsigned task) {
    constexpr std::array ops{Op::read, Op::read, Op::write, Op::write, Op::write, Op::atomic_read, Op::atomic_write};
    add(task, ops[random_.below(random_.percent(25) ? ops.size() : 5)], random_.below(variables));
  }
  void child(unsigned creator) {
    if (programs_.size() >= most_tasks) return;
    const auto made = static_cast<unsigned>(programs_.size());
    programs_.emplace_back();
    add(creator, Op::create, made);
    program(made, 1, random_.percent(30));
  }
  void program(unsigned task, unsigned sections, bool with_tasks) {
    for (; sections > 0; --sections) {
      if (random_.percent(33)) access(task);
      if (with_tasks && random_.percent(30)) child(task);
      const unsigned outer = random_.below(locks);
      add(task, Op::acquire, outer);
      access(task);
      if (with_tasks && random_.percent(10)) child(task);
      if (outer + 1 < locks && random_.percent(25)) {
        add(task, Op::acquire, outer + 1);
        access(task);
        add(task, Op::release, outer + 1);
      }
      add(task, Op::release, outer);
      if (with_tasks && random_.percent(25)) add(task, Op::wait, 0);
      if (random_.percent(33)) access(task);
    }
  }

  void interleave(Trace& trace) {
    std::vector<std::size_t> at(programs_.size(), 0);
    std::vector<bool> exists(programs_.size(), false);
    std::vector<std::vector<unsigned>> children(programs_.size());
    std::fill_n(exists.begin(), trace.members, true);
    std::set<unsigned> held;
    const auto over = [&](unsigned t) { return at[t] == programs_[t].size(); };
    const auto ready = [&](unsigned t) {
      if (!exists[t] || over(t)) return false;
      const TraceEvent& e = programs_[t][at[t]];
      if (e.op == Op::wait) return std::all_of(children[t].begin(), children[t].end(), over);
      return e.op != Op::acquire || !held.contains(e.object);
    };
    for (;;) {
      std::vector<unsigned> choice;
      for (unsigned t = 0; t < programs_.size(); ++t)
        if (ready(t)) choice.push_back(t);
      if (choice.empty()) return;
      const unsigned t = choice[random_.below(choice.size())];
      const TraceEvent e = programs_[t][at[t]++];
      if (e.op == Op::acquire) held.insert(e.object);
      if (e.op == Op::release) held.erase(e.object);
      if (e.op == Op::create) {
        exists[e.object] = true;
        children[t].push_back(e.object);
      }
      trace.events.push_back(e);
    }
  }

  static constexpr std::size_t most_tasks = 5;
  Random random_;
  std::vector<std::vector<TraceEvent>> programs_;
};

/// The event and what cannot stay without it: the other end of its section, a created task with all that it does.
std::set<std::size_t> with_dependents(const Trace& trace, std::size_t event) {
  std::set<std::size_t> gone{event};
  const TraceEvent e = trace.events[event];
  std::set<unsigned> tasks;
  if (e.op == Op::create) tasks.insert(e.object);
  for (std::size_t i = event + 1; i < trace.events.size(); ++i) {
    const TraceEvent& later = trace.events[i];
    if (e.op == Op::acquire && later.op == Op::release && later.task == e.task && later.object == e.object) {
      gone.insert(i);
      break;
    }
    if (!tasks.contains(later.task)) continue;
    gone.insert(i);
    if (later.op == Op::create) tasks.insert(later.object);
  }
  return gone;
}

} // namespace

Trace random_trace(std::uint64_t seed) { return Generator(seed).run(); }

std::string Trace::text() const {
  static constexpr std::array words{"acquires",         "releases",          "reads",   "writes",
                                    "reads atomically", "writes atomically", "creates", "waits"};
  std::string out;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& e = events[i];
    out += std::to_string(i) + ": " + std::string(std::size_t{16} * e.task, ' ') + "task " + std::to_string(e.task) +
           ' ' + words[static_cast<std::size_t>(e.op)] + (e.op == Op::wait ? "" : ' ' + std::to_string(e.object)) +
           '\n';
  }
  return out;
}

Trace shrink(Trace trace, const std::function<bool(const Trace&)>& differs) {
  for (std::size_t i = 0; i < trace.events.size();) {
    Trace smaller = trace;
    smaller.events.clear();
    const std::set<std::size_t> gone = with_dependents(trace, i);
    for (std::size_t e = 0; e < trace.events.size(); ++e)
      if (!gone.contains(e)) smaller.events.push_back(trace.events[e]);
    const bool possible = trace.events[i].op != Op::release; // goes with its acquisition
    if (possible && differs(smaller)) {
      trace = std::move(smaller);
      i = 0;
    } else {
      ++i;
    }
  }
  return trace;
}

Reorderings::Reorderings(const Trace& trace)
    : trace_(trace), of_task_(trace.tasks), place_(trace.events.size()), created_(trace.tasks, trace.events.size()),
      writer_(trace.events.size(), nothing), children_(trace.events.size()) {
  std::array<std::uint8_t, variables> last;
  last.fill(nothing);
  std::vector<std::vector<unsigned>> children(trace.tasks);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& e = event(i);
    place_[i] = of_task_[e.task].size();
    of_task_[e.task].push_back(i);
    if (is_read(e)) writer_[i] = last[e.object];
    if (is_write(e)) last[e.object] = static_cast<std::uint8_t>(i);
    if (e.op == Op::create) {
      created_[e.object] = i;
      children[e.task].push_back(e.object);
    }
    if (e.op == Op::wait) children_[i] = children[e.task];
  }
  explore({std::string(trace.tasks, '\0'), std::string(variables, static_cast<char>(nothing)),
           std::string(locks, static_cast<char>(nothing)), std::string(locks, '\0')});
}

bool Reorderings::happened(const State& s, std::size_t event) const {
  return static_cast<std::uint8_t>(s.at[trace_.events[event].task]) > place_[event];
}

std::size_t Reorderings::next(const State& s, unsigned task) const {
  const std::size_t end = trace_.events.size();
  if (created_[task] != end ? !happened(s, created_[task]) : task >= trace_.members) return end;
  const auto at = static_cast<std::uint8_t>(s.at[task]);
  return at == of_task_[task].size() ? end : of_task_[task][at];
}

bool Reorderings::can_happen(const State& s, std::size_t index) const {
  const TraceEvent& e = event(index);
  if (e.op == Op::acquire) {
    const auto last = static_cast<std::uint8_t>(s.section[e.object]);
    return s.held[e.object] == 0 && (last == nothing || last < index);
  }
  if (e.op == Op::wait)
    return std::all_of(children_[index].begin(), children_[index].end(),
                       [&](unsigned t) { return static_cast<std::uint8_t>(s.at[t]) == of_task_[t].size(); });
  return !is_read(e) || static_cast<std::uint8_t>(s.writer[e.object]) == writer_[index];
}

void Reorderings::explore(State s) {
  if (!seen_.insert(s.key()).second) return;
  std::vector<std::size_t> following;
  for (unsigned t = 0; t < trace_.tasks; ++t)
    if (const std::size_t e = next(s, t); e != trace_.events.size()) following.push_back(e);
  for (const std::size_t a : following)
    for (const std::size_t b : following)
      if (a < b && in_conflict(event(a), event(b))) adjacent_.insert({a, b});
  for (const std::size_t index : following) {
    if (!can_happen(s, index)) continue;
    const TraceEvent& e = event(index);
    State after = s;
    ++after.at[e.task];
    if (is_write(e)) after.writer[e.object] = static_cast<char>(index);
    if (e.op == Op::acquire) after.section[e.object] = static_cast<char>(index);
    if (e.op == Op::acquire || e.op == Op::release) after.held[e.object] = e.op == Op::acquire;
    explore(std::move(after));
  }
}

} // namespace fletcher::property
