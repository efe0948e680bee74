// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analyses of a task graph, on small graphs with known answers and against each other on random ones.
#include "random.hpp"

#include "checker/graph/common_ancestor.hpp"
#include "checker/graph/cycles.hpp"
#include "checker/graph/dot.hpp"
#include "checker/graph/reachability.hpp"
#include "checker/graph/sibling_dependences.hpp"
#include "checker/graph/transitive_reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace fletcher::property {
namespace {

using namespace graph;

TaskGraph with_edges(std::size_t vertices, std::initializer_list<std::pair<Vertex, Vertex>> edges) {
  TaskGraph graph(vertices);
  for (const auto& [from, to] : edges) boost::add_edge(from, to, Edge{EdgeReason::creation, 0}, graph);
  return graph;
}

TaskGraph random_graph(Random& random, bool acyclic) {
  const std::size_t count = 1 + random.below(14);
  TaskGraph graph(count);
  for (std::size_t i = random.below(3 * count); i > 0; --i) {
    Vertex from = random.below(count), to = random.below(count);
    if (acyclic && from == to) continue;
    if (acyclic && from > to) std::swap(from, to);
    boost::add_edge(from, to, Edge{EdgeReason::creation, 0}, graph);
  }
  return graph;
}

TEST(Reachability, TableAndSearchAgree) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const TaskGraph graph = random_graph(random, seed % 2 == 0);
    const Reachability table(graph);
    for (Vertex a = 0; a < boost::num_vertices(graph); ++a)
      for (Vertex b = 0; b < boost::num_vertices(graph); ++b)
        ASSERT_EQ(table.reaches(a, b), reaches(graph, a, b)) << "seed " << seed << ", " << a << " to " << b;
  }
}

TEST(Reachability, FollowsEdgesForwardsOnly) {
  const TaskGraph graph = with_edges(4, {{0, 1}, {1, 2}, {0, 3}});
  EXPECT_TRUE(reaches(graph, 0, 2));
  EXPECT_FALSE(reaches(graph, 2, 0));
  EXPECT_TRUE(Reachability(graph).concurrent(2, 3));
}

TEST(TransitiveReduction, KeepsTheOrderAndNothingElse) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const TaskGraph graph = random_graph(random, true);
    const Reachability order(graph);
    TaskGraph reduced(boost::num_vertices(graph));
    const auto kept = transitive_reduction(graph, order);
    for (const EdgeId edge : kept) boost::add_edge(boost::source(edge, graph), boost::target(edge, graph), reduced);
    for (Vertex a = 0; a < boost::num_vertices(graph); ++a)
      for (Vertex b = 0; b < boost::num_vertices(graph); ++b)
        ASSERT_EQ(reaches(reduced, a, b), order.reaches(a, b)) << "seed " << seed;
    for (const EdgeId edge : kept) {
      TaskGraph without(boost::num_vertices(graph));
      for (const EdgeId other : kept)
        if (other != edge) boost::add_edge(boost::source(other, graph), boost::target(other, graph), without);
      ASSERT_FALSE(reaches(without, boost::source(edge, graph), boost::target(edge, graph))) << "seed " << seed;
    }
  }
}

TEST(Cycles, NoneInAnOrder) {
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(cycles(random_graph(random, true)).empty());
}

TEST(Cycles, TheShortestOfEachKnot) {
  // 1 -> 2 -> 3 -> 1 with the short way 1 -> 2 -> 1, and 5 -> 5; 0 and 4 only lead there.
  const TaskGraph graph = with_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {2, 1}, {3, 4}, {4, 5}, {5, 5}});
  const auto found = cycles(graph);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].size(), 2u);
  EXPECT_EQ(found[1].size(), 1u);
  for (const auto& cycle : found)
    for (std::size_t i = 0; i < cycle.size(); ++i)
      EXPECT_EQ(boost::target(cycle[i], graph), boost::source(cycle[(i + 1) % cycle.size()], graph));
}

TEST(CommonAncestor, IsTheLastFork) {
  const TaskGraph graph = with_edges(6, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {0, 5}});
  const Reachability order(graph);
  EXPECT_EQ(nearest_common_ancestors(graph, order, 4, 3), std::vector<Vertex>{1});
  EXPECT_EQ(nearest_common_ancestors(graph, order, 4, 5), std::vector<Vertex>{0});
  EXPECT_EQ(nearest_common_ancestors(graph, order, 4, 2), std::vector<Vertex>{2});
}

TEST(CommonAncestor, MayBeSeveralOrNone) {
  const TaskGraph graph = with_edges(5, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  const Reachability order(graph);
  EXPECT_EQ(nearest_common_ancestors(graph, order, 2, 3), (std::vector<Vertex>{0, 1}));
  EXPECT_TRUE(nearest_common_ancestors(graph, order, 4, 3).empty());
}

TEST(Dot, DrawsStrandsAndNeededEdgesOnly) {
  TaskGraph graph = with_edges(4, {{0, 1}, {1, 2}, {0, 2}});
  graph[0].task = TaskId{7};
  graph[3].kind = NodeKind::barrier; // that nobody reached
  graph[2].pc = 0x10;
  std::ostringstream text;
  DotOptions options;
  options.place = [](Address) { return std::string("a \"file\":1"); };
  write_dot(text, graph, options);
  EXPECT_NE(text.str().find("cluster_7"), std::string::npos);
  EXPECT_NE(text.str().find("v0 -> v1"), std::string::npos);
  EXPECT_EQ(text.str().find("v0 -> v2"), std::string::npos);
  EXPECT_EQ(text.str().find("v3"), std::string::npos);
  EXPECT_NE(text.str().find("a \\\"file\\\":1"), std::string::npos);
}

/// The set rule and the letter of the specification give the same order for random lists.
TEST(SiblingDependences, AgreeWithThePairwiseDefinition) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    SiblingDependences by_sets;
    std::vector<std::vector<Dependence>> lists;
    const std::size_t count = 2 + random.below(10);
    TaskGraph sets(count), pairs(count);
    for (Vertex task = 0; task < count; ++task) {
      std::vector<Dependence> list;
      for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
        if (random.percent(8))
          list.push_back({0, DependenceType::out, true});
        else
          list.push_back({8 * (1 + random.below(2)), static_cast<DependenceType>(random.below(5)), false});
      }
      for (const auto& before : by_sets.add(task, list)) boost::add_edge(before.end, task, sets);
      for (Vertex earlier = 0; earlier < task; ++earlier)
        if (dependent(lists[earlier], list)) boost::add_edge(earlier, task, pairs);
      lists.push_back(list);
    }
    for (Vertex a = 0; a < count; ++a)
      for (Vertex b = 0; b < count; ++b) ASSERT_EQ(reaches(sets, a, b), reaches(pairs, a, b)) << "seed " << seed;
  }
}

} // namespace
} // namespace fletcher::property
