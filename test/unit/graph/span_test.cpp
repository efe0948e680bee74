// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work, span and the critical path of small graphs, against all paths; and what a trace says about a run.
#include "checker/graph/span.hpp"
#include "checker/graph/timed_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace fletcher::graph {
namespace {

std::uint64_t longest_from(const TaskGraph& graph, const std::vector<std::uint64_t>& times, Vertex from) {
  std::uint64_t most = 0;
  for (const EdgeId edge : boost::make_iterator_range(boost::out_edges(from, graph)))
    if (graph[boost::target(edge, graph)].region == graph[from].region)
      most = std::max(most, longest_from(graph, times, boost::target(edge, graph)));
  return times[from] + most;
}

TEST(Span, IsThatOfTheLongestOfAllPaths) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const std::size_t count = 1 + random() % 9;
    TaskGraph graph(count);
    std::vector<std::uint64_t> times(count);
    for (Vertex v = 0; v < count; ++v) {
      times[v] = random() % 20;
      graph[v].region = TeamId{1 + static_cast<std::uint32_t>(random() % 2)};
    }
    std::vector<Vertex> order(count);
    for (Vertex v = 0; v < count; ++v) order[v] = v;
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j)
        if (random() % 3 == 0) boost::add_edge(order[i], order[j], graph);
    const auto found = spans(graph, times);
    for (const auto& [region, span] : found) {
      std::uint64_t work = 0, longest = 0, along = 0;
      for (Vertex v = 0; v < count; ++v) {
        if (graph[v].region != region) continue;
        work += times[v];
        longest = std::max(longest, longest_from(graph, times, v));
      }
      EXPECT_EQ(span.work, work) << seed;
      EXPECT_EQ(span.span, longest) << seed;
      for (std::size_t i = 0; i < span.path.size(); ++i) {
        along += times[span.path[i]];
        if (i == 0) continue;
        EXPECT_TRUE(boost::edge(span.path[i - 1], span.path[i], graph).second) << seed;
      }
      EXPECT_EQ(along, longest) << seed;
    }
  }
}

TEST(Span, OfAGraphWithACycleIsUnknown) {
  TaskGraph graph(2);
  boost::add_edge(0, 1, graph);
  boost::add_edge(1, 0, graph);
  EXPECT_TRUE(spans(graph, {1, 1}).empty());
}

/// Keeps what it gets, at times that the test sets.
class Tape final : public TraceWriter {
public:
  Nanoseconds now = 0;
  std::vector<Record> records = std::vector<Record>(1000);
  std::span<const Record> written() const { return {records.data(), used_}; }

protected:
  std::span<Record> room(std::size_t count) override {
    used_ += count;
    return {records.data() + used_ - count, count};
  }
  void publish(Record& place, RecordKind kind) override {
    place.time = now;
    place.waited = std::exchange(waited_, 0);
    place.kind = kind;
  }
  void waits(bool begin) override {
    if (begin)
      since_ = now;
    else
      waited_ += now - since_;
  }

private:
  std::size_t used_ = 0;
  Nanoseconds since_ = 0, waited_ = 0;
};

constexpr ThreadId one{1}, two{2};
constexpr TaskId initial{1}, member{2}, other{3}, first{4}, second{5};
constexpr TeamId team{1};

