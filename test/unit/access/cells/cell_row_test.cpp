// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of cells: whatever is done to several cells at a time is what would be done to each.
#include "checker/access/cells/cell_row.hpp"

#include "checker/access/cells/cell_row_one_by_one.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

namespace fletcher::access {
namespace {

constexpr StrandId me{5000}, other{6000}, another{7001}, foreign{6002}, old{3000}, horizon{4000};
constexpr ContextId here{77}, there{78};

Cell random_cell(std::mt19937& random) {
  const auto pick = [&](auto... of) {
    const std::array choices{of...};
    return choices[random() % choices.size()];
  };
  if (random() % 8 == 0) return Cell{};
  const StrandId strand = random() % 16 == 0 ? other : pick(me, me, old, old);
  const Cell cell(strand, pick(here, there), pick(Kind::read, Kind::write, Kind::atomic_read, Kind::atomic_write),
                  pick(std::uint8_t{0xff}, std::uint8_t{0xff}, std::uint8_t{0x0f}));
  return cell.with_further(random() % 32 == 0 ? 1 : 0);
}

/// Rows that a single odd cell ends, at every place and of every length.
std::vector<std::uint64_t> random_row(std::mt19937& random) {
  std::vector<std::uint64_t> cells(random() % 40);
  const Cell common = random_cell(random);
  for (std::uint64_t& cell : cells) cell = (random() % 12 == 0 ? random_cell(random) : common).raw();
  return cells;
}

TEST(CellRow, TellsAsManyAsTellOneByOne) {
  std::mt19937 random(1);
  const CellRow row;
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<std::uint64_t> cells = random_row(random);
    const std::uint64_t need = Cell::need(random() % 2 == 0 ? Kind::read : Kind::write, 0xff);
    std::size_t expected = 0;
    while (expected < cells.size() && Cell(cells[expected]).tells(Cell::strand_part(me), need)) ++expected;
    ASSERT_EQ(row.told(cells.data(), cells.size(), Cell::strand_part(me), need), expected) << "row " << i;
  }
}

// Granules of which mostly all are recorded, each by any one of its cells.
TEST(CellRow, KnowsReadsByAnyOfTheCells) {
  std::mt19937 random(5);
  const CellRow row;
  const std::array kinds{Kind::read, Kind::read, Kind::read, Kind::read, Kind::write, Kind::atomic_read};
  bool plain = false; // then most of a long row are recorded
  constexpr std::array joints{StrandId{6004}, StrandId{6012}, StrandId{6020}};
  const auto cell = [&](bool own) {
    const StrandId joint = joints[random() % joints.size()];
    const StrandId mine =
        random() % (plain ? 64 : 4) == 0 ? joint : StrandId{4990 + static_cast<std::uint32_t>(random() % 11)};
    const Cell made(own ? mine : other, here, kinds[random() % (plain ? 4 : kinds.size())], 0xff);
    return random() % (plain ? 200 : 32) == 0 ? made.with_mask(0x0f) : made;
  };
  int answers[2]{}, long_ones = 0;
  for (int i = 0; i < 20'000; ++i) {
    plain = random() % 2 == 0;
    Alike alike = random() % 2 == 0 ? Alike::itself(me) : Alike::twins(StrandId{4990}, me);
    std::array<bool, joints.size()> met{};
    for (std::size_t joint = 0; joint < joints.size(); ++joint)
      if ((met[joint] = random() % 2 == 0))
        alike.meet(Cell::strand_part(joints[joint]) | Cell::need(Kind::write, 0xff));
    const auto tells = [&](Cell one) {
      const bool own = alike.never == 0 && one.strand() == me && covers(one.kind(), Kind::read),
                 twin = alike.never != 0 && one.strand() >= StrandId{4990} && one.strand() <= me &&
                        one.kind() == Kind::read;
      const auto joint =
          static_cast<std::size_t>(std::find(joints.begin(), joints.end(), one.strand()) - joints.begin());
      const bool jointly = joint < joints.size() && met[joint] && covers(one.kind(), Kind::read);
      return one.mask() == 0xff && (twin || own || jointly);
    };
    constexpr std::size_t distance = 100;
    std::array<std::uint64_t, distance * CellRow::planes> cells{};
    const std::size_t count = random() % distance;
    const auto most = static_cast<unsigned>(random() % CellRow::planes);
    std::size_t expected = count;
    for (std::size_t j = 0; j < count; ++j) {
      const auto further = static_cast<unsigned>(random() % (most + 1)),
                 own = static_cast<unsigned>(random() % (further + 1));
      bool told = false;
      for (unsigned plane = 0; plane < CellRow::planes; ++plane) {
        const Cell made = cell(plane == own || plane > further); // what is beyond does not count
        told |= plane <= further && tells(made);
        cells[plane * distance + j] = (plane == 0 ? made.with_further(further) : made).raw();
      }
      if (!told) expected = std::min(expected, j);
    }
    ASSERT_EQ(row.told_of_reads(cells.data(), distance, count, alike), expected) << "row " << i;
    ASSERT_EQ(one_by_one::told_of_reads(cells.data(), distance, count, alike), expected) << "row " << i;
    ++answers[expected == count];
    long_ones += expected > 40 && expected < count;
  }
  EXPECT_GT(std::min(answers[0], answers[1]), 1000);
  EXPECT_GT(long_ones, 100);
}

TEST(CellRow, ClearsAllCellsAndNoOthers) {
  std::mt19937 random(4);
  const CellRow row;
  for (int i = 0; i < 20'000; ++i) {
    constexpr std::size_t around = 4;
    const std::size_t count = random() % 70, one_of = 1 + random() % 40;
    std::vector<std::uint64_t> cells(count + 2 * around, 1);
    for (std::size_t j = 0; j < count; ++j) cells[around + j] = random() % one_of == 0 ? random_cell(random).raw() : 0;
    std::vector<std::uint64_t> expected(cells.size(), 1);
    std::fill_n(expected.begin() + around, count, 0);
    row.clear(cells.data() + around, count);
    ASSERT_EQ(cells, expected) << "row " << i;
  }
}

TEST(CellRow, RecordsWhereNothingElseMatters) {
  std::mt19937 random(2);
  const CellRow row;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::uint64_t> cells = random_row(random);
    const Cell now(me, here, random() % 2 == 0 ? Kind::read : Kind::write, 0xff);
    std::vector<std::uint64_t> expected = cells;
    std::size_t leading = 0;
    for (; leading < cells.size(); ++leading) {
      const Cell cell(cells[leading]);
      const bool mine = cell.further() == 0 && cell.strand() == me && covers(now.kind(), cell.kind());
      if (!cell.older_than(horizon) && !mine) break;
      expected[leading] = now.raw();
    }
    ASSERT_EQ(row.record(cells.data(), cells.size(), Cell::strand_part(horizon), now), leading) << "row " << i;
    ASSERT_EQ(cells, expected) << "row " << i;
  }
}

