// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search in a random graph of std::vector adjacency lists: vertices are claimed by an atomic capture,
// each thread collects its part of the next front.
#include "kernel.h"

#include <vector>

namespace {

constexpr int vertices = 150000;
constexpr int edges_each = 8;
using Graph = std::vector<std::vector<int>>;

Graph make_graph() {
  Graph graph(vertices);
  unsigned long long state = 11;
  for (int v = 0; v < vertices; v++)
    for (int e = 0; e < edges_each / 2; e++) {
      const int w = static_cast<int>(random_bits(&state) % vertices);
      graph[static_cast<std::size_t>(v)].push_back(w);
      graph[static_cast<std::size_t>(w)].push_back(v);
    }
  return graph;
}

// The sum of all distances from the vertex.
long search(const Graph& graph, int from) {
  std::vector<int> claimed(graph.size(), 0), distance(graph.size(), 0);
  std::vector<int> front{from};
  claimed[static_cast<std::size_t>(from)] = 1;
  long sum = 0;
  for (int level = 1; !front.empty(); level++) {
    std::vector<int> next;
#pragma omp parallel reduction(+ : sum)
    {
      std::vector<int> mine;
#pragma omp for schedule(dynamic, 256) nowait
      for (std::size_t i = 0; i < front.size(); i++)
        for (const int w : graph[static_cast<std::size_t>(front[i])]) {
          int before = 0;
          int& claim = claimed[static_cast<std::size_t>(w)];
#pragma omp atomic read
          before = claim;
          if (before) continue;
#pragma omp atomic capture
          {
            before = claim;
            claim = 1;
          }
          if (before) continue;
          distance[static_cast<std::size_t>(w)] = level;
          sum += level;
          mine.push_back(w);
        }
#pragma omp critical
      next.insert(next.end(), mine.begin(), mine.end());
    }
    front.swap(next);
  }
  for (std::size_t v = 0; v < distance.size(); v += 1013) sum += distance[v];
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  const long searches = scaled(80, argc, argv);
  const Graph graph = make_graph();
  long sum = 0;
  for (long s = 0; s < searches; s++) sum += search(graph, static_cast<int>(s * 401 % vertices));
  return checksum(static_cast<double>(sum));
}
