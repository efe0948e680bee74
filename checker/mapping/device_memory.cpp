// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/mapping/device_memory.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::mapping {

namespace {

/// How many bytes of an undefined copy that a structure's padding may take.
constexpr std::size_t most_padding = 64;

/// The part of a block at `base` that [address, address + size) covers.
Part part_of(const Block& block, Address base, Address address, std::size_t size) noexcept {
  const Address first = std::max(base, address), last = std::min(base + block.size, address + size);
  return first < last ? Part{first - base, last - base} : Part{};
}

/// Finds the first bytes of the part that are in such a state, of which an access tells that somebody used them.
/// `may_be_padding`: some of what was accessed may be nobody's.
template <class Is> Part first_such(const Block& block, Part part, Is is, Extent extent, bool may_be_padding) {
  for (std::size_t i = part.begin; i < part.end;) {
    if (!is(block.bytes[i])) {
      ++i;
      continue;
    }
    Part found{i, i};
    while (found.end < part.end && is(block.bytes[found.end])) ++found.end;
    i = found.end;
    if (!may_be_padding) return found;
    // Within a granule a compiler may load a structure's members at once, and what is between them.
    const bool all = found.begin == part.begin && found.end == part.end;
    const bool granule = (found.begin & ~std::size_t{7}) < found.begin && found.begin != part.begin
                             ? ((found.begin + 7) & ~std::size_t{7}) + 8 <= found.end
                             : found.begin + 8 <= found.end || found.end == part.end;
    if (all || (extent == Extent::exact && granule) || found.end - found.begin >= most_padding) return found;
  }
  return {};
}

Problem describe(Fault fault, const Block& block, Address address, std::size_t bytes, std::ptrdiff_t offset) {
  Problem p;
  p.fault = fault;
  p.address = address;
  p.bytes = bytes;
  p.host_address = block.host_base == 0 ? 0 : block.host_base + static_cast<Address>(offset);
  p.host_base = block.host_base;
  p.size = block.size;
  p.offset = offset;
  p.present = block.present;
  p.mapped_at = block.mapped_at;
  p.changed_at = block.changed_at;
  return p;
}

Problem describe(Fault fault, const Block& block, Address base, Part part) {
  return describe(fault, block, base + part.begin, part.end - part.begin, static_cast<std::ptrdiff_t>(part.begin));
}

/// A state after `what` happened to it.
template <void (ByteState::*what)()> constexpr ByteState after(ByteState one) {
  (one.*what)();
  return one;
}
constexpr ByteState valid_on_host(ByteState one) {
  one.host = OnHost::valid;
  return one;
}
constexpr ByteState valid_on_device(ByteState one) {
  one.device = OnDevice::valid;
  return one;
}

} // namespace

void DeviceMemory::mark(Address address, std::size_t size) noexcept {
  const std::size_t first = address >> page_bits, last = (address + size) >> page_bits;
  for (std::size_t page = first; page <= last && page - first < pages_.capacity(); ++page)
    __atomic_store_n(&pages_[page % pages_.capacity()], 1, __ATOMIC_RELAXED);
}

bool DeviceMemory::may_know(Address address, std::size_t size) const noexcept {
  constexpr std::size_t many = 64;
  const std::size_t first = address >> page_bits, last = (address + size - 1) >> page_bits;
  if (last - first >= many || !pages_) return true;
  for (std::size_t page = first; page <= last; ++page)
    if (__atomic_load_n(&pages_[page % pages_.capacity()], __ATOMIC_RELAXED) != 0) return true;
  return false;
}

Block* DeviceMemory::find(Address on_device) {
  return const_cast<Block*>(std::as_const(*this).block_on_device(on_device));
}

const Block* DeviceMemory::block_on_device(Address address) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = *std::prev(after)->second;
  return block.on_device(address) ? &block : nullptr;
}

