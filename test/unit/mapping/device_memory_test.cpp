// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is mapped where and what each copy is worth: the cases of docs/rules/mapping-bug.md one by one, and random
// sequences against a model that only compares when each copy's value was written.
#include "checker/mapping/device_memory.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fletcher::mapping {
namespace {

constexpr Address host = 0x10000, device = 0x50000;
constexpr std::size_t size = 64;
constexpr ContextId map{1}, writer{2}, update{3}, end{4};
constexpr Extent exact = Extent::exact, whole = Extent::whole;

class DeviceMemoryTest : public testing::Test {
protected:
  void map_alloc() { memory.allocate(device, host, size, map); }
  void map_to() {
    map_alloc();
    to(0, size);
  }
  void to(std::size_t begin, std::size_t bytes) { memory.copy_to_device(host + begin, device + begin, bytes, update); }
  void from(std::size_t begin, std::size_t bytes) { memory.copy_to_host(device + begin, host + begin, bytes, update); }
  void unmap() { memory.release(device, end); }
  bool host_reads_well(std::size_t begin, std::size_t bytes) { return !memory.host_reads(host + begin, bytes, exact); }
  bool device_reads_well(std::size_t begin, std::size_t bytes) {
    return !memory.device_reads(device + begin, bytes, exact);
  }

  DeviceMemory memory;
};

TEST_F(DeviceMemoryTest, WhatIsCopiedBothWaysIsValid) {
  map_to();
  EXPECT_TRUE(device_reads_well(0, size));
  memory.device_writes(device, size, writer);
  from(0, size);
  unmap();
  EXPECT_TRUE(host_reads_well(0, size));
}

TEST_F(DeviceMemoryTest, AllocatedMemoryIsUndefined) {
  map_alloc();
  memory.device_writes(device, 8, writer);
  EXPECT_TRUE(device_reads_well(0, 8));
  const auto problem = memory.device_reads(device + 8, 8, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::undefined);
  EXPECT_EQ(problem->host_address, host + 8);
  EXPECT_EQ(problem->mapped_at, map);
  EXPECT_TRUE(device_reads_well(8, 8)) << "told once";
}

TEST_F(DeviceMemoryTest, TheHostsLaterChangeIsNotOnTheDevice) {
  map_to();
  memory.host_writes(host + 16, 4, writer);
  EXPECT_TRUE(device_reads_well(0, 16));
  const auto problem = memory.device_reads(device + 16, 4, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::stale_on_device);
  EXPECT_EQ(problem->written_at, writer);
}

TEST_F(DeviceMemoryTest, AnUpdateOfAPartMakesThatPartValid) {
  map_to();
  memory.host_writes(host, size, writer);
  to(8, 8);
  EXPECT_TRUE(device_reads_well(8, 8));
  EXPECT_FALSE(device_reads_well(16, 8));
}

TEST_F(DeviceMemoryTest, TheDevicesChangeIsNotOnTheHostUntilItIsCopied) {
  map_to();
  memory.device_writes(device + 4, 4, writer);
  const auto problem = memory.host_reads(host + 4, 4, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::stale_on_host);
  EXPECT_TRUE(problem->present);
  EXPECT_EQ(problem->written_at, writer);
}

TEST_F(DeviceMemoryTest, TheDevicesChangeIsLostWhereItIsUnmapped) {
  map_to();
  memory.device_writes(device + 4, 4, writer);
  unmap();
  const auto problem = memory.host_reads(host + 4, 4, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::stale_on_host);
  EXPECT_FALSE(problem->present);
  EXPECT_EQ(problem->changed_at, end);
}

TEST_F(DeviceMemoryTest, WhatTheHostWritesAnewOrMapsAgainIsItsOwn) {
  map_to();
  memory.device_writes(device, 16, writer);
  unmap();
  memory.host_writes(host, 8, writer);
  EXPECT_TRUE(host_reads_well(0, 8));
  map_to();
  unmap();
  EXPECT_TRUE(host_reads_well(8, 8));
}

// What the words hold is not this class's affair.
TEST_F(DeviceMemoryTest, PointersThatADeviceSetsAreFoundByTheirWords) {
  map_to();
  memory.device_writes(device + 8, 8, writer);
  memory.device_writes(device + 24, 4, writer);
  const auto old = memory.old_words_of_block(device, 100);
  ASSERT_EQ(old.size(), 1U) << "half a word is no pointer";
  EXPECT_EQ(old[0].on_device, device + 8);
  EXPECT_EQ(old[0].on_host, host + 8);
  EXPECT_TRUE(memory.old_words_of_block(device, 0).empty());
  EXPECT_EQ(memory.words_of_host(host + 12, 8).size(), 2U);
  EXPECT_TRUE(memory.words_of_host(host + size - 4, 8).empty()) << "not all of it is mapped";
  EXPECT_TRUE(memory.is_copy(device + 40, host + 40));
  EXPECT_FALSE(memory.is_copy(device + 40, host + 48));
  memory.agree(old[0]);
  EXPECT_TRUE(host_reads_well(8, 8));
  EXPECT_FALSE(host_reads_well(24, 4));
}

TEST_F(DeviceMemoryTest, MemoryWithANewOwnerIsNotStale) {
  map_to();
  memory.device_writes(device, 16, writer);
  unmap();
  memory.forget_host(host, size);
  EXPECT_TRUE(host_reads_well(0, 16));
}

TEST_F(DeviceMemoryTest, AnOlderValueCopiedBackReplacesTheHosts) {
  map_to();
  memory.host_writes(host, 4, writer);
  from(0, size);
  const auto problem = memory.host_reads(host, 4, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::replaced);
  EXPECT_TRUE(host_reads_well(4, 8));
}

// It may have been scratch.
TEST_F(DeviceMemoryTest, ADevicesValueMayBeOverwritten) {
  map_to();
  memory.device_writes(device, 16, writer);
  to(0, size);
  EXPECT_TRUE(device_reads_well(0, 16));
  EXPECT_TRUE(host_reads_well(0, 16));
}

TEST_F(DeviceMemoryTest, BlocksBeforeAnAddressAreTheNearestOnesFirst) {
  map_to();
  memory.allocate(device + 4096, host + 4096, size, map);
  memory.allocate(device + 8192, 0, size, map);
  const auto found = memory.before(device + 9000, 4);
  ASSERT_EQ(found.size(), 2U) << "not what only the device has";
  EXPECT_EQ(found[0].host_base, host + 4096);
  EXPECT_EQ(found[1].host_address, host + 9000);
}

TEST_F(DeviceMemoryTest, AnUndefinedValueCopiedBackIsNobodys) {
  map_alloc();
  memory.device_writes(device, 32, writer);
  from(0, size);
  EXPECT_TRUE(host_reads_well(0, 32));
  const auto problem = memory.host_reads(host + 32, 8, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::undefined_on_host);
}

TEST_F(DeviceMemoryTest, PaddingOfACopiedStructureMayBeUndefined) {
  map_alloc();
  memory.device_writes(device, 4, writer); // an int, and a double behind it
  memory.device_writes(device + 8, 8, writer);
  EXPECT_FALSE(memory.device_reads(device, 16, whole));
  EXPECT_FALSE(memory.device_reads(device, 8, exact)) << "copied by a load";
  EXPECT_TRUE(memory.device_reads(device + 16, 32, whole)) << "nothing of it is written";
}

TEST_F(DeviceMemoryTest, AnAttachedPointerIsNeverStale) {
  map_to();
  memory.copy_to_device(0x9000, device + 8, sizeof(void*), map);
  memory.host_writes(host + 8, sizeof(void*), writer);
  EXPECT_TRUE(device_reads_well(8, sizeof(void*)));
  from(0, size);
  EXPECT_TRUE(host_reads_well(8, sizeof(void*)));
}

TEST_F(DeviceMemoryTest, AnAccessThatGoesBeyondItsBlock) {
  map_to();
  const auto problem = memory.device_reads(device, size + 8, exact);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::beyond);
  EXPECT_EQ(problem->offset, static_cast<std::ptrdiff_t>(size));
  EXPECT_EQ(problem->bytes, 8U);
}

