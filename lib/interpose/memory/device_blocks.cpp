// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/device_blocks.hpp"

#include "checker/memory/spin_lock.hpp"

#include <iterator>
#include <map>

namespace fletcher::interpose::device_blocks {

namespace {

constinit memory::SpinLock lock;
/// Never destroyed: threads outlive every destructor.
std::map<Address, DeviceBlock>& blocks() {
  static auto* const all = new std::map<Address, DeviceBlock>;
  return *all;
}

} // namespace

void born(const DeviceBlock& block) {
  const memory::SpinGuard guard(lock);
  auto& all = blocks();
  for (auto at = all.lower_bound(block.base); at != all.end() && at->first < block.base + block.size;)
    at = all.erase(at);
  all.insert_or_assign(block.base, block);
}

void died(Address base) {
  const memory::SpinGuard guard(lock);
  blocks().erase(base);
}

std::optional<DeviceBlock> find(Address address) {
  const memory::SpinGuard guard(lock);
  const auto after = blocks().upper_bound(address);
  if (after == blocks().begin()) return std::nullopt;
  const DeviceBlock& block = std::prev(after)->second;
  return address - block.base < block.size ? std::optional(block) : std::nullopt;
}

} // namespace fletcher::interpose::device_blocks
