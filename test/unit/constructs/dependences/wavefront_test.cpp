// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks ordered by depend clauses along the rows of a grid, regular and disturbed: which of them come before which, as
// clocks say and as a closure over the dependences says. In such grids clocks are joined by what is missing only.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <iterator>
#include <random>

namespace fletcher::test {
namespace {

constexpr std::size_t most_tasks = 96;
constexpr Address item = 0x10000, own = 0x20000, write_pc = 0x1000, read_pc = 0x5000;
using Before = std::bitset<most_tasks>;

CheckerConfig every_finding() {
  CheckerConfig config = small_config();
  config.max_findings = most_tasks * most_tasks;
  return config;
}

/// What OpenMP says of siblings that name a list item: a writer comes after the readers and the writer before it.
struct Item {
  std::vector<std::size_t> writers, readers;
};

struct Grid {
  std::size_t columns, tasks;
  unsigned disturbed; ///< so many of a hundred tasks name other items
  bool leftwards;     ///< what comes next in the row is read, or what came before
};

class Wavefront {
public:
  Wavefront(const Grid& grid, std::mt19937& random) : grid_(grid), items_(grid.columns + 1), random_(random) {
    const TeamId team = d_.fork(1, 2);
    for (std::size_t i = 0; i < grid.tasks; ++i) create(i % grid.columns);
    for (std::size_t i = 0; i < grid.tasks; ++i) run(i);
    d_.join(team);
  }
  void check() const {
    Driver::Pairs expected;
    for (std::size_t later = 0; later < grid_.tasks; ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        if (!before_[later][earlier]) expected.insert({write_pc + earlier, read_pc + later});
    const Driver::Pairs found = d_.races();
    Driver::Pairs missed, wrong;
    std::ranges::set_difference(expected, found, std::inserter(missed, missed.end()));
    std::ranges::set_difference(found, expected, std::inserter(wrong, wrong.end()));
    EXPECT_EQ(missed, Driver::Pairs{});
    EXPECT_EQ(wrong, Driver::Pairs{});
  }

private:
  void create(std::size_t column) {
    const auto percent = [&] { return random_() % 100; };
    const auto any = [&] { return random_() % items_.size(); };
    std::size_t reads = grid_.leftwards ? column + 1 : (column == 0 ? grid_.columns : column - 1), writes = column;
    if (percent() < grid_.disturbed) reads = any();
    if (percent() < grid_.disturbed) writes = any();
    const bool both = percent() >= grid_.disturbed && reads != writes;
    Before before;
    const auto after = [&](const std::vector<std::size_t>& tasks) {
      for (const std::size_t t : tasks) before |= before_[t], before.set(t);
    };
    after(items_[writes].writers), after(items_[writes].readers);
    if (both) after(items_[reads].writers);
    const std::size_t self = before_.size();
    before_.push_back(before);
    items_[writes] = {{self}, {}};
    if (both) items_[reads].readers.push_back(self);
    const Dependence in{item + 8 * reads, DependenceType::in}, inout{item + 8 * writes, DependenceType::inout};
    created_.push_back(both ? d_.create(1, {in, inout}) : d_.create(1, {inout}));
  }
  void run(std::size_t i) {
    const unsigned thread = 1 + random_() % 2;
    d_.start(thread, created_[i]);
    for (std::size_t earlier = 0; earlier < i; ++earlier) d_.read(thread, own + 8 * earlier, read_pc + i);
    d_.write(thread, own + 8 * i, write_pc + i);
    d_.end(thread);
  }

  Grid grid_;
  std::vector<Item> items_;
  std::mt19937& random_;
  Driver d_{every_finding()};
  std::vector<TaskId> created_;
  std::vector<Before> before_;
};

TEST(Wavefront, OrdersAsItsDependencesSay) {
  constexpr std::uint32_t seed = 20260101;
  std::mt19937 random(seed);
  for (unsigned disturbed : {0U, 3U, 10U, 30U})
    for (unsigned i = 0; i < 25; ++i) {
      const Grid grid{2 + random() % 10, 20 + random() % (most_tasks - 20), disturbed, random() % 4 != 0};
      SCOPED_TRACE(testing::Message() << "grid " << i << " of seed " << seed << ", " << grid.columns << " columns, "
                                      << grid.tasks << " tasks, disturbed " << disturbed);
      Wavefront(grid, random).check();
      if (testing::Test::HasFailure()) return;
    }
}

} // namespace
} // namespace fletcher::test