template <class F> void DeviceMemory::each_on_host(Address address, std::size_t size, F f) {
  const Address low = address < longest_ ? 0 : address - longest_;
  for (auto at = on_host_.lower_bound(low); at != on_host_.end() && at->first < address + size; ++at)
    if (const Part part = part_of(*at->second, at->first, address, size); !part.empty()) f(*at->second, part);
}

const Block* DeviceMemory::copy_of(Address address) const {
  const Address low = address < longest_ ? 0 : address - longest_;
  for (auto at = on_host_.lower_bound(low); at != on_host_.end() && at->first <= address; ++at)
    if (at->second->present && address - at->first < at->second->size) return at->second;
  return nullptr;
}

void DeviceMemory::enter_host(Block& block) {
  if (block.host_base == 0) return;
  on_host_.emplace(block.host_base, &block);
  longest_ = std::max(longest_, block.size);
  mark(block.host_base, block.size);
}

void DeviceMemory::leave_host(const Block& block) {
  const auto [first, last] = on_host_.equal_range(block.host_base);
  const auto at = std::find_if(first, last, [&](const auto& entry) { return entry.second == &block; });
  if (at != last) on_host_.erase(at);
}

Block& DeviceMemory::enter(std::unique_ptr<Block> block) {
  // What a device had there it has no more, though nobody said so.
  for (auto at = blocks_.lower_bound(block->device_base); at != blocks_.end() && at->first < block->device_end();)
    leave_host(*at->second), at = blocks_.erase(at);
  if (Block* const before = find(block->device_base)) leave_host(*before), blocks_.erase(before->device_base);
  Block& entered = *block;
  blocks_[entered.device_base] = std::move(block);
  mark(entered.device_base, entered.size);
  enter_host(entered);
  return entered;
}

void DeviceMemory::allocate(Address on_device, Address on_host, std::size_t size, ContextId place) {
  if (on_device == 0 || size == 0) return;
  Block& made = enter(std::make_unique<Block>(on_device, on_host, size, place, OnDevice::undefined));
  if (on_host == 0) return;
  each_on_host(on_host, size, [&](const Block& past, Part part) {
    if (past.present || past.bytes.none_has(part, invalid_on_host)) return;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::size_t at = past.host_base + i - on_host;
      if (past.bytes[i].host == OnHost::undefined)
        made.bytes.change({at, at + 1}, [](ByteState one) {
          one.host = OnHost::undefined;
          return one;
        });
    }
  });
}

void DeviceMemory::declare(Address on_device, Address on_host, std::size_t size) {
  if (on_device == 0 || size == 0 || find(on_device) != nullptr) return;
  enter(std::make_unique<Block>(on_device, on_host, size, ContextId::none, OnDevice::valid)).is_all = false;
}

void DeviceMemory::associate(Address on_device, Address on_host, std::size_t size, ContextId place) {
  if (on_device == 0 || size == 0) return;
  const Block* const known = find(on_device);
  auto made = std::make_unique<Block>(on_device, on_host, size, place,
                                      known != nullptr ? OnDevice::undefined : OnDevice::valid);
  if (known != nullptr && (known->device_base != on_device || known->size != size)) return; // a part: not followed
  if (known != nullptr) { // what the device wrote before was nothing of the host's
    made->bytes = std::move(find(on_device)->bytes);
    made->bytes.change({0, size}, valid_on_host);
  }
  enter(std::move(made));
}

void DeviceMemory::disassociate(Address on_host) {
  const auto [first, last] = on_host_.equal_range(on_host);
  for (auto at = first; at != last; ++at)
    if (Block* const block = at->second; block->present) {
      on_host_.erase(at);
      block->host_base = 0;
      return;
    }
}

void DeviceMemory::release(Address on_device, ContextId place) {
  const auto at = blocks_.find(on_device);
  if (at == blocks_.end()) return;
  std::unique_ptr<Block> block = std::move(at->second);
  blocks_.erase(at);
  block->present = false;
  block->changed_at = place;
  if (block->bytes.none_has({0, block->size}, invalid_on_host)) {
    leave_host(*block);
    block->bytes = ByteStates(0, OnDevice::valid); // nobody asks
  }
  past_.push_back(std::move(block));
  if (past_.size() <= most_past) return;
  leave_host(*past_.front());
  past_.pop_front();
}