/// Two threads; thread one creates two tasks of which the second depends on the first, and waits while thread two
/// executes both.
void record_two_tasks(Tape& tape) {
  tape.on(InitialTaskBegin{one, initial});
  tape.now = 10;
  tape.on(ParallelBegin{one, initial, team, 2, false, 0x100});
  tape.on(ImplicitTaskBegin{one, team, member, 0, 2});
  tape.on(ImplicitTaskBegin{two, team, other, 1, 2});
  tape.on(SyncBegin{two, other, team, SyncKind::barrier_parallel});
  tape.now = 15;
  const std::vector<Dependence> out{{0x8000, DependenceType::out}}, in{{0x8000, DependenceType::in}};
  tape.on(TaskCreate{one, member, first, TaskKind::explicit_, {}, 0x200});
  tape.on(TaskDependences{one, first, out});
  tape.now = 18;
  tape.on(TaskCreate{one, member, second, TaskKind::explicit_, {}, 0x300});
  tape.on(TaskDependences{one, second, in});
  tape.on(SyncBegin{one, member, team, SyncKind::taskwait, 0x400});
  tape.now = 20;
  tape.on(TaskSwitch{two, other, first});
  tape.now = 60;
  tape.on(TaskEnd{two, first, other});
  tape.on(TaskSwitch{two, other, second});
  tape.now = 70;
  tape.on(MutexEvent{two, second, {MutexKind::lock, 0x9000}, MutexStep::acquiring});
  tape.now = 90;
  tape.on(MutexEvent{two, second, {MutexKind::lock, 0x9000}, MutexStep::acquired});
  tape.now = 100;
  tape.on(TaskEnd{two, second, other});
  tape.on(SyncEnd{one, member, team, SyncKind::taskwait, 0x400});
  tape.now = 105;
  tape.on(SyncBegin{one, member, team, SyncKind::barrier_parallel});
  tape.on(SyncEnd{one, member, team, SyncKind::barrier_parallel});
  tape.on(ImplicitTaskEnd{one, team, member});
  tape.on(ParallelEnd{one, initial, team});
}

TEST(TimedGraph, KnowsTheTimeOfEachTaskAndWhatWasWaitedFor) {
  Tape tape;
  record_two_tasks(tape);
  const TimedGraph run(tape.written());
  ASSERT_EQ(run.activities().size(), 6U);
  const auto time = [&](std::size_t i) { return run.activities()[i].time; };
  EXPECT_EQ(time(0), 10U);
  EXPECT_EQ(run.activities()[1].kind, Activity::Kind::region);
  EXPECT_EQ(run.activities()[1].end, 105U);
  EXPECT_EQ(time(2), 8U + 5U); // before the taskwait, and after it
  EXPECT_EQ(time(3), 0U);      // it only waits
  EXPECT_EQ(time(4), 40U);
  EXPECT_EQ(time(5), 20U); // without the lock's 20
  EXPECT_EQ(run.activities()[4].parent, 2U);
  EXPECT_EQ(run.activities()[4].pc, 0x200U);

  const auto taskwait = std::find_if(run.waits().begin(), run.waits().end(),
                                     [](const Wait& wait) { return wait.reason == EdgeReason::taskwait; });
  ASSERT_NE(taskwait, run.waits().end());
  EXPECT_EQ(taskwait->activity, 2U);
  EXPECT_EQ(taskwait->pc, 0x400U);
  EXPECT_EQ(taskwait->time, 82U);
  EXPECT_EQ(taskwait->count, 2U);
  EXPECT_EQ(taskwait->last, 5U);

  const auto all = spans(run.graph(), run.times());
  const Span& region = all.at(team);
  EXPECT_EQ(region.work, 73U);
  EXPECT_EQ(region.span, 5U + 40U + 20U + 5U);
  std::vector<std::size_t> path;
  for (const Vertex vertex : region.path)
    if (const std::size_t one_of = run.activity_of(vertex);
        one_of != nowhere && (path.empty() || path.back() != one_of) && run.times()[vertex] != 0)
      path.push_back(one_of);
  EXPECT_EQ(path, (std::vector<std::size_t>{2, 4, 5, 2}));
}

TEST(TimedGraph, TakesATraceThatBreaksOff) {
  Tape tape;
  record_two_tasks(tape);
  for (std::size_t length = 0; length < tape.written().size(); ++length) {
    const TimedGraph run(tape.written().first(length));
    const auto all = spans(run.graph(), run.times());
    for (const auto& [region, span] : all) EXPECT_LE(span.span, span.work);
  }
}

} // namespace
} // namespace fletcher::graph
