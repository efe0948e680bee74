// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random loops with static, dynamic and guided schedules, compiled and run: the lines that are reported are those of
// which two iterations conflict that are not of one chunk of the size that the program asks for, whatever the number of
// threads. Of guided loops any of them may be reported: how large the chunks are that are larger is the runtime's. gcc
// divides static loops by itself, asking for the thread's number: each loop is in a region of its own there. Of static
// ones any may be reported, and dynamic ones are where there are two threads.
// FLETCHER_PROPERTY_SEED picks the first loop.
#include "test/programs/runner/diagnostics.hpp"
#include "test/property/random.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::compiled {
namespace {

using property::Random;

// So few that each of them, and each chunk, is a piece.
constexpr int most_iterations = 40;

/// Where an iteration goes: first + step * (i / each), or what a table says; and `inner` elements from there on.
struct Place {
  int first = 0, step = 0, each = 1;
  std::vector<int> table;
  int of(int i) const { return table.empty() ? first + step * (i / each) : table[static_cast<std::size_t>(i)]; }
};

struct Loop {
  int iterations = 0, chunk = 0, collapsed = 1, inner = 1;
  const char* schedule = "static";
  Place write, read;
  bool races = false;

  bool is_guided() const { return std::string_view(schedule) == "guided"; }
  bool is_static() const { return std::string_view(schedule) == "static"; }
  /// Whoever executes them.
  bool are_together(int i, int k) const {
    if (is_guided()) return std::max(i, k) < chunk;
    return chunk != 0 && i / chunk == k / chunk;
  }
};

Place place(Random& random, int iterations) {
  Place p;
  if (random.percent(40)) {
    for (int i = 0; i < iterations; ++i) p.table.push_back(2 * i);
    for (unsigned swaps = random.below(3); swaps > 0; --swaps)
      p.table[random.below(p.table.size())] = 2 * static_cast<int>(random.below(p.table.size()));
  } else {
    p.step = 1 + static_cast<int>(random.below(3));
    p.each = random.percent(30) ? 1 << random.below(4) : 1;
    p.first = random.percent(50) ? 0 : static_cast<int>(random.below(30));
  }
  return p;
}

Loop loop(Random& random) {
  Loop l;
  l.collapsed = random.percent(25) ? 4 : 1;
  l.iterations =
      l.collapsed * (1 + static_cast<int>(random.below(most_iterations / static_cast<std::size_t>(l.collapsed))));
  l.chunk = random.percent(40) ? 1 << random.below(4) : 0;
  l.inner = random.percent(25) ? 2 : 1;
  if (random.percent(40)) l.schedule = random.percent(50) ? "dynamic" : "guided";
  l.write = place(random, l.iterations);
  l.read = random.percent(30) ? l.write : place(random, l.iterations);
  const auto meet = [&](int a, int b) { return std::abs(a - b) < l.inner; };
  for (int i = 0; i < l.iterations; ++i)
    for (int k = 0; k < l.iterations; ++k) {
      if (i == k || l.are_together(i, k)) continue;
      l.races |= meet(l.write.of(i), l.write.of(k)) || meet(l.write.of(i), l.read.of(k));
    }
  return l;
}

std::string index(const Place& p, const std::string& table, const std::string& i) {
  if (!p.table.empty()) return table + '[' + i + ']';
  return std::to_string(p.first) + " + " + std::to_string(p.step) + " * ((" + i + ") / " + std::to_string(p.each) + ')';
}

void print_table(std::string& out, const Place& p, const std::string& name) {
  if (p.table.empty()) return;
  out += "static int " + name + "[] = {";
  for (const int at : p.table) out += std::to_string(at) + ", ";
  out += "}; ";
}

/// All of it on one line, but for the directive.
std::string print(const Loop& l, std::size_t number) {
  const std::string name = std::to_string(number), a = "a" + name;
  std::string out;
  print_table(out, l.write, "w" + name);
  print_table(out, l.read, "r" + name);
  out += "static int " + a + "[400];\nstatic void loop" + name + "(void) {\n#pragma omp for schedule(" + l.schedule;
  if (l.chunk != 0) out += ", " + std::to_string(l.chunk);
  out += l.collapsed > 1 ? ") collapse(2)\n" : ")\n";
  const std::string outer = std::to_string(l.iterations / l.collapsed);
  out += "for (int i = 0; i < " + outer + "; i++) ";
  if (l.collapsed > 1) out += "for (int k = 0; k < " + std::to_string(l.collapsed) + "; k++) ";
  const std::string i = l.collapsed > 1 ? "i * " + std::to_string(l.collapsed) + " + k" : "i";
  if (l.inner > 1) out += "for (int m = 0; m < " + std::to_string(l.inner) + "; m++) ";
  const std::string more = l.inner > 1 ? " + m" : "";
  return out + a + '[' + index(l.write, "w" + name, i) + more + "] = " + a + '[' + index(l.read, "r" + name, i) + more +
         "] + 1;\n}\n";
}

struct Source {
  std::string text;
  std::set<std::uint32_t> racy_static, racy_dynamic, racy_guided; ///< lines
};

/// `apart`: each in a region of its own.
Source random_loops(std::size_t count, bool apart) {
  const char* const chosen = std::getenv("FLETCHER_PROPERTY_SEED");
  Random random(chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1);
  Source source;
  std::string calls;
  for (std::size_t i = 0; i < count; ++i) {
    const Loop l = loop(random);
    source.text += print(l, i);
    calls += (apart ? "#pragma omp parallel\nloop" : "loop") + std::to_string(i) + "();\n";
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(source.text, '\n'));
    if (!l.races) continue;
    auto& racy = l.is_guided() ? source.racy_guided : l.is_static() ? source.racy_static : source.racy_dynamic;
    racy.insert(lines - 1); // the loop, before the closing brace
  }
  source.text += "int main(void) {\n" + std::string(apart ? "{\n" : "#pragma omp parallel\n{\n") + calls + "}\n}\n";
  return source;
}

