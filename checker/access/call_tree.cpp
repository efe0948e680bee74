// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/call_tree.hpp"

#include "checker/memory/hash.hpp"

namespace fletcher::access {

CallTree::CallTree(unsigned id_bits) : capacity_(1u << id_bits), nodes_(capacity_) {}

std::size_t CallTree::hash(ContextId parent, Address pc) noexcept {
  const std::uint64_t h =
      memory::spread(pc ^ (std::uint64_t{number(parent)} << 40) ^ (std::uint64_t{number(parent)} >> 5));
  return static_cast<std::size_t>(h ^ (h >> 32));
}

ContextId CallTree::find(ContextId parent, Address pc) const noexcept {
  return ContextId{index_.find(hash(parent, pc),
                               [&](std::uint32_t id) { return nodes_[id].pc == pc && nodes_[id].parent == parent; })};
}

ContextId CallTree::child(ContextId parent, Address pc) {
  if (const ContextId folded = recursion(parent, pc); folded != ContextId::none) return folded;
  if (const ContextId found = find(parent, pc); found != ContextId::none) return found;
  return insert(parent, pc, parent == ContextId::none ? 0 : nodes_[number(parent)].depth + 1);
}

// Tasks that are created by their like have as many stacks as a recursion of calls.
ContextId CallTree::part(ContextId creation) {
  const ContextId found = find(ContextId::none, key_of_part(creation));
  if (found != ContextId::none) return found;
  const std::uint32_t depth = nodes_[number(creation)].depth;
  ContextId around = depth < foldable_depth() ? ContextId::none : part_of(creation);
  for (unsigned i = 0; i < near_callers && around != ContextId::none; ++i) {
    if (nodes_[number(around)].pc == nodes_[number(creation)].pc) return find(ContextId::none, key_of_part(around));
    around = part_of(around);
  }
  return insert(ContextId::none, key_of_part(creation), depth + 1);
}

// A recursion with several calls of itself has exponentially many stacks. From some depth on, a call that is among the
// nearest callers already is taken for the earlier one: sooner where that has made many nodes, which no cache holds.
ContextId CallTree::recursion(ContextId parent, Address pc) const noexcept {
  if (parent == ContextId::none || nodes_[number(parent)].depth < foldable_depth()) return ContextId::none;
  ContextId at = parent;
  for (unsigned i = 0; i < near_callers && at != ContextId::none; ++i) {
    if (nodes_[number(at)].pc == pc) return at;
    at = nodes_[number(at)].parent;
  }
  return ContextId::none;
}

ContextId CallTree::insert(ContextId parent, Address pc, std::uint32_t depth) {
  const memory::SpinGuard guard(lock_);
  if (const ContextId found = find(parent, pc); found != ContextId::none) return found;
  if (used_ == capacity_) return ContextId::none;
  nodes_[used_] = Node{pc, parent, depth};
  index_.add(used_, [&](std::uint32_t id) { return hash(nodes_[id].parent, nodes_[id].pc); });
  return ContextId{used_++};
}

void CallTree::place_each(ContextId node, std::uint8_t bytes, std::array<ContextId, 8>& of_byte) const noexcept {
  const Both parts = places(node);
  if (parts.bytes_of_second != 0) {
    place_each(parts.first, static_cast<std::uint8_t>(bytes & ~parts.bytes_of_second), of_byte);
    return place_each(parts.second, bytes & parts.bytes_of_second, of_byte);
  }
  for (unsigned byte = 0; byte < of_byte.size(); ++byte)
    if ((bytes >> byte & 1) != 0) of_byte[byte] = node;
}

// Places in the order of their first bytes.
ContextId CallTree::both(ContextId first, std::uint8_t bytes_of_first, ContextId second, std::uint8_t bytes_of_second) {
  std::array<ContextId, 8> of_byte{};
  place_each(first, bytes_of_first, of_byte);
  place_each(second, bytes_of_second, of_byte);
  ContextId all = ContextId::none;
  for (unsigned byte = 0; byte < of_byte.size(); ++byte) {
    const ContextId place = of_byte[byte];
    std::uint8_t bytes = 0;
    for (unsigned i = byte; i < of_byte.size(); ++i)
      if (of_byte[i] == place) bytes = static_cast<std::uint8_t>(bytes | 1u << i), of_byte[i] = ContextId::none;
    if (place == ContextId::none) continue;
    if (all == ContextId::none) {
      all = place;
      continue;
    }
    const Address pc = key_of_both(0, place, bytes);
    ContextId next = find(all, pc);
    if (next == ContextId::none) {
      next = insert(all, pc, nodes_[number(all)].depth + 1);
      boths_.fetch_add(1, std::memory_order_relaxed);
    }
    if (next == ContextId::none) return next;
    all = next;
  }
  return all;
}

ContextId CallTree::context(const CallStack& stack) {
  Frame* frame = stack.top();
  while (frame != stack.base() && frame[-1].context == ContextId::none) --frame;
  ContextId at = frame == stack.base() ? stack.root() : frame[-1].context;
  for (; frame != stack.top(); ++frame) {
    at = child(at, frame->pc);
    frame->context = at;
  }
  return at;
}

Stack CallTree::stack(ContextId node) const {
  Stack pcs;
  for (; node != ContextId::none && !is_part(node); node = nodes_[number(node)].parent) pcs.push_back(pc(node));
  return pcs;
}

ContextId CallTree::part_of(ContextId node) const noexcept {
  while (node != ContextId::none && !is_part(node)) node = nodes_[number(node)].parent;
  return node == ContextId::none ? node : ContextId{static_cast<std::uint32_t>(nodes_[number(node)].pc)};
}

} // namespace fletcher::access