TEST(CellRow, RepeatsAChangeAsLongAsGranulesLookAlike) {
  std::mt19937 random(3);
  const CellRow row;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t count = random() % 20;
    const unsigned used = 1 + random() % 4, moved = random() % 4;
    std::vector<std::uint64_t> planes[4], expected[4];
    std::uint64_t* rows[4];
    std::uint64_t seen[4];
    for (unsigned plane = 0; plane < 4; ++plane) {
      seen[plane] = random_cell(random).with_further(used - 1).raw();
      planes[plane].assign(count, seen[plane]);
      for (std::uint64_t& cell : planes[plane]) {
        cell ^= random() % 4 * (std::uint64_t{1} << Cell::site_shift); // another place is no difference
        if (random() % 24 == 0) cell = random_cell(random).raw();
      }
      expected[plane] = planes[plane];
      rows[plane] = planes[plane].data();
    }
    const std::uint64_t care = ~(((std::uint64_t{1} << Cell::site_bits) - 1) << Cell::site_shift);
    const Cell now(me, here, Kind::write, 0xff);
    std::size_t leading = 0;
    for (; leading < count; ++leading) {
      bool alike = true;
      for (unsigned plane = 0; plane < used; ++plane)
        alike = alike && ((planes[plane][leading] ^ seen[plane]) & care) == 0;
      if (!alike) break;
      if (moved != 0) expected[moved][leading] = Cell(planes[0][leading]).with_further(0).raw();
      expected[0][leading] = now.raw();
    }
    ASSERT_EQ(row.repeat({rows, seen, used, care, moved, now}, count), leading) << "row " << i;
    for (unsigned plane = 0; plane < 4; ++plane) ASSERT_EQ(planes[plane], expected[plane]) << "row " << i;
  }
}

