// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is mapped where, and what each copy is worth: driven by what a runtime does to devices' memory and by accesses
// of both sides. Not thread-safe.
#pragma once

#include "checker/mapping/block.hpp"
#include "checker/memory/reserved.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace fletcher::mapping {

/// What is wrong with an access.
enum class Fault : std::uint8_t {
  beyond,            ///< the device accesses memory next to what is mapped
  unmapped,          ///< or that was mapped
  undefined,         ///< the device reads what nobody has written there
  stale_on_device,   ///< the device reads what the host has changed since
  stale_on_host,     ///< the host reads what the device has changed since
  replaced,          ///< the host reads what an older value of the device has replaced
  undefined_on_host, ///< the host reads what was copied back though nobody had written it
  used_by_host,      ///< the host accesses the device's memory
  nothing_there,     ///< the device accesses what is no memory
};

struct Problem {
  Fault fault;
  Address address = 0;      ///< the first byte that is concerned, as the side sees it that accesses it
  std::size_t bytes = 0;    ///< so many from there on
  Address host_address = 0; ///< the same on the host; 0 where that has no copy
  // Of the block.
  Address host_base = 0;
  std::size_t size = 0;
  std::ptrdiff_t offset = 0; ///< of `address`, from its beginning
  bool present = true;
  ContextId mapped_at = ContextId::none;
  ContextId changed_at = ContextId::none;
  ContextId written_at = ContextId::none; ///< by the other side
};

/// How the bytes of an access are meant.
enum class Extent : std::uint8_t {
  exact, ///< all of them are wanted
  whole, ///< a structure is copied: padding, too
};

class DeviceMemory {
public:
  /// `host`: 0 where it is the device's only.
  void allocate(Address on_device, Address on_host, std::size_t size, ContextId place);
  /// The device has static memory that is a copy of the host's: both have what they were initialised to. The
  /// variable may be longer.
  void declare(Address on_device, Address on_host, std::size_t size);
  /// Memory that is already there becomes the copy of the host's.
  void associate(Address on_device, Address on_host, std::size_t size, ContextId place);
  void disassociate(Address on_host);
  void release(Address on_device, ContextId place);
  void copy_to_device(Address on_host, Address on_device, std::size_t size, ContextId place);
  void copy_to_host(Address on_device, Address on_host, std::size_t size, ContextId place);

  // Accesses. A problem is reported once for the same bytes.
  std::optional<Problem> host_reads(Address address, std::size_t size, Extent extent);
  void host_writes(Address address, std::size_t size, ContextId place);
  std::optional<Problem> device_reads(Address address, std::size_t size, Extent extent);
  /// Bytes of the device's copy, all of which are valid: those of an access, and what is alike around its first one.
  /// `written`: the device has changed them.
  struct Valid {
    bool access = false, written = false;
    Address begin = 0, end = 0;
  };
  Valid valid_around(Address address, std::size_t size) const;
  std::optional<Problem> device_writes(Address address, std::size_t size, ContextId place);
  /// Nobody's, where no block holds it: is it next to one within [from, to), or in one that there was?
  std::optional<Problem> outside(Address address, std::size_t size, Address from, Address to) const;

  /// Blocks of which the address could be a later part, the nearest one first.
  std::vector<Problem> before(Address address, std::size_t size) const;

  /// The host accesses a device's memory.
  std::optional<Problem> of_device(Address address, std::size_t size) const;
  /// The host's memory got a new owner, or none: nothing is known of it.
  void forget_host(Address address, std::size_t size);

  /// A word of a block that both sides have a copy of.
  struct Word {
    Address on_device, on_host;
  };
  /// Those that the host's bytes are of, where a device has a copy of them.
  std::vector<Word> words_of_host(Address address, std::size_t size) const;
  /// Those of the block of which the host's copy is old, `most` at most.
  std::vector<Word> old_words_of_block(Address on_device, std::size_t most) const;
  /// The one is where the device has its copy of the other.
  bool is_copy(Address on_device, Address on_host) const;
  /// The word is a pointer that the device has set to its copy of what the host's points to.
  void agree(const Word& pointer);

  const Block* block_on_device(Address address) const;
  /// A block that holds a copy of the host's `address` now.
  const Block* copy_of(Address address) const;
  /// Something may be known of the page of the host's or a device's memory. Thread-safe.
  bool may_know(Address address, std::size_t size) const noexcept;

private:
  using Blocks = std::map<Address, std::unique_ptr<Block>>;
  Block* find(Address on_device);
  Block& enter(std::unique_ptr<Block> block);
  void enter_host(Block& block);
  void leave_host(const Block& block);
  void mark(Address address, std::size_t size) noexcept;
  template <class F> void each_on_host(Address address, std::size_t size, F f);
  void write_on_host(Address address, std::size_t size, ContextId place, const Block* but);

  Blocks blocks_;                           ///< present, by their address on the device
  std::multimap<Address, Block*> on_host_;  ///< by their address on the host
  std::size_t longest_ = 0;                 ///< of those
  std::deque<std::unique_ptr<Block>> past_; ///< unmapped, the last ones
  static constexpr std::size_t most_past = 256;
  static constexpr unsigned page_bits = 12, table_bits = 16;
  /// By the number of the page. Empty where the system refused.
  memory::ReservedArray<std::uint8_t> pages_{std::size_t{1} << table_bits};
};

} // namespace fletcher::mapping