TEST_F(DeviceMemoryTest, AnAccessNextToABlockInTheSameMemory) {
  map_to();
  const auto behind = memory.outside(device + size + 8, 4, device, device + 4096);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->fault, Fault::beyond);
  EXPECT_EQ(behind->offset, static_cast<std::ptrdiff_t>(size + 8));
  EXPECT_FALSE(memory.outside(device + 8192, 4, device + 8192, device + 9000));
  unmap();
  const auto after = memory.outside(device, 4, device, device + 4096);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->fault, Fault::unmapped);
}

TEST_F(DeviceMemoryTest, ACopyMayBeginBehindPadding) {
  memory.allocate(device, host + 4, size, map);
  memory.copy_to_device(host + 4, device + 4, size - 4, map);
  memory.host_writes(host + 4, 4, writer);
  EXPECT_FALSE(device_reads_well(4, 4));
}

TEST_F(DeviceMemoryTest, StaticMemoryIsValidOnBothSides) {
  memory.declare(device, host, size);
  EXPECT_TRUE(device_reads_well(0, size));
  memory.host_writes(host, 4, writer);
  EXPECT_FALSE(device_reads_well(0, 4));
}

TEST_F(DeviceMemoryTest, APartOfAVariableIsNotAllOfIt) {
  memory.declare(device + 8, host + 8, 8);
  memory.host_writes(host + 8, 4, writer);
  EXPECT_FALSE(device_reads_well(8, 4));
  EXPECT_TRUE(device_reads_well(8, 32)) << "the variable may be longer";
  EXPECT_FALSE(memory.outside(device, 8, device, device + 32));
}