/// What record_among() says it does, for one granule: its cells then; nothing where it stops.
std::optional<std::array<Cell, 4>> among(std::array<Cell, 4> cells, unsigned planes, Cell now) {
  const Cell first = cells[0];
  std::array<bool, 4> stays{};
  unsigned told = 0;
  for (unsigned i = 0; !first.older_than(horizon) && i <= first.further(); ++i) {
    if (cells[i].older_than(horizon) || cells[i].mask() == 0) continue;
    if (cells[i].strand() == foreign) return std::nullopt;
    if (cells[i].strand() == me && covers(cells[i].kind(), now.kind())) told |= cells[i].mask();
    stays[i] = !covers(now.kind(), cells[i].kind());
  }
  if (told == 0xff) return cells;
  if (stays[0]) {
    const auto room = std::find(stays.begin() + 1, stays.begin() + planes, false);
    if (room == stays.begin() + planes) return std::nullopt;
    *room = true;
    cells[static_cast<std::size_t>(room - stays.begin())] = first.with_further(0);
  }
  unsigned further = 0;
  for (unsigned i = 1; i < 4; ++i)
    if (stays[i]) further = i;
  cells[0] = now.with_further(further);
  return cells;
}

TEST(CellRow, RecordsAmongStrandsThatComeBefore) {
  std::mt19937 random(5);
  const CellRow row;
  int full = 0, all = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t count = random() % 24;
    const unsigned planes = 1 + random() % 4;
    std::vector<std::uint64_t> cells[4];
    std::uint64_t* rows[4];
    for (unsigned plane = 0; plane < 4; ++plane) {
      for (std::size_t n = 0; n < count; ++n) {
        const auto kind = random() % 40;
        const StrandId of = kind == 0 ? foreign : kind < 8 ? me : kind < 20 ? other : kind < 32 ? another : old;
        constexpr std::uint8_t masks[] = {0xff, 0x0f, 0xf0, 0};
        const Cell cell(of, here, static_cast<Kind>(random() % 4), masks[random() % 4]);
        cells[plane].push_back(cell.with_further(random() % 4).raw());
      }
      rows[plane] = cells[plane].data();
    }
    const std::uint64_t before[] = {Cell::strand_part(another), Cell::strand_part(other)};
    const Cell now(me, there, random() % 2 == 0 ? Kind::read : Kind::write, 0xff);
    auto expected = std::to_array(cells);
    std::size_t leading = 0;
    for (; leading < count; ++leading) {
      std::array<Cell, 4> granule;
      for (unsigned plane = 0; plane < 4; ++plane) granule[plane] = Cell(cells[plane][leading]);
      const auto after = among(granule, planes, now);
      if (!after) break;
      for (unsigned plane = 0; plane < 4; ++plane) expected[plane][leading] = (*after)[plane].raw();
    }
    ++(leading == count ? all : full);
    ASSERT_EQ(row.record_among({rows, planes, Cell::strand_part(horizon), before, now}, count), leading) << "row " << i;
    for (unsigned plane = 0; plane < 4; ++plane) ASSERT_EQ(cells[plane], expected[plane]) << "row " << i;
  }
  EXPECT_GT(full, 1000);
  EXPECT_GT(all, 1000);
}

} // namespace
} // namespace fletcher::access