bool is_long() { return std::getenv("FLETCHER_TEST_LONG") != nullptr; }

std::set<std::uint32_t> found(const test::Workshop& shop, const char* threads) {
  const auto outcome = shop.run("OMP_NUM_THREADS=" + std::string(threads) +
                                " FLETCHER_OPTIONS='pieces=192 group=0 max_findings=100000' ./program");
  std::set<std::uint32_t> lines;
  for (const auto& finding : programs::read_diagnostics(outcome.errors)) lines.insert(finding.place.line);
  return lines;
}

bool build(const test::Workshop& shop, const std::string& compiler, const std::string& level) {
  const auto built =
      shop.run("FLETCHER_CC=" + compiler + " fletcher-cc -w -g " + level + " -fopenmp source.c -o program");
  EXPECT_EQ(built.status, 0) << built.errors;
  return built.status == 0;
}

TEST(RandomLoops, AreJudgedForAnyNumberOfThreads) {
  const Source source = random_loops(is_long() ? 600 : 150, false);
  std::set<std::uint32_t> expected = source.racy_static;
  expected.insert(source.racy_dynamic.begin(), source.racy_dynamic.end());
  const test::Workshop shop;
  shop.write("source.c", source.text);
  for (const char* level : {"-O0", "-O2"}) {
    ASSERT_TRUE(build(shop, "clang-19", level));
    for (const char* threads : {"1", "2", "3"}) {
      auto lines = found(shop, threads);
      for (const std::uint32_t line : source.racy_guided) lines.erase(line);
      EXPECT_EQ(lines, expected) << level << ' ' << threads << " threads\n" << source.text;
    }
  }
}

TEST(RandomLoops, OfGccAreJudgedAsFarAsItsCallsTell) {
  const Source source = random_loops(is_long() ? 600 : 75, true);
  const test::Workshop shop;
  shop.write("source.c", source.text);
  for (const char* level : {"-O0", "-O2"}) {
    ASSERT_TRUE(build(shop, "gcc", level));
    for (const std::string_view threads : {"1", "2", "3"}) {
      auto lines = found(shop, threads.data());
      if (is_long())
        std::printf("%s, %s threads: %zu of %zu\n", level, threads.data(), lines.size(),
                    source.racy_static.size() + source.racy_dynamic.size() + source.racy_guided.size());
      for (const auto* allowed : {&source.racy_guided, &source.racy_static})
        for (const std::uint32_t line : *allowed) lines.erase(line);
      if (threads == "1")
        EXPECT_EQ(lines, std::set<std::uint32_t>()) << level << " 1 thread\n" << source.text;
      else
        EXPECT_EQ(lines, source.racy_dynamic) << level << ' ' << threads << " threads\n" << source.text;
    }
  }
}

} // namespace
} // namespace fletcher::compiled
