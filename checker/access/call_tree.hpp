// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling-context tree (Ammons, Ball, Larus 1997): every distinct call stack is a node, named by a small number
// that fits a shadow cell. An access site is a leaf of it. Nodes are found by (parent, pc) without a lock.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/finding.hpp"
#include "checker/memory/id_index.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <atomic>

namespace fletcher::access {

/// Deep recursion is folded: its stacks lack repetitions of calls. Thread-safe. child(): O(1), lock-free where the node
/// exists.
class CallTree {
public:
  explicit CallTree(unsigned id_bits);
  bool ok() const noexcept { return static_cast<bool>(nodes_); }

  /// The node for `pc` called in `parent` (none: the stack's beginning). None when all ids are used.
  ContextId child(ContextId parent, Address pc);
  /// The node of a thread's call stack within its running task.
  ContextId context(const CallStack& stack);
  /// Pcs from the node up to its task's beginning, innermost first.
  Stack stack(ContextId node) const;
  std::span<const std::byte> range() const noexcept { return nodes_.range(); }
  Address pc(ContextId node) const noexcept { return nodes_[number(node)].pc & ~(end_mark | frame_mark); }
  /// What called the function that the node is in; none at the stack's beginning.
  ContextId caller(ContextId node) const noexcept { return nodes_[number(node)].parent; }

  /// For the leaf of a call that ends the life of a heap block: a place of its own.
  static constexpr Address ending(Address pc) noexcept { return pc | end_mark; }
  bool is_ending(ContextId node) const noexcept { return (nodes_[number(node)].pc & end_mark) != 0; }
  /// The same of a function's return, which ends the life of its variables.
  static constexpr Address returning(Address pc) noexcept { return ending(pc) | frame_mark; }
  bool is_returning(ContextId node) const noexcept { return (nodes_[number(node)].pc & frame_mark) != 0; }

  /// The root of the stacks of a task that was created there and does what it does in its creator's strand
  /// (constructs/tasks/creators_chain.hpp). That of an earlier such task where they are nested deeply. None when all
  /// ids are used.
  ContextId part(ContextId creation);
  /// Where such a task was created in which the node is; none where it is in none. O(depth).
  ContextId part_of(ContextId node) const noexcept;

  /// For a cell that has to record two places, each of some of its bytes, a bit for each; of those of both, `second`.
  /// Each may be such a node itself. A thread that comes to the same places of the same bytes gets the same node. None
  /// when all ids are used.
  ContextId both(ContextId first, std::uint8_t bytes_of_first, ContextId second, std::uint8_t bytes_of_second);
  /// A number for the latter three that no pc is.
  static constexpr Address key_of_both(std::uint8_t bytes_of_first, ContextId second,
                                       std::uint8_t bytes_of_second) noexcept {
    return both_mark | Address{bytes_of_first} << (bytes_shift + 8) | Address{bytes_of_second} << bytes_shift |
           number(second);
  }
  /// How many such nodes there are.
  std::uint32_t boths() const noexcept { return boths_.load(std::memory_order_relaxed); }
  /// What the node stands for; no bytes for a place of its own, which is `first`, else all others are of `first`.
  struct Both {
    ContextId first, second;
    std::uint8_t bytes_of_second;
  };
  Both places(ContextId node) const noexcept {
    const Node& at = nodes_[number(node)];
    if ((at.pc & both_mark) == 0) return {node, ContextId::none, 0};
    return {at.parent, ContextId{static_cast<std::uint32_t>(at.pc)}, static_cast<std::uint8_t>(at.pc >> bytes_shift)};
  }

  /// The place of its own that the bytes are of; none where they are of several.
  ContextId place_of(ContextId node, std::uint8_t bytes) const noexcept {
    Both parts = places(node);
    while (parts.bytes_of_second != 0) {
      const auto of_second = static_cast<std::uint8_t>(bytes & parts.bytes_of_second);
      if (of_second != 0 && of_second != bytes) return ContextId::none;
      parts = places(of_second != 0 ? parts.second : parts.first);
    }
    return parts.first;
  }

private:
  static constexpr Address end_mark = Address{1} << 63; ///< no code of a process is there
  static constexpr Address both_mark = Address{1} << 62;
  static constexpr Address frame_mark = Address{1} << 61;
  static constexpr unsigned part_shift = 60;
  static constexpr Address part_mark = Address{1} << part_shift;
  static constexpr unsigned bytes_shift = 32;
  struct Node {
    Address pc;
    ContextId parent;
    std::uint32_t depth;
  };
  static_assert(sizeof(Node) == 16);
  /// Recursion is folded from this depth on, in a tree of few nodes and of many.
  static constexpr std::uint32_t deep = 12, deep_in_many = 4;
  static constexpr std::size_t many = 4096;
  static constexpr unsigned near_callers = 8;
  static constexpr Address key_of_part(ContextId creation) noexcept { return part_mark | number(creation); }
  bool is_part(ContextId node) const noexcept { return nodes_[number(node)].pc >> part_shift == 1; }
  static std::size_t hash(ContextId parent, Address pc) noexcept;
  ContextId find(ContextId parent, Address pc) const noexcept;
  ContextId recursion(ContextId parent, Address pc) const noexcept;
  std::uint32_t foldable_depth() const noexcept { return index_.slots() <= 2 * many ? deep : deep_in_many; }
  ContextId insert(ContextId parent, Address pc, std::uint32_t depth);
  void place_each(ContextId node, std::uint8_t bytes, std::array<ContextId, 8>& of_byte) const noexcept;

  std::uint32_t capacity_;
  memory::ReservedArray<Node> nodes_;
  memory::SpinLock lock_; // writers only
  std::uint32_t used_ = 1;
  std::atomic<std::uint32_t> boths_{0};
  memory::IdIndex index_{1024};
};

} // namespace fletcher::access
