// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every access entry point: what it passes on to the checker, and when it passes nothing on.

#include "test/instrument/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

using fletcher::Address;
using fletcher::access::Cell;
using fletcher::access::Kind;
using fletcher::test::WatchedThread;

extern "C" {
using EntryPoint = void(void*);
using EntryPointWithPc = void(void*, void*);
EntryPoint __tsan_read1, __tsan_read2, __tsan_read4, __tsan_read8, __tsan_read16;
EntryPoint __tsan_write1, __tsan_write2, __tsan_write4, __tsan_write8, __tsan_write16;
EntryPointWithPc __tsan_read1_pc, __tsan_read2_pc, __tsan_read4_pc, __tsan_read8_pc, __tsan_read16_pc;
EntryPointWithPc __tsan_write1_pc, __tsan_write2_pc, __tsan_write4_pc, __tsan_write8_pc, __tsan_write16_pc;
using ConstEntryPoint = void(const void*);
ConstEntryPoint __tsan_unaligned_read2, __tsan_unaligned_read4, __tsan_unaligned_read8, __tsan_unaligned_read16;
EntryPoint __tsan_unaligned_write2, __tsan_unaligned_write4, __tsan_unaligned_write8, __tsan_unaligned_write16;
EntryPoint __tsan_volatile_read1, __tsan_volatile_read2, __tsan_volatile_read4, __tsan_volatile_read8,
    __tsan_volatile_read16;
EntryPoint __tsan_volatile_write1, __tsan_volatile_write2, __tsan_volatile_write4, __tsan_volatile_write8,
    __tsan_volatile_write16;
EntryPoint __tsan_unaligned_volatile_read2, __tsan_unaligned_volatile_read4, __tsan_unaligned_volatile_read8,
    __tsan_unaligned_volatile_read16;
EntryPoint __tsan_unaligned_volatile_write2, __tsan_unaligned_volatile_write4, __tsan_unaligned_volatile_write8,
    __tsan_unaligned_volatile_write16;
EntryPoint __tsan_read_write1, __tsan_read_write2, __tsan_read_write4, __tsan_read_write8, __tsan_read_write16;
EntryPoint __tsan_unaligned_read_write2, __tsan_unaligned_read_write4, __tsan_unaligned_read_write8,
    __tsan_unaligned_read_write16;
void __tsan_read_range(void*, unsigned long);
void __tsan_write_range(void*, unsigned long);
void __tsan_read_range_pc(void*, unsigned long, void*);
void __tsan_write_range_pc(void*, unsigned long, void*);
void __fletcher_read_strided(void*, long, unsigned long, unsigned long);
void __fletcher_write_strided(void*, long, unsigned long, unsigned long);
void __fletcher_read_masked(void*, unsigned long, unsigned long);
void __fletcher_write_masked(void*, unsigned long, unsigned long);
bool __fletcher_read_told(void*, unsigned long);
void __tsan_vptr_read(void**);
void __tsan_vptr_update(void**, void*);
void* __tsan_memcpy(void*, const void*, unsigned long);
void* __tsan_memmove(void*, const void*, unsigned long);
void* __tsan_memset(void*, int, unsigned long);
}

