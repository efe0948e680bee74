// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/heap_registry.hpp"

#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/tool/thread.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

namespace fletcher::interpose::heap {

namespace {

constexpr unsigned granule_bits = 4; ///< malloc aligns to 16 bytes, the pools of OpenMP's runtime to 8
constexpr unsigned chunk_bits = 20;  ///< a chunk of the table describes 1 MB
constexpr unsigned address_bits = 47;
constexpr std::size_t small_limit = 256 * 1024;

/// alive:1 | size:18 | odd:1 | origin:24 | serial:1 | thread:19. All zero: no block begins here. `odd`: it begins in
/// the granule's middle.
class Word {
public:
  constexpr Word() = default;
  explicit constexpr Word(std::uint64_t raw) noexcept : raw_(raw) {}
  explicit Word(const HeapBlock& b) noexcept
      : raw_(alive_bit | std::uint64_t{b.size} << 45 | ((b.base & half) != 0 ? odd_bit : 0) |
             std::uint64_t{number(b.origin) & origin_mask} << 20 | (b.serial ? serial_bit : 0) |
             (number(b.thread) & thread_mask)) {}
  std::uint64_t raw() const noexcept { return raw_; }
  bool empty() const noexcept { return raw_ == 0; }
  bool alive() const noexcept { return (raw_ & alive_bit) != 0; }
  Word ended() const noexcept { return Word(raw_ & ~alive_bit); }
  std::size_t size() const noexcept { return raw_ >> 45 & (small_limit - 1); }
  /// Where the block begins, of which this is the granule's word.
  Address base(Address granule) const noexcept { return granule + ((raw_ & odd_bit) != 0 ? half : 0); }
  HeapBlock block(Address granule) const noexcept {
    return {base(granule),
            size(),
            ContextId{static_cast<std::uint32_t>(raw_ >> 20) & origin_mask},
            ThreadId{static_cast<std::uint32_t>(raw_ & thread_mask)},
            (raw_ & serial_bit) != 0,
            alive()};
  }

private:
  static constexpr Address half = Address{1} << (granule_bits - 1);
  static constexpr std::uint32_t origin_mask = (1u << 24) - 1;
  static constexpr std::uint64_t alive_bit = std::uint64_t{1} << 63, odd_bit = std::uint64_t{1} << 44,
                                 serial_bit = 1u << 19, thread_mask = serial_bit - 1;
  std::uint64_t raw_ = 0;
};

using Slot = std::atomic<std::uint64_t>;
constexpr std::size_t slots_in_chunk = std::size_t{1} << (chunk_bits - granule_bits);
using Chunk = memory::ReservedArray<Slot>;

struct Registry {
  memory::ReservedArray<std::atomic<Slot*>> directory{std::size_t{1} << (address_bits - chunk_bits)};
  memory::SpinLock large_lock;
  std::map<Address, HeapBlock> large;
};

/// Never freed: threads outlive every destructor.
constinit std::atomic<Registry*> the_registry{nullptr};

Registry& registry() noexcept {
  Registry* existing = the_registry.load(std::memory_order_acquire);
  if (existing != nullptr) [[likely]]
    return *existing;
  auto made = std::make_unique<Registry>();
  if (the_registry.compare_exchange_strong(existing, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *existing;
}

/// The word for a block that begins at `address`; null where there is none (yet, unless `make`).
Slot* slot_of(Registry& in, Address address, bool make) noexcept {
  if (!in.directory || (address >> address_bits) != 0) return nullptr;
  std::atomic<Slot*>& entry = in.directory[address >> chunk_bits];
  Slot* chunk = entry.load(std::memory_order_acquire);
  if (chunk == nullptr) [[unlikely]] {
    if (!make) return nullptr;
    auto made = std::make_unique<Chunk>(slots_in_chunk);
    if (!*made) return nullptr;
    if (entry.compare_exchange_strong(chunk, made->data(), std::memory_order_acq_rel)) chunk = made.release()->data();
  }
  return &chunk[(address >> granule_bits) % slots_in_chunk];
}

std::optional<HeapBlock> find_large(Registry& in, Address address, bool alive) {
  const memory::SpinGuard guard(in.large_lock);
  const auto after = in.large.upper_bound(address);
  if (after == in.large.begin()) return std::nullopt;
  const HeapBlock& found = std::prev(after)->second;
  if (found.alive != alive || address - found.base >= found.size) return std::nullopt;
  return found;
}

/// The nearest small block that begins before the address, if it holds it; else the last ended one that did.
std::optional<HeapBlock> find_small(Registry& in, Address address) {
  std::optional<HeapBlock> ended;
  const Address first = address & ~((Address{1} << granule_bits) - 1);
  for (Address back = 0; back < small_limit && back <= first; back += Address{1} << granule_bits) {
    const Address granule = first - back;
    const Slot* const slot = slot_of(in, granule, false);
    if (slot == nullptr) {
      back += granule & ((Address{1} << chunk_bits) - 1); // nothing begins in this chunk
      continue;
    }
    const Word word(slot->load(std::memory_order_relaxed));
    if (word.empty() || word.base(granule) > address) continue;
    const bool holds = address - word.base(granule) < word.size();
    if (word.alive()) return holds ? std::optional(word.block(granule)) : ended;
    if (holds && !ended) ended = word.block(granule);
  }
  return ended;
}

} // namespace

void born(const HeapBlock& block) noexcept {
  Registry& in = registry();
  Slot* const slot = slot_of(in, block.base, true);
  if (slot == nullptr) return;
  if (block.size < small_limit) {
    slot->store(Word(block).raw(), std::memory_order_relaxed);
    return;
  }
  const tool::InsideTool inside;
  slot->store(0, std::memory_order_relaxed);
  const memory::SpinGuard guard(in.large_lock);
  in.large.insert_or_assign(block.base, block);
}

std::optional<std::size_t> died(Address base) noexcept {
  Registry& in = registry();
  Slot* const slot = slot_of(in, base, false);
  if (slot == nullptr) return std::nullopt;
  const Word word(slot->load(std::memory_order_relaxed));
  if (word.alive()) {
    slot->store(word.ended().raw(), std::memory_order_relaxed);
    return word.size();
  }
  if (!word.empty()) return std::nullopt;
  const tool::InsideTool inside;
  const memory::SpinGuard guard(in.large_lock);
  const auto found = in.large.find(base);
  if (found == in.large.end() || !found->second.alive) return std::nullopt;
  found->second.alive = false;
  const std::size_t size = found->second.size;
  // Ended ones are remembered for a while only.
  constexpr std::size_t remembered = 64;
  if (in.large.size() > remembered)
    std::erase_if(in.large, [base](const auto& entry) { return !entry.second.alive && entry.first != base; });
  return size;
}

std::optional<HeapBlock> find(Address address) noexcept {
  Registry& in = registry();
  const tool::InsideTool inside;
  const auto large = find_large(in, address, true);
  if (large && large->thread != ThreadId::none) return large;
  // What the runtime allocated may be a pool, from which the program has its block.
  const auto small = find_small(in, address);
  if (small && (small->alive || !large)) return small;
  return large ? large : find_large(in, address, false);
}

void before_fork() noexcept { registry().large_lock.lock(); }
void after_fork() noexcept { registry().large_lock.unlock(); }

} // namespace fletcher::interpose::heap
