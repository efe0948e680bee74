// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of a reservation that are filled before they are written: which of them the kernel has given memory to.
#include "checker/memory/filled_pages.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <vector>

using namespace fletcher::memory;

namespace {

constexpr std::size_t page = FilledPages::page, pages = 1024;

class FilledPagesTest : public testing::Test {
protected:
  /// What the kernel says of the first pages: '1' where memory is there.
  std::string resident(std::size_t count) {
    unsigned char vector[pages];
    EXPECT_EQ(mincore(memory_.data(), count * page, vector), 0);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (vector[i] & 1) != 0 ? '1' : '0';
    return text;
  }

  Reservation memory_{pages * page};
  FilledPages filled_{pages * page};
};

TEST_F(FilledPagesTest, FillsWhatIsAskedFor) {
  EXPECT_FALSE(filled_.filled(3 * page + 8, 8));
  filled_.fill(memory_, 3 * page + 8, 8);
  EXPECT_TRUE(filled_.filled(3 * page, page));
  EXPECT_FALSE(filled_.filled(3 * page + 8, page));
  EXPECT_EQ(resident(6), "000100");
}

TEST_F(FilledPagesTest, AreFilledIfAllOfThemAre) {
  for (const std::size_t at : {60UL, 61UL, 62UL, 63UL, 64UL, 66UL}) filled_.fill(memory_, at * page, page);
  for (std::size_t at = 100; at < 300; ++at) filled_.fill(memory_, at * page, page);
  EXPECT_TRUE(filled_.filled(60 * page, 5 * page));
  EXPECT_FALSE(filled_.filled(100 * page - 8, 16));
  EXPECT_TRUE(filled_.filled(100 * page, 200 * page));
  filled_.given_back(memory_, 128 * page, 64 * page);
  EXPECT_FALSE(filled_.filled(100 * page, 200 * page)) << "though both ends are";
}

TEST_F(FilledPagesTest, OneOfTwoIsSome) {
  filled_.fill(memory_, 3 * page, page);
  EXPECT_TRUE(filled_.any(3 * page, 8));
  EXPECT_TRUE(filled_.any(3 * page - 8, 16));
  EXPECT_TRUE(filled_.any(4 * page - 8, 16));
  EXPECT_FALSE(filled_.any(2 * page, page));
  EXPECT_FALSE(filled_.any(4 * page, 8));
}

TEST_F(FilledPagesTest, AreFoundAgain) {
  filled_.fill(memory_, 3 * page, 2 * page);
  filled_.fill(memory_, 200 * page, page);
  filled_.fill(memory_, 201 * page, page);
  std::vector<std::size_t> found;
  filled_.each(4 * page, 197 * page, [&](std::size_t at) { found.push_back(at / page); });
  EXPECT_EQ(found, (std::vector<std::size_t>{4, 200}));
}

TEST_F(FilledPagesTest, FillsAsMuchAheadAsIsFilledBefore) {
  filled_.fill(memory_, 0, page);
  filled_.fill(memory_, page, 8);
  EXPECT_EQ(resident(5), "11100");
  filled_.fill(memory_, 3 * page, 8);
  EXPECT_EQ(resident(9), "111111100"); // one and the three before it
  filled_.fill(memory_, page, 8);      // there already: nothing more is likely to come
  EXPECT_EQ(resident(9), "111111100");
}

TEST_F(FilledPagesTest, StopsAtWhatIsFilledAndAtTheEnd) {
  filled_.fill(memory_, 4 * page, page);
  filled_.fill(memory_, 0, 3 * page);
  filled_.fill(memory_, 3 * page, page);
  EXPECT_EQ(resident(7), "1111100");
  filled_.fill(memory_, (pages - 3) * page, 2 * page);
  filled_.fill(memory_, (pages - 1) * page, page);
  EXPECT_EQ(resident(pages).substr(pages - 4), "0111");
}

// Of a program that has touched pages 32 to 41 of as many others.
TEST_F(FilledPagesTest, FillsBesideTwoWhereTheProgramHasMemory) {
  Reservation program{pages * page};
  std::memset(program.data() + 32 * page, 1, 10 * page);
  const auto fill = [&](std::size_t at) {
    filled_.fill(memory_, at * page + 8, 8, reinterpret_cast<std::uintptr_t>(program.data()) + at * page + 8);
  };
  fill(38);
  EXPECT_EQ(resident(50).substr(30), "00000000100000000000");
  fill(34);
  EXPECT_EQ(resident(50).substr(30), "00111111111000000000"); // of the last one half is of a page that is not there
}

TEST_F(FilledPagesTest, NeverMoreAheadThanItsLimit) {
  filled_.fill(memory_, 0, 100 * page);
  filled_.fill(memory_, 100 * page, 8);
  EXPECT_EQ(resident(120), std::string(101 + FilledPages::most_ahead, '1') + "000");
}

TEST_F(FilledPagesTest, KeepsWhatIsThere) {
  std::memset(memory_.data(), 7, 2 * page);
  errno = EINTR;
  filled_.fill(memory_, 0, 3 * page);
  EXPECT_EQ(errno, EINTR);
  EXPECT_EQ(memory_.data()[page], std::byte{7});
  EXPECT_EQ(memory_.data()[2 * page], std::byte{0});
}

TEST_F(FilledPagesTest, FillsAgainWhatWasGivenBack) {
  filled_.fill(memory_, 0, 512 * page);
  memory_.clear(64 * page, 128 * page);
  filled_.given_back(memory_, 64 * page, 128 * page);
  EXPECT_TRUE(filled_.filled(63 * page, page));
  EXPECT_FALSE(filled_.filled(64 * page, page));
  EXPECT_FALSE(filled_.filled(191 * page, page));
  EXPECT_TRUE(filled_.filled(192 * page, page));
  filled_.fill(memory_, 64 * page, 8);
  EXPECT_EQ(resident(66).substr(62), "1111"); // a run before it: more ahead
}

} // namespace
