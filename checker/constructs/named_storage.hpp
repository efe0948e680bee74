// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the children of one task name in their depend clauses, as storage and not as addresses: where items overlap,
// what a pointer among them points to, and which of them any child ever writes. For rules; no order comes from it.
#pragma once

#include "checker/finding.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace fletcher::constructs {

/// Not thread-safe: siblings are created one after the other. Each item costs O(log items), one that was named before
/// O(1).
class NamedStorage {
public:
  /// Calls `f(address)` for each other item that shares bytes with [address, address + size) but begins elsewhere.
  template <class F> void overlapping(Address address, std::size_t size, F f) {
    if (size == 0 || items_.empty()) return;
    const auto known = index_.find(address);
    if (known != index_.end() && known->second.alone_at == changes_ && size <= known->second.size) return;
    bool alone = true;
    const auto found = [&](Address other) {
      alone = false;
      f(other);
    };
    for (auto at = items_.upper_bound(address); at != items_.end() && at->first - address < size; ++at)
      found(at->first);
    // Longer items that begin before it: those further away than the longest cannot reach it.
    for (auto at = items_.lower_bound(address); at != items_.begin();) {
      --at;
      if (address - at->first >= longest_) break;
      if (address - at->first < at->second) found(at->first);
    }
    if (alone && known != index_.end() && size == known->second.size) known->second.alone_at = changes_;
  }
  /// Calls `f(address)` for each item that is a pointer to `address`.
  template <class F> void pointers_to(Address address, F f) const {
    if (pointers_.empty()) return;
    const auto [first, last] = pointers_.equal_range(address);
    for (auto at = first; at != last; ++at) f(at->second);
  }

  void enter(Address address, const Storage& storage) {
    const auto [known, is_new] = index_.try_emplace(address);
    Known& item = known->second;
    if (is_new || item.size < storage.size) {
      item.size = storage.size;
      items_[address] = storage.size;
      longest_ = std::max(longest_, storage.size);
      ++changes_;
    }
    if (item.content == storage.content || storage.content - lowest_object >= highest_object - lowest_object) return;
    item.content = storage.content;
    if (item.contents == most_contents) return;
    ++item.contents;
    const auto [first, last] = pointers_.equal_range(storage.content);
    if (std::none_of(first, last, [&](const auto& p) { return p.second == address; }))
      pointers_.emplace(storage.content, address);
  }
  /// All children so far have been waited for: later ones cannot miss an order with them.
  void forget_items() {
    items_.clear();
    index_.clear();
    pointers_.clear();
    longest_ = 0;
  }

  // For the parent's whole life.

  /// Some child writes what begins at `address`. Beyond `most` addresses every one counts as written.
  void write(Address address) {
    if (written_.size() < most) written_.insert(address);
  }
  /// Some child names omp_all_memory.
  void write_all() noexcept { all_written_ = true; }
  bool may_be_written(Address address) const {
    return all_written_ || written_.size() >= most || written_.contains(address);
  }
  const std::unordered_set<Address>& written() const noexcept { return written_; }
  bool any_written() const noexcept { return all_written_ || !written_.empty(); }

  /// A construct in the program, or one item of its list, that only reads.
  struct Construct {
    Address pc;
    std::uint32_t item;
    friend auto operator<=>(const Construct&, const Construct&) = default;
  };
  struct Reader {
    ContextId creation = ContextId::none;
    bool matched = false; ///< some address was written by a sibling, or there are too many to tell
    std::unordered_set<Address> addresses;
    StackVariable example; ///< one of them, where its frame is known
  };
  /// `frame`: that of a stack variable, where known.
  void read(const Construct& construct, ContextId creation, Address address, const StackFrame& frame) {
    Reader& reader = readers_[construct];
    if (reader.matched) return;
    reader.creation = creation;
    if (!may_be_written(address) && reader.addresses.size() < most) {
      reader.addresses.insert(address);
      if (frame.call.known()) reader.example = {address, frame};
    } else {
      reader.matched = true;
      reader.addresses.clear();
    }
  }
  const std::map<Construct, Reader>& readers() const noexcept { return readers_; }

private:
  static constexpr std::size_t most = 1u << 14;
  /// What is no pointer: small numbers, because the first page is nobody's, and most floating-point numbers.
  static constexpr Address lowest_object = 4096, highest_object = Address{1} << 47;
  /// Of one item. Numbers in between may be pointers, but what changes more often is mostly a number; and a mistake in
  /// a loop is met in its first rounds.
  static constexpr std::uint32_t most_contents = 16;
  /// Tasks name the same items again and again: what the ordered map said of them.
  struct Known {
    std::size_t size = 0;
    Address content = 0;        ///< the last one
    std::uint32_t contents = 0; ///< how many were entered in pointers_
    std::uint64_t alone_at = 0; ///< nothing overlaps with it, as of so many changes
  };
  std::map<Address, std::size_t> items_;               // begin -> size
  std::unordered_map<Address, Known> index_;           // of the same items
  std::uint64_t changes_ = 0;                          // of items_
  std::unordered_multimap<Address, Address> pointers_; // content -> address
  std::size_t longest_ = 0;
  std::unordered_set<Address> written_;
  bool all_written_ = false;
  std::map<Construct, Reader> readers_;
};

} // namespace fletcher::constructs
