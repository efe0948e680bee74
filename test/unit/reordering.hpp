// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small traces of locks, reads and writes, and by brute force all their correct reorderings: what prediction may say at
// most. A correct reordering keeps each thread's order, lets a lock be held by one at a time, and each read in it reads
// what it read in the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace fletcher::test {

struct TraceEvent {
  enum class Op : std::uint8_t { acquire, release, read, write } op = Op::read;
  unsigned thread = 0;
  unsigned object = 0; ///< the lock or the variable
};

using Trace = std::vector<TraceEvent>;

/// Threads that run random programs of accesses and critical sections (also nested ones, in the locks' order), one
/// event at a time.
inline Trace random_trace(std::uint32_t seed, unsigned threads, unsigned locks, unsigned variables) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<Trace> programs(threads);
  for (unsigned t = 0; t < threads; ++t) {
    Trace& p = programs[t];
    const auto access = [&] {
      p.push_back({below(3) == 0 ? TraceEvent::Op::read : TraceEvent::Op::write, t, below(variables)});
    };
    for (unsigned i = 1 + below(3); i > 0; --i) {
      if (below(3) == 0) access();
      const unsigned outer = below(locks);
      p.push_back({TraceEvent::Op::acquire, t, outer});
      access();
      if (outer + 1 < locks && below(4) == 0) {
        p.push_back({TraceEvent::Op::acquire, t, outer + 1});
        access();
        p.push_back({TraceEvent::Op::release, t, outer + 1});
      }
      p.push_back({TraceEvent::Op::release, t, outer});
      if (below(3) == 0) access();
    }
  }
  Trace trace;
  std::vector<std::size_t> at(threads, 0);
  std::set<unsigned> held;
  for (;;) {
    std::vector<unsigned> ready;
    for (unsigned t = 0; t < threads; ++t)
      if (at[t] < programs[t].size()) {
        const TraceEvent& e = programs[t][at[t]];
        if (e.op != TraceEvent::Op::acquire || !held.contains(e.object)) ready.push_back(t);
      }
    if (ready.empty()) return trace;
    const unsigned t = ready[below(static_cast<unsigned>(ready.size()))];
    const TraceEvent e = programs[t][at[t]++];
    if (e.op == TraceEvent::Op::acquire) held.insert(e.object);
    if (e.op == TraceEvent::Op::release) held.erase(e.object);
    trace.push_back(e);
  }
}

/// All sync-preserving correct reorderings of a trace (the critical sections of a lock that are in them have the
/// trace's order), as far as they matter: which pairs of events can be next to each other.
class Reorderings {
public:
  explicit Reorderings(const Trace& trace) : trace_(trace) {
    std::map<unsigned, std::size_t> last;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const TraceEvent& e = trace[i];
      if (e.thread >= threads_.size()) threads_.resize(e.thread + 1);
      threads_[e.thread].push_back(i);
      if (e.op == TraceEvent::Op::read && last.contains(e.object)) writer_[i] = last[e.object];
      if (e.op == TraceEvent::Op::write) last[e.object] = i;
    }
    explore(State{std::vector<std::size_t>(threads_.size(), 0), {}, {}, {}});
  }

  bool adjacent(std::size_t a, std::size_t b) const { return adjacent_.contains({a, b}) || adjacent_.contains({b, a}); }

private:
  struct State {
    std::vector<std::size_t> at;             ///< by thread: how many of its events have happened
    std::map<unsigned, std::size_t> writer;  ///< by variable: who wrote it last
    std::set<unsigned> held;                 ///< locks
    std::map<unsigned, std::size_t> section; ///< by lock: its last acquisition
    friend auto operator<=>(const State&, const State&) = default;
  };

  std::optional<std::size_t> next(const State& s, std::size_t thread) const {
    if (s.at[thread] == threads_[thread].size()) return std::nullopt;
    return threads_[thread][s.at[thread]];
  }

  bool can_happen(const State& s, std::size_t event) const {
    const TraceEvent& e = trace_[event];
    if (e.op == TraceEvent::Op::acquire) {
      const auto last = s.section.find(e.object);
      return !s.held.contains(e.object) && (last == s.section.end() || last->second < event);
    }
    if (e.op != TraceEvent::Op::read) return true;
    const auto now = s.writer.find(e.object);
    const auto then = writer_.find(event);
    if (now == s.writer.end() || then == writer_.end()) return (now == s.writer.end()) == (then == writer_.end());
    return now->second == then->second;
  }

  void explore(const State& s) {
    if (!seen_.insert(s).second) return;
    for (std::size_t a = 0; a < threads_.size(); ++a)
      for (std::size_t b = a + 1; b < threads_.size(); ++b)
        if (const auto x = next(s, a), y = next(s, b); x && y) adjacent_.insert({*x, *y});
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const auto event = next(s, t);
      if (!event || !can_happen(s, *event)) continue;
      const TraceEvent& e = trace_[*event];
      State after = s;
      ++after.at[t];
      if (e.op == TraceEvent::Op::write) after.writer[e.object] = *event;
      if (e.op == TraceEvent::Op::release) after.held.erase(e.object);
      if (e.op == TraceEvent::Op::acquire) {
        after.held.insert(e.object);
        after.section[e.object] = *event;
      }
      explore(after);
    }
  }

  const Trace& trace_;
  std::vector<std::vector<std::size_t>> threads_;
  std::map<std::size_t, std::size_t> writer_; ///< by read
  std::set<State> seen_;
  std::set<std::pair<std::size_t, std::size_t>> adjacent_;
};

} // namespace fletcher::test