namespace {

alignas(16) std::array<char, 64> memory;

struct Case {
  const char* name;
  EntryPoint* function;
  std::size_t size;
  Kind kind;
};

/// `const void*` and `void*` are passed alike.
EntryPoint* plain(ConstEntryPoint* function) { return reinterpret_cast<EntryPoint*>(function); }

const Case cases[] = {
    {"read1", __tsan_read1, 1, Kind::read},
    {"read2", __tsan_read2, 2, Kind::read},
    {"read4", __tsan_read4, 4, Kind::read},
    {"read8", __tsan_read8, 8, Kind::read},
    {"read16", __tsan_read16, 16, Kind::read},
    {"write1", __tsan_write1, 1, Kind::write},
    {"write2", __tsan_write2, 2, Kind::write},
    {"write4", __tsan_write4, 4, Kind::write},
    {"write8", __tsan_write8, 8, Kind::write},
    {"write16", __tsan_write16, 16, Kind::write},
    {"unaligned_read2", plain(__tsan_unaligned_read2), 2, Kind::read},
    {"unaligned_read4", plain(__tsan_unaligned_read4), 4, Kind::read},
    {"unaligned_read8", plain(__tsan_unaligned_read8), 8, Kind::read},
    {"unaligned_read16", plain(__tsan_unaligned_read16), 16, Kind::read},
    {"unaligned_write2", __tsan_unaligned_write2, 2, Kind::write},
    {"unaligned_write4", __tsan_unaligned_write4, 4, Kind::write},
    {"unaligned_write8", __tsan_unaligned_write8, 8, Kind::write},
    {"unaligned_write16", __tsan_unaligned_write16, 16, Kind::write},
    {"volatile_read1", __tsan_volatile_read1, 1, Kind::read},
    {"volatile_read2", __tsan_volatile_read2, 2, Kind::read},
    {"volatile_read4", __tsan_volatile_read4, 4, Kind::read},
    {"volatile_read8", __tsan_volatile_read8, 8, Kind::read},
    {"volatile_read16", __tsan_volatile_read16, 16, Kind::read},
    {"volatile_write1", __tsan_volatile_write1, 1, Kind::write},
    {"volatile_write2", __tsan_volatile_write2, 2, Kind::write},
    {"volatile_write4", __tsan_volatile_write4, 4, Kind::write},
    {"volatile_write8", __tsan_volatile_write8, 8, Kind::write},
    {"volatile_write16", __tsan_volatile_write16, 16, Kind::write},
    {"unaligned_volatile_read2", __tsan_unaligned_volatile_read2, 2, Kind::read},
    {"unaligned_volatile_read4", __tsan_unaligned_volatile_read4, 4, Kind::read},
    {"unaligned_volatile_read8", __tsan_unaligned_volatile_read8, 8, Kind::read},
    {"unaligned_volatile_read16", __tsan_unaligned_volatile_read16, 16, Kind::read},
    {"unaligned_volatile_write2", __tsan_unaligned_volatile_write2, 2, Kind::write},
    {"unaligned_volatile_write4", __tsan_unaligned_volatile_write4, 4, Kind::write},
    {"unaligned_volatile_write8", __tsan_unaligned_volatile_write8, 8, Kind::write},
    {"unaligned_volatile_write16", __tsan_unaligned_volatile_write16, 16, Kind::write},
    {"read_write1", __tsan_read_write1, 1, Kind::write},
    {"read_write2", __tsan_read_write2, 2, Kind::write},
    {"read_write4", __tsan_read_write4, 4, Kind::write},
    {"read_write8", __tsan_read_write8, 8, Kind::write},
    {"read_write16", __tsan_read_write16, 16, Kind::write},
    {"unaligned_read_write2", __tsan_unaligned_read_write2, 2, Kind::write},
    {"unaligned_read_write4", __tsan_unaligned_read_write4, 4, Kind::write},
    {"unaligned_read_write8", __tsan_unaligned_read_write8, 8, Kind::write},
    {"unaligned_read_write16", __tsan_unaligned_read_write16, 16, Kind::write},
};

/// Calls it from a place that the test knows: [begin of this function, begin + 200).
[[gnu::noinline]] void call(EntryPoint* function, void* p) {
  function(p);
  asm volatile("" ::: "memory"); // no tail call
}

class AccessEntryPoint : public testing::TestWithParam<Case> {};

TEST_P(AccessEntryPoint, PassesOnAddressSizeKindAndPlace) {
  for (const std::size_t offset : {0U, 8U, 3U}) {
    WatchedThread thread;
    call(GetParam().function, &memory[offset]);
    const auto access = thread.only_access();
    EXPECT_EQ(access.address, reinterpret_cast<Address>(&memory[offset]));
    EXPECT_EQ(access.size, GetParam().size);
    EXPECT_EQ(access.kind, GetParam().kind);
    EXPECT_LT(access.pc - reinterpret_cast<Address>(&call), 200U);
  }
}

TEST_P(AccessEntryPoint, IsSilentWhereNothingIsChecked) {
  call(GetParam().function, memory.data()); // no thread state: must not touch anything
  WatchedThread thread(false);
  call(GetParam().function, memory.data());
  EXPECT_TRUE(thread.recorder().accesses.empty());
}

TEST_P(AccessEntryPoint, IsOutWhereTheStrandRecordedTheSameAccess) {
  WatchedThread thread;
  auto* const cells = reinterpret_cast<std::uint64_t*>(thread.state().shadow);
  const Cell same(thread.state().strand(), fletcher::ContextId{1}, GetParam().kind, 0xff);
  cells[0] = cells[1] = same.raw();
  call(GetParam().function, memory.data());
  EXPECT_TRUE(thread.recorder().accesses.empty());

  // Of another strand, or of fewer bytes, it says nothing.
  cells[0] = cells[1] = Cell(fletcher::StrandId{6}, fletcher::ContextId{1}, GetParam().kind, 0xff).raw();
  call(GetParam().function, memory.data());
  EXPECT_EQ(thread.recorder().accesses.size(), 1U);
  cells[0] = cells[1] = same.with_mask(0xfe).raw();
  call(GetParam().function, memory.data());
  EXPECT_EQ(thread.recorder().accesses.size(), 2U);
}

TEST_P(AccessEntryPoint, TakesAWriteForMoreThanARead) {
  WatchedThread thread;
  auto* const cells = reinterpret_cast<std::uint64_t*>(thread.state().shadow);
  cells[0] = cells[1] = Cell(thread.state().strand(), fletcher::ContextId{1}, Kind::read, 0xff).raw();
  call(GetParam().function, memory.data());
  EXPECT_EQ(thread.recorder().accesses.size(), GetParam().kind == Kind::write ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(All, AccessEntryPoint, testing::ValuesIn(cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

struct PcCase {
  EntryPointWithPc* function;
  std::size_t size;
  Kind kind;
};

TEST(AccessWithPlace, PassesThePlaceOn) {
  const PcCase all[] = {
      {__tsan_read1_pc, 1, Kind::read},     {__tsan_read2_pc, 2, Kind::read},   {__tsan_read4_pc, 4, Kind::read},
      {__tsan_read8_pc, 8, Kind::read},     {__tsan_read16_pc, 16, Kind::read}, {__tsan_write1_pc, 1, Kind::write},
      {__tsan_write2_pc, 2, Kind::write},   {__tsan_write4_pc, 4, Kind::write}, {__tsan_write8_pc, 8, Kind::write},
      {__tsan_write16_pc, 16, Kind::write},
  };
  for (const PcCase& each : all) {
    WatchedThread thread;
    each.function(memory.data(), reinterpret_cast<void*>(0x1234));
    const auto access = thread.only_access();
    EXPECT_EQ(access.size, each.size);
    EXPECT_EQ(access.kind, each.kind);
    EXPECT_EQ(access.pc, 0x1234U);
  }
}

TEST(Ranges, PassOnEverySize) {
  for (const std::size_t size : {1U, 3U, 4U, 8U, 12U, 16U, 40U}) {
    WatchedThread thread;
    __tsan_read_range(&memory[1], size);
    const auto read = thread.only_access();
    EXPECT_EQ(read.address, reinterpret_cast<Address>(&memory[1]));
    EXPECT_EQ(read.size, size);
    EXPECT_EQ(read.kind, Kind::read);
  }
  WatchedThread thread;
  __tsan_write_range(memory.data(), 24);
  EXPECT_EQ(thread.only_access().kind, Kind::write);
  thread.recorder().accesses.clear();
  __tsan_write_range_pc(memory.data(), 24, reinterpret_cast<void*>(0x77));
  EXPECT_EQ(thread.only_access().pc, 0x77U);
  thread.recorder().accesses.clear();
  __tsan_read_range_pc(memory.data(), 8, reinterpret_cast<void*>(0x78));
  EXPECT_EQ(thread.only_access().pc, 0x78U);
}

/// What was passed on, as offset and size.
std::vector<std::pair<long, std::size_t>> pieces(WatchedThread& thread, Kind kind) {
  std::vector<std::pair<long, std::size_t>> all;
  for (const auto& access : thread.recorder().accesses) {
    EXPECT_EQ(access.kind, kind);
    all.emplace_back(static_cast<long>(access.address - reinterpret_cast<Address>(memory.data())), access.size);
  }
  thread.recorder().accesses.clear();
  return all;
}

TEST(StridedAccess, PassesOnEachPiece) {
  using Pieces = std::vector<std::pair<long, std::size_t>>;
  WatchedThread thread;
  __fletcher_read_strided(memory.data(), 16, 8, 3);
  EXPECT_EQ(pieces(thread, Kind::read), (Pieces{{0, 8}, {16, 8}, {32, 8}}));
  __fletcher_write_strided(&memory[42], -20, 3, 3);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{42, 3}, {22, 3}, {2, 3}}));
  __fletcher_write_strided(memory.data(), 24, 20, 2);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{0, 20}, {24, 20}}));
  __fletcher_read_strided(memory.data(), 16, 8, 1);
  EXPECT_EQ(pieces(thread, Kind::read), (Pieces{{0, 8}}));
}

