// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory of what begins or ends its life: cells are emptied, and pages that nobody has used stay untouched.
#include "checker/access/cells/shadow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sys/mman.h>
#include <vector>

using namespace fletcher::access;
using fletcher::Address;

namespace {

constexpr std::size_t page = fletcher::memory::FilledPages::page;
constexpr Address block = 0x100000;

class ShadowMemory : public testing::Test {
protected:
  /// So many of the shadow's pages of the bytes have been touched, read or written.
  std::size_t touched(Address first, std::size_t bytes) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(shadow_.row(0, first)) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(shadow_.row(0, first + bytes));
    std::vector<unsigned char> pages((end - begin) / page + 1);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), end - begin, pages.data()), 0);
    return static_cast<std::size_t>(std::ranges::count_if(pages, [](unsigned char one) { return (one & 1) != 0; }));
  }
  void use(Address granule) {
    shadow_.fill(granule, 1);
    shadow_.cell(0, granule).store(1);
  }
  Shadow shadow_{32};
};

TEST_F(ShadowMemory, OfANewBlockStaysUntouched) {
  ASSERT_TRUE(shadow_.ok());
  for (const std::size_t size : {64UL, page, 100 * page}) {
    shadow_.clear(block, size);
    EXPECT_EQ(touched(block, size), 0U) << size;
  }
}

TEST_F(ShadowMemory, IsEmptiedWhereItIsUsed) {
  for (const std::size_t size : {64UL, 2 * page, 100 * page})
    for (const Address at : {block, block + size / 2, block + size - 8}) {
      use(at);
      use(block - 8), use(block + size);
      shadow_.clear(block, size);
      EXPECT_EQ(shadow_.cell(0, at).load(), 0U) << size << ' ' << at - block;
      EXPECT_EQ(shadow_.cell(0, block - 8).load(), 1U);
      EXPECT_EQ(shadow_.cell(0, block + size).load(), 1U);
    }
}

} // namespace
