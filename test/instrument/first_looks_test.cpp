// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code that the take-over writes over ThreadSanitizer's entry points: as those of this library, wherever it
// is copied to.

#include "lib/interpose/takeover/first_looks.hpp"

#include "test/instrument/recorder.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstring>
#include <ostream>
#include <string>

using fletcher::Address;
using fletcher::StrandId;
using fletcher::access::Cell;
using fletcher::access::Kind;
using fletcher::test::WatchedThread;

extern "C" {
using EntryPoint = void(void*);
EntryPoint __fletcher_untold_read1, __fletcher_untold_read2, __fletcher_untold_read4, __fletcher_untold_read8,
    __fletcher_untold_read16;
EntryPoint __fletcher_untold_write1, __fletcher_untold_write2, __fletcher_untold_write4, __fletcher_untold_write8,
    __fletcher_untold_write16;
}

namespace {

struct Case {
  const char* name;
  EntryPoint* after;
  std::size_t size;
  Kind kind;
};
void PrintTo(const Case& one, std::ostream* to) { *to << one.name; }

const Case cases[] = {
    {"read1", __fletcher_untold_read1, 1, Kind::read},    {"read2", __fletcher_untold_read2, 2, Kind::read},
    {"read4", __fletcher_untold_read4, 4, Kind::read},    {"read8", __fletcher_untold_read8, 8, Kind::read},
    {"read16", __fletcher_untold_read16, 16, Kind::read}, {"write1", __fletcher_untold_write1, 1, Kind::write},
    {"write2", __fletcher_untold_write2, 2, Kind::write}, {"write4", __fletcher_untold_write4, 4, Kind::write},
    {"write8", __fletcher_untold_write8, 8, Kind::write}, {"write16", __fletcher_untold_write16, 16, Kind::write},
};

class FirstLook : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    const std::string name = std::string("__tsan_") + GetParam().name;
    if (fletcher::interpose::after_first_look(name).empty()) GTEST_SKIP() << "not for this processor";
    EXPECT_EQ(fletcher::interpose::after_first_look(name), std::string("__fletcher_untold_") + GetParam().name);
    const auto code = fletcher::interpose::first_look(name, reinterpret_cast<const void*>(GetParam().after));
    page_ = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page_, MAP_FAILED);
    std::memcpy(page_, code.data(), code.size());
    ASSERT_EQ(mprotect(page_, page_size, PROT_READ | PROT_EXEC), 0);
  }
  void TearDown() override {
    if (page_ != nullptr && page_ != MAP_FAILED) munmap(page_, page_size);
  }
  void look(std::size_t offset) { reinterpret_cast<EntryPoint*>(page_)(memory_ + offset); }
  static std::uint8_t bytes(std::size_t offset) {
    return GetParam().size >= 8 ? 0xff : static_cast<std::uint8_t>(((1U << GetParam().size) - 1) << offset);
  }

  static constexpr std::size_t page_size = 4096;
  void* page_ = nullptr;
  alignas(16) char memory_[32]{};
};

TEST_P(FirstLook, IsOutWhereACellOfTheStrandTellsOfTheBytes) {
  WatchedThread thread;
  for (std::size_t offset = 0; offset < 8; offset += GetParam().size) {
    const Cell same(thread.state().strand(), fletcher::ContextId{1}, GetParam().kind, bytes(offset));
    thread.state().shadow[0] = thread.state().shadow[1] = same.raw();
    look(offset);
  }
  EXPECT_TRUE(thread.recorder().accesses.empty());
}

TEST_P(FirstLook, GoesOnWhereTheCellTellsOfLess) {
  WatchedThread thread;
  std::uint64_t* const cells = thread.state().shadow;
  for (std::size_t offset = 0; offset < 8; offset += GetParam().size) {
    const StrandId mine = thread.state().strand(), other{6};
    const Cell same(mine, fletcher::ContextId{1}, GetParam().kind, 0xff);
    const Cell less[] = {Cell(other, fletcher::ContextId{1}, GetParam().kind, 0xff),
                         same.with_mask(static_cast<std::uint8_t>(0xff & ~(1U << offset))),
                         Cell(mine, fletcher::ContextId{1}, Kind::atomic_write, 0xff), Cell()};
    for (const Cell cell : less)
      for (unsigned last = 0; last < (GetParam().size == 16 ? 2 : 1); ++last) {
        cells[0] = cells[1] = same.raw();
        cells[last] = cell.raw();
        look(offset);
        const auto access = thread.only_access();
        EXPECT_EQ(access.address, reinterpret_cast<Address>(memory_ + offset));
        EXPECT_EQ(access.size, GetParam().size);
        EXPECT_EQ(access.kind, GetParam().kind);
        thread.recorder().accesses.clear();
      }
  }
}

