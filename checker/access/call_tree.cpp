// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/call_tree.hpp"

namespace fletcher::access {

CallTree::CallTree(unsigned id_bits) : capacity_(1u << id_bits), nodes_(capacity_) {}

std::size_t CallTree::hash(ContextId parent, Address pc) noexcept {
  std::uint64_t h = pc ^ (std::uint64_t{number(parent)} << 40) ^ (std::uint64_t{number(parent)} >> 5);
  h *= 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(h ^ (h >> 32));
}

ContextId CallTree::find(ContextId parent, Address pc) const noexcept {
  return ContextId{index_.find(hash(parent, pc),
                               [&](std::uint32_t id) { return nodes_[id].pc == pc && nodes_[id].parent == parent; })};
}

ContextId CallTree::child(ContextId parent, Address pc) {
  const ContextId found = find(parent, pc);
  if (found != ContextId::none) return found;
  const ContextId folded = recursion(parent, pc, index_.slots() <= 2 * many ? deep : deep_in_many);
  return folded != ContextId::none ? folded : insert(parent, pc);
}

// A recursion with several calls of itself has exponentially many stacks. From some depth on, a call that is among the
// nearest callers already is taken for the earlier one: sooner where that has made many nodes, which no cache holds.
ContextId CallTree::recursion(ContextId parent, Address pc, std::uint32_t depth) const noexcept {
  if (parent == ContextId::none || nodes_[number(parent)].depth < depth) return ContextId::none;
  ContextId at = parent;
  for (unsigned i = 0; i < near_callers && at != ContextId::none; ++i) {
    if (nodes_[number(at)].pc == pc) return at;
    at = nodes_[number(at)].parent;
  }
  return ContextId::none;
}

ContextId CallTree::insert(ContextId parent, Address pc) {
  const memory::SpinGuard guard(lock_);
  if (const ContextId found = find(parent, pc); found != ContextId::none) return found;
  if (used_ == capacity_) return ContextId::none;
  nodes_[used_] = Node{pc, parent, parent == ContextId::none ? 0 : nodes_[number(parent)].depth + 1};
  index_.add(used_, [&](std::uint32_t id) { return hash(nodes_[id].parent, nodes_[id].pc); });
  return ContextId{used_++};
}

ContextId CallTree::both(ContextId first, ContextId second, std::uint8_t bytes_of_second) {
  const Address pc = both_mark | Address{bytes_of_second} << bytes_shift | number(second);
  const ContextId found = find(first, pc);
  return found != ContextId::none ? found : insert(first, pc);
}

ContextId CallTree::context(const CallStack& stack) {
  Frame* frame = stack.top();
  while (frame != stack.base() && frame[-1].context == ContextId::none) --frame;
  ContextId at = frame == stack.base() ? ContextId::none : frame[-1].context;
  for (; frame != stack.top(); ++frame) {
    at = child(at, frame->pc);
    frame->context = at;
  }
  return at;
}

Stack CallTree::stack(ContextId node) const {
  Stack pcs;
  for (; node != ContextId::none; node = nodes_[number(node)].parent) pcs.push_back(pc(node));
  return pcs;
}

} // namespace fletcher::access