TEST(StridedAccess, IsOneWherePiecesTouch) {
  using Pieces = std::vector<std::pair<long, std::size_t>>;
  WatchedThread thread;
  __fletcher_read_strided(memory.data(), 8, 8, 5);
  EXPECT_EQ(pieces(thread, Kind::read), (Pieces{{0, 40}}));
  __fletcher_write_strided(&memory[32], -8, 8, 5);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{0, 40}}));
  __fletcher_write_strided(&memory[8], 4, 8, 3);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{8, 16}}));
  __fletcher_read_strided(memory.data(), 0, 8, 100);
  EXPECT_EQ(pieces(thread, Kind::read), (Pieces{{0, 8}}));
}

TEST(MaskedAccess, PassesOnTheChosenElements) {
  using Pieces = std::vector<std::pair<long, std::size_t>>;
  WatchedThread thread;
  __fletcher_read_masked(memory.data(), 4, 0b1011);
  EXPECT_EQ(pieces(thread, Kind::read), (Pieces{{0, 8}, {12, 4}}));
  __fletcher_write_masked(memory.data(), 8, 0b10);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{8, 8}}));
  __fletcher_write_masked(memory.data(), 1, ~0UL);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{0, 64}}));
  __fletcher_write_masked(memory.data(), 1, 1UL << 63);
  EXPECT_EQ(pieces(thread, Kind::write), (Pieces{{63, 1}}));
  __fletcher_read_masked(memory.data(), 4, 0);
  EXPECT_TRUE(thread.recorder().accesses.empty());
}

