// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread's state tells the first look at shadow memory, and what it remembers.

#include "checker/access/thread_state.hpp"

#include <gtest/gtest.h>

namespace fletcher::access {
namespace {

constexpr Address somewhere = 0x1000;

TEST(ThreadState, TellsOfEverythingWhereAccessesAreNotChecked) {
  ThreadState thread;
  EXPECT_TRUE(told_first(thread, somewhere, 8, Kind::write)) << "it begins so";
  std::uint64_t cells[2]{};
  thread.set_shadow(cells, 8);
  EXPECT_TRUE(told_first(thread, somewhere, 16, Kind::write));
  thread.switch_on();
  EXPECT_FALSE(told_first(thread, somewhere, 1, Kind::atomic_read));
  thread.set_strand(StrandId{5});
  EXPECT_FALSE(told_first(thread, somewhere, 16, Kind::read));
  thread.switch_off();
  EXPECT_TRUE(told_first(thread, somewhere, 16, Kind::write));
  thread.set_strand(StrandId{6});
  EXPECT_TRUE(told_first(thread, somewhere + 8, 4, Kind::write));
  EXPECT_EQ(cells[0], 0U);
}

TEST(ThreadState, IsCheckedAgainWhenAllThatSwitchedItOffIsOver) {
  ThreadState thread;
  std::uint64_t cells[2]{};
  thread.set_shadow(cells, 8);
  thread.switch_off();
  thread.switch_on();
  EXPECT_TRUE(told_first(thread, somewhere, 8, Kind::read));
  thread.switch_on();
  EXPECT_FALSE(told_first(thread, somewhere, 8, Kind::read));
}

TEST(ThreadState, KnowsTheCellsOfItsStrandOnly) {
  ThreadState thread;
  std::uint64_t cells[2]{};
  thread.set_shadow(cells, 8);
  thread.switch_on();
  thread.set_strand(StrandId{5});
  cells[0] = cells[1] = Cell(StrandId{5}, ContextId{9}, Kind::read, 0xff).with_further(2).raw();
  EXPECT_TRUE(told_first(thread, somewhere, 16, Kind::read));
  EXPECT_FALSE(told_first(thread, somewhere, 16, Kind::write));
  thread.set_strand(StrandId{6});
  EXPECT_FALSE(told_first(thread, somewhere, 8, Kind::read));
  thread.set_strand(StrandId::none);
  EXPECT_FALSE(told_first(thread, somewhere, 8, Kind::read));
  cells[0] = 0;
  EXPECT_FALSE(told_first(thread, somewhere, 8, Kind::read)) << "no strand, no access";
}

constexpr std::uint64_t eight_bytes_read = Cell::need(Kind::read, 0xff);

std::uint64_t cell_of(StrandId strand, Kind kind) { return Cell(strand, ContextId{9}, kind, 0xff).raw(); }

/// A thread whose units of work have strands from 8 on.
struct UnitThread : ThreadState {
  UnitThread() {
    units_since = StrandId{8};
    units_end = StrandId{12};
    open_strand(units_since);
  }
  void next_unit() {
    strands_at_unit = strands;
    open_strand(StrandId{number(strand()) + 1});
  }
};

TEST(ThreadState, ReadsOfEarlierUnitsStandForTheCurrentOnes) {
  UnitThread thread;
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{7}, Kind::read), eight_bytes_read));
  thread.next_unit();
  EXPECT_TRUE(thread.alike.tells(cell_of(StrandId{8}, Kind::read), eight_bytes_read));
  EXPECT_TRUE(thread.alike.tells(cell_of(StrandId{9}, Kind::read), eight_bytes_read));
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{7}, Kind::read), eight_bytes_read)) << "before the units";
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{10}, Kind::read), eight_bytes_read)) << "another thread's";
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{8}, Kind::write), eight_bytes_read)) << "a race, maybe";
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{8}, Kind::atomic_read), eight_bytes_read));
}

TEST(ThreadState, TheSecondStrandOfAUnitIsAlone) {
  UnitThread thread;
  thread.next_unit();
  thread.open_strand(StrandId{10}); // it released or learned something
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{8}, Kind::read), eight_bytes_read));
  EXPECT_TRUE(thread.alike.tells(cell_of(StrandId{10}, Kind::write), eight_bytes_read)) << "its own";
}

TEST(ThreadState, AUnitBeyondTheIdsThatAreNobodyElsesIsAlone) {
  UnitThread thread;
  thread.strands_at_unit = thread.strands;
  thread.open_strand(StrandId{12});
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{8}, Kind::read), eight_bytes_read));
}

TEST(ThreadState, NothingStandsForAReadOfNoStrand) {
  UnitThread thread;
  thread.set_strand(StrandId::none);
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId{8}, Kind::read), eight_bytes_read));
  EXPECT_FALSE(thread.alike.tells(cell_of(StrandId::none, Kind::read), eight_bytes_read));
}

TEST(Decisions, HoldForCellsThatLookTheSame) {
  Decisions decisions;
  const Cell now(StrandId{9}, ContextId{4}, Kind::read, 0xf);
  Found found{{Cell(StrandId{3}, ContextId{2}, Kind::write, 0xff).with_further(1).raw(),
               Cell(StrandId{4}, ContextId{2}, Kind::read, 0xff).raw()},
              2};
  EXPECT_EQ(decisions.find(found, now, 1), nullptr);
  Change change;
  change.now = now;
  change.moved = 2;
  decisions.remember(found, now, 1, change);
  ASSERT_NE(decisions.find(found, now, 1), nullptr);
  EXPECT_EQ(decisions.find(found, now, 1)->moved, 2U);
  found.cells[3] = 77; // not in use
  EXPECT_NE(decisions.find(found, now, 1), nullptr);

  EXPECT_EQ(decisions.find(found, now, 2), nullptr) << "another task";
  EXPECT_EQ(decisions.find(found, now.with_mask(0xf0), 1), nullptr);
  EXPECT_EQ(decisions.find(found, Cell(StrandId{10}, ContextId{4}, Kind::read, 0xf), 1), nullptr);
  Found other = found;
  other.cells[1] ^= std::uint64_t{1} << Cell::strand_shift;
  EXPECT_EQ(decisions.find(other, now, 1), nullptr);
  other = found;
  other.used = 1;
  EXPECT_EQ(decisions.find(other, now, 1), nullptr);
}

} // namespace
} // namespace fletcher::access