void DeviceMemory::copy_to_device(Address on_host, Address on_device, std::size_t size, ContextId place) {
  Block* const block = find(on_device);
  if (block == nullptr) return;
  // The copy of a part of a structure may begin with a few bytes of padding.
  const Address expected = block->host_base + (on_device - block->device_base);
  constexpr Address most_shift = 64;
  if (block->host_base != 0 && expected != on_host && expected - on_host < most_shift &&
      on_host - block->host_base < block->size) {
    leave_host(*block);
    block->host_base -= expected - on_host;
    enter_host(*block);
  }
  const Part part = part_of(*block, block->device_base, on_device, size);
  const bool own = block->host_base != 0 && on_host == block->host_base + (on_device - block->device_base);
  if (own) {
    each_on_host(on_host, size, [](Block& other, Part copied) {
      if (other.present) return;
      other.bytes.change(copied,
                         [](ByteState one) { return one.host == OnHost::undefined ? one : valid_on_host(one); });
    });
    block->bytes.change(part, after<&ByteState::copied_to_device>);
  } else if (block->host_base != 0 && size == sizeof(void*)) {
    block->bytes.change(part, after<&ByteState::attach>);
  } else {
    block->bytes.written_by_device(part, place);
  }
  block->changed_at = place;
}

void DeviceMemory::copy_to_host(Address on_device, Address on_host, std::size_t size, ContextId place) {
  Block* const block = find(on_device);
  const bool own =
      block != nullptr && block->host_base != 0 && on_host == block->host_base + (on_device - block->device_base);
  write_on_host(on_host, size, place, own ? block : nullptr);
  if (!own) return;
  const Part part = part_of(*block, block->device_base, on_device, size);
  block->bytes.change(part, after<&ByteState::copied_to_host>);
  block->changed_at = place;
}

void DeviceMemory::write_on_host(Address address, std::size_t size, ContextId place, const Block* but) {
  each_on_host(address, size, [&](Block& block, Part part) {
    if (&block != but) block.bytes.written_by_host(part, place);
  });
}

void DeviceMemory::host_writes(Address address, std::size_t size, ContextId place) {
  write_on_host(address, size, place, nullptr);
}

std::optional<Problem> DeviceMemory::host_reads(Address address, std::size_t size, Extent extent) {
  std::optional<Problem> problem;
  each_on_host(address, size, [&](Block& block, Part part) {
    if (problem || block.bytes.none_has(part, invalid_on_host)) return;
    for (const auto& [state, fault] :
         {std::pair{OnHost::stale, Fault::stale_on_host}, std::pair{OnHost::replaced, Fault::replaced},
          std::pair{OnHost::undefined, Fault::undefined_on_host}}) {
      const Part found = first_such(
          block, part, [state](ByteState one) { return one.host == state; }, extent, state == OnHost::undefined);
      if (found.empty()) continue;
      problem = describe(fault, block, block.host_base, found);
      problem->written_at =
          state == OnHost::replaced ? block.bytes.host_writer(found.begin) : block.bytes.device_writer(found.begin);
      block.bytes.change(part, valid_on_host);
      return;
    }
  });
  return problem;
}

namespace {

Problem beyond(const Block& block, Address address, std::size_t size) {
  return describe(Fault::beyond, block, address, size, static_cast<std::ptrdiff_t>(address - block.device_base));
}

} // namespace

std::optional<Problem> DeviceMemory::device_reads(Address address, std::size_t size, Extent extent) {
  Block* const block = find(address);
  if (block == nullptr) return std::nullopt;
  const Part part = part_of(*block, block->device_base, address, size);
  for (const auto& [state, fault] :
       {std::pair{OnDevice::stale, Fault::stale_on_device}, std::pair{OnDevice::undefined, Fault::undefined}}) {
    if (block->bytes.none_has(part, invalid_on_device)) break;
    const Part found = first_such(
        *block, part, [state](ByteState one) { return one.device == state; }, extent, state == OnDevice::undefined);
    if (found.empty()) continue;
    Problem problem = describe(fault, *block, block->device_base, found);
    problem.written_at = block->bytes.host_writer(found.begin);
    block->bytes.change(part, valid_on_device);
    return problem;
  }
  if (block->is_all && address + size > block->device_end())
    return beyond(*block, block->device_end(), address + size - block->device_end());
  return std::nullopt;
}