TEST(StridedAccess, IsNoneWhereNothingIsAccessedOrChecked) {
  __fletcher_read_strided(memory.data(), 16, 8, 3); // no thread state
  WatchedThread thread;
  for (const long stride : {0L, 8L, -8L, 16L, -16L}) {
    __fletcher_read_strided(memory.data(), stride, 8, 0);
    __fletcher_write_strided(memory.data(), stride, 8, 0);
  }
  EXPECT_TRUE(thread.recorder().accesses.empty());
  thread.state().switch_off();
  __fletcher_write_strided(memory.data(), 16, 8, 3);
  EXPECT_TRUE(thread.recorder().accesses.empty());
}

TEST(RecordQuestion, IsPassedOnWhereAccessesAreChecked) {
  EXPECT_TRUE(__fletcher_read_told(memory.data(), 5)) << "no thread state";
  WatchedThread thread;
  EXPECT_FALSE(__fletcher_read_told(memory.data(), 5));
  const auto asked = thread.only_access();
  EXPECT_EQ(asked.address, reinterpret_cast<Address>(memory.data()));
  EXPECT_EQ(asked.size, 40U);
  thread.state().switch_off();
  EXPECT_TRUE(__fletcher_read_told(memory.data(), 5));
  EXPECT_EQ(thread.recorder().accesses.size(), 1U);
}

TEST(VirtualTablePointer, IsWrittenOnlyWhereItChanges) {
  int one = 0, other = 0;
  void* pointer = &one;
  WatchedThread thread;
  __tsan_vptr_update(&pointer, &one);
  EXPECT_TRUE(thread.recorder().accesses.empty());
  __tsan_vptr_update(&pointer, &other);
  EXPECT_EQ(thread.only_access().kind, Kind::write);
  EXPECT_EQ(pointer, &one) << "the program itself writes it";
  thread.recorder().accesses.clear();
  __tsan_vptr_read(&pointer);
  EXPECT_EQ(thread.only_access().kind, Kind::read);
  EXPECT_EQ(thread.only_access().size, sizeof(void*));
}

TEST(MemoryIntrinsics, DoWhatTheyAreNamedAfterAndSaySo) {
  char source[40], target[40];
  for (int i = 0; i < 40; ++i) source[i] = static_cast<char>(i);
  WatchedThread thread;
  EXPECT_EQ(__tsan_memcpy(target, source, 40), target);
  EXPECT_EQ(std::memcmp(target, source, 40), 0);
  ASSERT_EQ(thread.recorder().accesses.size(), 2U);
  EXPECT_EQ(thread.recorder().accesses[0].kind, Kind::read);
  EXPECT_EQ(thread.recorder().accesses[0].address, reinterpret_cast<Address>(source));
  EXPECT_EQ(thread.recorder().accesses[1].kind, Kind::write);
  EXPECT_EQ(thread.recorder().accesses[1].address, reinterpret_cast<Address>(target));

  EXPECT_EQ(__tsan_memmove(source + 1, source, 39), source + 1); // overlapping
  for (int i = 0; i < 39; ++i) EXPECT_EQ(source[i + 1], i);
  EXPECT_EQ(__tsan_memset(target, 'x', 7), target);
  EXPECT_EQ(std::memcmp(target, "xxxxxxx\7", 8), 0);
  EXPECT_EQ(thread.recorder().accesses.back().size, 7U);
  EXPECT_EQ(thread.recorder().accesses.size(), 5U);
}

} // namespace