TEST_F(DeviceMemoryTest, AnAssociatedBlockIsACopy) {
  memory.allocate(device, 0, size, map);
  memory.device_writes(device, size, writer);
  memory.associate(device, host, size, map);
  EXPECT_TRUE(host_reads_well(0, size)) << "it was not the host's before";
  memory.device_writes(device, 4, writer);
  EXPECT_FALSE(host_reads_well(0, 4));
  memory.disassociate(host);
  memory.device_writes(device + 8, 4, writer);
  EXPECT_TRUE(host_reads_well(8, 4));
}

TEST_F(DeviceMemoryTest, TheHostMayNotUseADevicesMemory) {
  EXPECT_FALSE(memory.of_device(device, 4));
  map_to();
  const auto problem = memory.of_device(device + 4, 4);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->fault, Fault::used_by_host);
}

TEST_F(DeviceMemoryTest, OnlyPagesOfBlocksAreKnown) {
  EXPECT_FALSE(memory.may_know(host, 8));
  map_to();
  EXPECT_TRUE(memory.may_know(host, 8));
  EXPECT_TRUE(memory.may_know(device + 8, 8));
  EXPECT_FALSE(memory.may_know(host + (1u << 20), 8));
}

/// When each copy of a byte was written; 0: long ago, -1: never.
struct Times {
  int host = 0, device = -1;
  int wanted = 0; ///< the host has to find nothing older
};

/// `unit`: bytes that are always accessed together; many are on several pages.
void run_random_mappings(std::size_t unit) {
  constexpr std::size_t few = 8;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
    DeviceMemory memory;
    std::array<Times, few> times{};
    bool mapped = false;
    int clock = 0;
    for (int step = 0; step < 200; ++step) {
      const std::size_t begin = below(few), last = begin + 1 + below(static_cast<unsigned>(few - begin));
      const std::size_t bytes = (last - begin) * unit;
      const Address on_host = host + begin * unit, on_device = device + begin * unit;
      const auto each = [&](auto f) {
        for (std::size_t i = begin; i < last; ++i) f(times[i]);
      };
      switch (below(8)) {
      case 0: // map or unmap all
        if (!mapped) {
          memory.allocate(device, host, few * unit, map);
          for (Times& t : times) t.device = -1;
        } else {
          memory.release(device, end);
        }
        mapped = !mapped;
        break;
      case 1:
        if (!mapped) break;
        memory.copy_to_device(on_host, on_device, bytes, update);
        each([](Times& t) {
          t.device = t.host;
          if (t.host >= 0) t.wanted = t.host;
        });
        break;
      case 2:
        if (!mapped) break;
        memory.copy_to_host(on_device, on_host, bytes, update);
        each([](Times& t) {
          if (t.device >= t.host) t.wanted = t.device;
          t.host = t.device;
        });
        break;
      case 3:
      case 4:
        memory.host_writes(on_host, bytes, writer);
        ++clock;
        each([&](Times& t) { t.host = t.wanted = clock; });
        break;
      case 5:
        if (!mapped) break;
        memory.device_writes(on_device, bytes, writer);
        ++clock;
        each([&](Times& t) { t.device = t.wanted = clock; });
        break;
      case 6: {
        Times& t = times[begin];
        const bool bad = t.host < 0 || t.host < t.wanted;
        ASSERT_EQ(memory.host_reads(on_host, unit, exact).has_value(), bad) << "seed " << seed << ", step " << step;
        if (bad) step = 200; // what a copy is worth after a report is nobody's concern
        break;
      }
      default: {
        if (!mapped) break;
        Times& t = times[begin];
        const bool bad = t.device < 0 || t.device < t.host;
        ASSERT_EQ(memory.device_reads(on_device, unit, exact).has_value(), bad) << "seed " << seed << ", step " << step;
        if (bad) step = 200;
        break;
      }
      }
    }
  }
}

TEST(RandomMappings, AgreeWithTheTimesOfWriting) { run_random_mappings(1); }
TEST(RandomMappings, AgreeOfLargeBlocks) { run_random_mappings(1500); }

TEST_F(DeviceMemoryTest, WritersAreKnownOfWholePagesAndOfParts) {
  constexpr std::size_t large = 20000, part = 5000;
  memory.allocate(device, host, large, map);
  memory.copy_to_device(host, device, large, update);
  memory.device_writes(device, large, writer);
  memory.device_writes(device + part, 8, end);
  for (const auto& [at, by] : {std::pair{part, end}, std::pair{part + 8, writer}, std::pair{large - 1, writer}}) {
    const auto problem = memory.host_reads(host + at, 1, exact);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->written_at, by);
  }
}

} // namespace
} // namespace fletcher::mapping
