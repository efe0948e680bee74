// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deep copies by hand: a kernel puts the address of the device's copy into a pointer of a mapped structure, where the
// host keeps its own address of the same. Neither of the two is old then. What is stored there the caller has to find
// out. Part of device_memory.hpp.
#include "checker/mapping/device_memory.hpp"

namespace fletcher::mapping {

namespace {
constexpr std::size_t word = sizeof(Address);
} // namespace

std::vector<DeviceMemory::Word> DeviceMemory::words_of_host(Address address, std::size_t size) const {
  std::vector<Word> words;
  const Block* const block = copy_of(address);
  for (Address at = address / word * word; block != nullptr && at < address + size; at += word) {
    if (at < block->host_base || at + word > block->host_base + block->size) return {};
    words.push_back({block->device_base + (at - block->host_base), at});
  }
  return words;
}

std::vector<DeviceMemory::Word> DeviceMemory::old_words_of_block(Address on_device, std::size_t most) const {
  std::vector<Word> words;
  const Block* const block = block_on_device(on_device);
  if (block == nullptr || block->host_base == 0 || block->bytes.none_has({0, block->size}, invalid_on_host))
    return words;
  const Address first = (block->host_base + word - 1) / word * word - block->host_base;
  for (std::size_t at = first; at + word <= block->size && words.size() < most; at += word)
    if (block->bytes[at].host == OnHost::stale && block->bytes[at + word - 1].host == OnHost::stale)
      words.push_back({block->device_base + at, block->host_base + at});
  return words;
}

bool DeviceMemory::is_copy(Address on_device, Address on_host) const {
  const Block* const block = block_on_device(on_device);
  return block != nullptr && block->host_base != 0 && block->host_base + (on_device - block->device_base) == on_host;
}

void DeviceMemory::agree(const Word& pointer) {
  Block* const block = find(pointer.on_device);
  if (block == nullptr) return;
  const std::size_t offset = pointer.on_device - block->device_base;
  block->bytes.change({offset, offset + word}, [](ByteState one) {
    one.host = OnHost::valid;
    return one;
  });
}

} // namespace fletcher::mapping
