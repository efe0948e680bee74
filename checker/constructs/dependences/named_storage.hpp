// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the children of one task name in their depend clauses, as storage and not as addresses: where items overlap,
// what a pointer among them points to, and which of them any child ever writes. For rules; no order comes from it.
#pragma once

#include "checker/constructs/dependences/tiles.hpp"
#include "checker/finding.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fletcher::constructs {

/// Not thread-safe: siblings are created one after the other. Each item costs O(log items), one that was named before
/// O(1).
class NamedStorage {
public:
  /// So many items are found at most that overlap with one, and pointers to it: tiles may overlap with all others.
  static constexpr unsigned most_found = 64;

  /// Calls `f(address)` for other items that share bytes with [address, address + size) but begin elsewhere, unless
  /// both may be tiles of a matrix.
  template <class F> void overlapping(Address address, std::size_t size, F f) {
    if (size == 0 || items_.empty()) return;
    const auto known = index_.find(address);
    if (known != index_.end() && known->second.alone_at == changes_ && size <= known->second.size) return;
    unsigned found = 0, looked_at = 0;
    for (const auto& [width, items] : items_) {
      const Address reach = width < 64 ? Address{1} << width : ~Address{0};
      // At least half of those that begin within reach do overlap, except for the last ones.
      for (auto at = items.upper_bound(address - std::min(address, reach));
           at != items.end() && (at->first < address || at->first - address < size) && found < most_found; ++at) {
        if (++looked_at > 4 * most_found) break;
        if (at->first == address || (at->first < address && address - at->first >= at->second)) continue;
        if (tiles_.may_be({address, size}, {at->first, at->second})) continue;
        ++found;
        f(at->first);
      }
    }
    if (found == 0 && looked_at <= 4 * most_found && known != index_.end() && size == known->second.size)
      known->second.alone_at = changes_;
  }
  /// Calls `f(address)` for items that are pointers to `address`.
  template <class F> void pointers_to(Address address, F f) const {
    unsigned found = 0;
    for (auto at = pointers_.lower_bound({address, 0});
         at != pointers_.end() && at->first == address && found < most_found; ++at, ++found)
      f(at->second);
  }

  void enter(Address address, const Storage& storage) {
    const auto [known, is_new] = index_.try_emplace(address);
    Known& item = known->second;
    if (is_new || item.size < storage.size) {
      const auto width = [](std::size_t size) { return static_cast<unsigned>(std::bit_width(size)); };
      if (!is_new) items_[width(item.size)].erase(address);
      item.size = storage.size;
      items_[width(item.size)][address] = storage.size;
      ++changes_;
    }
    if (item.content == storage.content || storage.content - lowest_object >= highest_object - lowest_object) return;
    item.content = storage.content;
    if (item.contents == most_contents) return;
    ++item.contents;
    pointers_.emplace(storage.content, address);
  }
  /// `pc`: of a construct that creates children with such items. Those so far; more than `most_constructs` are not
  /// kept.
  const std::vector<Address>& constructs(Address pc) {
    if (constructs_.size() <= most_constructs &&
        std::find(constructs_.begin(), constructs_.end(), pc) == constructs_.end())
      constructs_.push_back(pc);
    return constructs_;
  }
  static constexpr std::size_t most_constructs = 32;
  /// Of a construct: with so many of constructs() each mismatch was reported.
  std::size_t& told_with(Address pc) { return told_with_[pc]; }
  /// All children so far have been waited for: later ones cannot miss an order with them.
  void forget_items() {
    items_.clear();
    index_.clear();
    pointers_.clear();
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
  std::map<unsigned, std::map<Address, std::size_t>> items_; // bits of the size -> begin -> size
  std::unordered_map<Address, Known> index_;                 // of the same items
  std::uint64_t changes_ = 0;                                // of items_
  Tiles tiles_;
  std::set<std::pair<Address, Address>> pointers_; // content, address
  std::vector<Address> constructs_;
  std::unordered_map<Address, std::size_t> told_with_;
  std::unordered_set<Address> written_;
  bool all_written_ = false;
  std::map<Construct, Reader> readers_;
};

} // namespace fletcher::constructs