TEST_P(FirstLook, GoesOnWhereTheAccessIsNotAligned) {
  if (GetParam().size == 1) return; // always aligned
  WatchedThread thread;
  thread.state().shadow[0] = thread.state().shadow[1] =
      Cell(thread.state().strand(), fletcher::ContextId{1}, Kind::write, 0xff).raw();
  look(7);
  EXPECT_EQ(thread.only_access().address, reinterpret_cast<Address>(memory_ + 7));
}

TEST_P(FirstLook, IsOutWhereAJointStrandTellsOfARead) {
  WatchedThread thread;
  std::uint64_t* const cells = thread.state().shadow;
  const StrandId joint{6};
  thread.state().alike.meet(Cell::strand_part(joint) | Cell::need(Kind::write, 0xff));
  cells[0] = cells[1] = Cell(joint, fletcher::ContextId{1}, Kind::read, 0xff).raw();
  look(0);
  EXPECT_EQ(thread.recorder().accesses.size(), GetParam().kind == Kind::read ? 0U : 1U);
  thread.recorder().accesses.clear();
  cells[GetParam().size == 16] = Cell(StrandId{9}, fletcher::ContextId{1}, Kind::read, 0xff).raw();
  look(0);
  EXPECT_EQ(thread.recorder().accesses.size(), 1U);
}

TEST_P(FirstLook, IsOutWhereAFurtherCellTellsOfARead) {
  if (GetParam().size == 16) return;
  WatchedThread thread;
  std::uint64_t* const cells = thread.state().shadow;
  thread.state().plane_distance = 1;
  const Cell mine(thread.state().strand(), fletcher::ContextId{1}, Kind::read, 0xff);
  const Cell other(StrandId{number(thread.state().strand()) + 1}, fletcher::ContextId{1}, Kind::read, 0xff);
  const auto calls = [&](Cell first, Cell second) {
    cells[0] = first.raw(), cells[1] = second.raw();
    look(0);
    const std::size_t count = thread.recorder().accesses.size();
    thread.recorder().accesses.clear();
    return count;
  };
  EXPECT_EQ(calls(other.with_further(1), mine), GetParam().kind == Kind::read ? 0U : 1U);
  EXPECT_EQ(calls(other.with_further(1), mine.with_mask(0x80)), 1U);
  EXPECT_EQ(calls(other, mine), 1U); // it is not in use
  thread.state().horizon = StrandId{number(other.strand()) + 1};
  EXPECT_EQ(calls(other.with_further(1), mine), 1U); // nor now
}

TEST_P(FirstLook, IsOutWhereNothingIsChecked) {
  look(0); // no thread state
  WatchedThread thread(false);
  look(0);
  EXPECT_TRUE(thread.recorder().accesses.empty());
}

INSTANTIATE_TEST_SUITE_P(All, FirstLook, testing::ValuesIn(cases), [](const auto& one) { return one.param.name; });

TEST(AfterFirstLook, IsNothingWhereAnEntryPointDoesNotBeginWithOne) {
  for (const char* const name : {"__tsan_read_range", "__tsan_read32", "__tsan_unaligned_read8", "__tsan_vptr_update",
                                 "__tsan_func_entry", "__tsan_write", "read8", ""})
    EXPECT_TRUE(fletcher::interpose::after_first_look(name).empty()) << name;
}

TEST(AfterFirstLook, IsThatOfAReadForAVirtualTablesPointer) {
  if (fletcher::interpose::after_first_look("__tsan_read8").empty()) GTEST_SKIP() << "not for this processor";
  EXPECT_EQ(fletcher::interpose::after_first_look("__tsan_vptr_read"), "__fletcher_untold_read8");
  EXPECT_EQ(fletcher::interpose::first_look("__tsan_vptr_read", nullptr),
            fletcher::interpose::first_look("__tsan_read8", nullptr));
}

} // namespace
