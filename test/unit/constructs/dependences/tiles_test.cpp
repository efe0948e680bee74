// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/dependences/tiles.hpp"

#include <gtest/gtest.h>
#include <random>

namespace fletcher::constructs {
namespace {

constexpr std::size_t row = 256 * sizeof(double);
constexpr Address matrix = 0x7000;

Extent tile(std::size_t i, std::size_t j, std::size_t high, std::size_t wide) {
  return {matrix + i * row + j * sizeof(double), (high - 1) * row + wide * sizeof(double)};
}

TEST(Tiles, OfAMatrixShareNothing) {
  EXPECT_TRUE(may_be_tiles(tile(0, 0, 64, 64), tile(0, 64, 64, 64)));
  EXPECT_TRUE(may_be_tiles(tile(0, 192, 64, 64), tile(0, 0, 64, 64)));
  EXPECT_TRUE(may_be_tiles(tile(0, 0, 64, 64), tile(2, 64, 64, 64)));
  EXPECT_TRUE(may_be_tiles(tile(0, 64, 64, 64), tile(0, 128, 64, 17))) << "what is left at the right edge";
  EXPECT_TRUE(may_be_tiles(tile(60, 64, 64, 64), tile(62, 128, 17, 64))) << "and at the bottom";
}

TEST(Tiles, AreNoPartsOfOneArray) {
  const auto part = [](std::size_t first, std::size_t count) {
    return Extent{matrix + first * sizeof(double), count * sizeof(double)};
  };
  EXPECT_FALSE(may_be_tiles(part(0, 100), part(50, 50))) << "the second half";
  EXPECT_FALSE(may_be_tiles(part(0, 100), part(7, 1))) << "an element";
  EXPECT_FALSE(may_be_tiles(part(99, 102), part(100, 100))) << "a block with its neighbours' edges";
  EXPECT_FALSE(may_be_tiles(part(0, 6), part(4, 4))) << "too small";
  EXPECT_FALSE(may_be_tiles(part(0, 3), part(1, 1))) << "a member of a structure";
}

// Every length of a row is tried here.
TEST(Tiles, AreWhatSomeMatrixHasInDifferentColumns) {
  std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same pairs each time
  const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
  unsigned some = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t element = i % 3 == 0 ? 1 : 4, first = (1 + below(600)) * element;
    const std::size_t second = i % 2 == 0 ? first : (1 + below(600)) * element, distance = below(first);
    bool expected = false;
    for (std::size_t of = 64; of < std::max(first, second) && !expected; ++of) {
      if ((first | second | distance) % 4 == 0 && of % 4 != 0) continue;
      const std::size_t width = first % of, other = second % of, column = distance % of;
      expected = first > of && second > of && width != 0 && other != 0 &&
                 (first / of == second / of || width == other) && column >= width && column + other <= of;
    }
    some += expected ? 1 : 0;
    EXPECT_EQ(may_be_tiles({matrix, first}, {matrix + distance, second}), expected)
        << first << ' ' << second << ' ' << distance;
  }
  EXPECT_GT(some, 100U);
}

} // namespace
} // namespace fletcher::constructs