// Of a page of the machine at most: that may be parts of two of the block's, which mostly are alike.
DeviceMemory::Valid DeviceMemory::valid_around(Address address, std::size_t size) const {
  constexpr Address page = 4096;
  const Block* const block = block_on_device(address);
  if (block == nullptr || address + size > block->device_end()) return {};
  const ByteStates& bytes = block->bytes;
  const Part part = part_of(*block, block->device_base, address, size),
             whole = part_of(*block, block->device_base, address / page * page, page);
  const ByteState state = bytes[part.begin];
  Valid valid{.access = bytes.none_has(part, invalid_on_device), .written = state.host == OnHost::stale};
  Part alike = bytes.alike_around(part.begin);
  if (state.device != OnDevice::valid || state.attached || alike.end - alike.begin == 1) return valid;
  alike = {std::max(alike.begin, whole.begin), std::min(alike.end, whole.end)};
  if (alike.begin > whole.begin && bytes[alike.begin - 1] == state &&
      bytes.alike_around(alike.begin - 1).begin <= whole.begin)
    alike.begin = whole.begin;
  if (alike.end < whole.end && bytes[alike.end] == state && bytes.alike_around(alike.end).end >= whole.end)
    alike.end = whole.end;
  valid.begin = block->device_base + alike.begin;
  valid.end = block->device_base + alike.end;
  return valid;
}

std::optional<Problem> DeviceMemory::device_writes(Address address, std::size_t size, ContextId place) {
  Block* const block = find(address);
  if (block == nullptr) return std::nullopt;
  const Part part = part_of(*block, block->device_base, address, size);
  block->bytes.written_by_device(part, place);
  if (block->is_all && address + size > block->device_end())
    return beyond(*block, block->device_end(), address + size - block->device_end());
  return std::nullopt;
}

std::optional<Problem> DeviceMemory::outside(Address address, std::size_t size, Address from, Address to) const {
  const Block* next_to = nullptr;
  for (auto at = blocks_.lower_bound(from); at != blocks_.end() && at->first < to; ++at)
    if (at->second->is_all && (next_to == nullptr || at->first <= address)) next_to = at->second.get();
  if (next_to != nullptr) return beyond(*next_to, address, size);
  for (auto at = past_.rbegin(); at != past_.rend(); ++at) {
    const Block& block = **at;
    if (block.device_base >= from && block.device_base < to)
      return describe(Fault::unmapped, block, address, size, static_cast<std::ptrdiff_t>(address - block.device_base));
  }
  return std::nullopt;
}

std::vector<Problem> DeviceMemory::before(Address address, std::size_t size) const {
  constexpr std::size_t most = 64;
  std::vector<Problem> found;
  for (auto at = blocks_.upper_bound(address); at != blocks_.begin() && found.size() < most;) {
    const Block& block = *(--at)->second;
    if (block.is_all && block.host_base != 0) found.push_back(beyond(block, address, size));
  }
  return found;
}

std::optional<Problem> DeviceMemory::of_device(Address address, std::size_t size) const {
  const Block* const block = block_on_device(address);
  if (block == nullptr || !block->is_all) return std::nullopt;
  return describe(Fault::used_by_host, *block, address, size,
                  static_cast<std::ptrdiff_t>(address - block->device_base));
}

void DeviceMemory::forget_host(Address address, std::size_t size) {
  std::vector<Block*> left;
  each_on_host(address, size, [&](Block& block, Part) { left.push_back(&block); });
  for (Block* const block : left) leave_host(*block);
}

} // namespace fletcher::mapping
