// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks: what copying, raising, asking and joining cost, by the number of chains that they know. The complexity
// that order/clock.hpp and order/knowledge.hpp promise is to be seen here.
#include "checker/order/knowledge.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace fletcher;

order::Knowledge knows(std::uint32_t chains, std::uint32_t first = 1) {
  order::Knowledge k;
  for (std::uint32_t i = 0; i < chains; ++i) k.raise(ChainId{first + i}, StrandId{4 * i + 4});
  return k;
}

/// A task is created: O(1), whatever its creator knows.
void fork(benchmark::State& state) {
  order::Knowledge parent = knows(static_cast<std::uint32_t>(state.range(0)));
  std::uint32_t strand = 1u << 20;
  for (auto _ : state) benchmark::DoNotOptimize(parent.with(ChainId{1u << 20}, StrandId{++strand}));
}
BENCHMARK(fork)->RangeMultiplier(16)->Range(1, 1 << 16);

/// A question about a chain: O(log16 of the chains).
void get(benchmark::State& state) {
  const auto chains = static_cast<std::uint32_t>(state.range(0));
  const order::Knowledge k = knows(chains);
  std::uint32_t chain = 0;
  for (auto _ : state) benchmark::DoNotOptimize(k.get(ChainId{chain++ % chains + 1}));
}
BENCHMARK(get)->RangeMultiplier(16)->Range(1, 1 << 16);

/// Two that differ in one chain and share the rest: O(what differs).
void join_alike(benchmark::State& state) {
  order::Knowledge common = knows(static_cast<std::uint32_t>(state.range(0)));
  const order::Knowledge other = common.with(ChainId{1u << 20}, StrandId{1u << 20});
  for (auto _ : state) {
    order::Knowledge k = common.with(ChainId{1u << 21}, StrandId{1u << 20});
    k.join(other);
    benchmark::DoNotOptimize(k);
  }
}
BENCHMARK(join_alike)->RangeMultiplier(16)->Range(1, 1 << 16);

/// Two that have nothing in common: O(chains).
void join_disjoint(benchmark::State& state) {
  const auto chains = static_cast<std::uint32_t>(state.range(0));
  const order::Knowledge a = knows(chains), b = knows(chains, 1u << 24);
  for (auto _ : state) {
    order::Knowledge k = a;
    k.join(b);
    benchmark::DoNotOptimize(k);
  }
}
BENCHMARK(join_disjoint)->RangeMultiplier(16)->Range(1, 1 << 12);

} // namespace
