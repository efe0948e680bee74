// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The radix tree behind Clock: 16-way, path-compressed (a node knows its prefix), persistent. What several clocks hold
// is never changed.
#include "checker/order/clock.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>

namespace fletcher::order {
namespace detail {

namespace {
constexpr unsigned digit_bits = 4, fanout = 1u << digit_bits;
}

struct ClockNode {
  mutable std::atomic<std::uint32_t> references{1};
  std::uint32_t prefix = 0;        ///< the key's digits above this node's
  std::uint32_t level = 0;         ///< which digit selects a slot; 0 is a leaf
  mutable std::uint32_t swept = 0; ///< in which sweep last (Clock::forget)

  bool leaf() const noexcept { return level == 0; }
  bool spans(std::uint32_t key) const noexcept { return upper(key, level) == prefix; }
  static std::uint32_t upper(std::uint32_t key, std::uint32_t at) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{key} >> (digit_bits * (at + 1)));
  }
  static unsigned digit(std::uint32_t key, std::uint32_t at) noexcept {
    return (key >> (digit_bits * at)) & (fanout - 1);
  }
  /// Any key below this node.
  std::uint32_t sample_key() const noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{prefix} << (digit_bits * (level + 1)));
  }
};

namespace {
struct Leaf : ClockNode {
  std::array<std::uint32_t, fanout> strands{};
};
struct Inner : ClockNode {
  std::array<const ClockNode*, fanout> children{};
};

const Leaf& as_leaf(const ClockNode* n) { return *static_cast<const Leaf*>(n); }
const Inner& as_inner(const ClockNode* n) { return *static_cast<const Inner*>(n); }

const ClockNode* retained(const ClockNode* n) {
  if (n != nullptr) retain(n);
  return n;
}

Inner* new_inner(std::uint32_t prefix, std::uint32_t level) {
  auto* n = new Inner;
  n->prefix = prefix;
  n->level = level;
  return n;
}

/// A copy whose children are shared.
Inner* copy(const Inner& from) {
  Inner* n = new_inner(from.prefix, from.level);
  n->children = from.children;
  for (const ClockNode* c : n->children) retained(c);
  return n;
}

/// A parent for two nodes of different ranges; takes over both references.
const ClockNode* join_ranges(const ClockNode* a, const ClockNode* b) {
  std::uint32_t level = std::max(a->level, b->level) + 1;
  const std::uint32_t ka = a->sample_key(), kb = b->sample_key();
  while (ClockNode::upper(ka, level) != ClockNode::upper(kb, level)) ++level;
  Inner* n = new_inner(ClockNode::upper(ka, level), level);
  n->children[ClockNode::digit(ka, level)] = a;
  n->children[ClockNode::digit(kb, level)] = b;
  return n;
}

/// Only one clock holds it, and that is changed: copying would make the same node again.
bool mine(const ClockNode* node) { return node->references.load(std::memory_order_acquire) == 1; }

/// `node`, owned, with the entry raised, owned. Nodes that no other clock holds are changed in place.
const ClockNode* with(const ClockNode* node, std::uint32_t key, std::uint32_t strand) {
  if (node == nullptr || !node->spans(key)) {
    auto* leaf = new Leaf;
    leaf->prefix = ClockNode::upper(key, 0);
    leaf->strands[ClockNode::digit(key, 0)] = strand;
    return node == nullptr ? leaf : join_ranges(node, leaf);
  }
  const unsigned i = ClockNode::digit(key, node->level);
  if (node->leaf()) {
    if (as_leaf(node).strands[i] >= strand) return node;
    if (mine(node)) {
      const_cast<Leaf&>(as_leaf(node)).strands[i] = strand;
      return node;
    }
    auto* leaf = new Leaf;
    leaf->prefix = node->prefix;
    leaf->strands = as_leaf(node).strands;
    leaf->strands[i] = strand;
    release(node);
    return leaf;
  }
  Inner* n = const_cast<Inner*>(&as_inner(node));
  if (!mine(node)) {
    n = copy(as_inner(node));
    release(node);
  }
  n->children[i] = with(n->children[i], key, strand);
  return n;
}

const ClockNode* merge(const ClockNode* a, const ClockNode* b);

/// `b` lies in the range of one child of `a`.
const ClockNode* merge_below(const ClockNode* a, const ClockNode* b) {
  const unsigned i = ClockNode::digit(b->sample_key(), a->level);
  const ClockNode* old = as_inner(a).children[i];
  const ClockNode* child = merge(old, b);
  if (child == old) {
    release(child);
    return retained(a);
  }
  Inner* n = copy(as_inner(a));
  if (old != nullptr) release(old);
  n->children[i] = child;
  return n;
}

const ClockNode* merge_leaves(const Leaf& a, const Leaf& b) {
  std::array<std::uint32_t, fanout> strands;
  for (unsigned i = 0; i < fanout; ++i) strands[i] = std::max(a.strands[i], b.strands[i]);
  if (strands == b.strands) return retained(&b);
  if (strands == a.strands) return retained(&a);
  auto* leaf = new Leaf;
  leaf->prefix = a.prefix;
  leaf->strands = strands;
  return leaf;
}

// Mostly one of the two covers the other, and they share most children, whose counts other threads change, too: they
// are left alone until a node is made.
const ClockNode* merge_inner(const Inner& a, const Inner& b) {
  std::array<const ClockNode*, fanout> children = a.children;
  std::uint32_t owned = 0;
  bool is_a = true, is_b = true;
  for (unsigned i = 0; i < fanout; ++i) {
    const ClockNode *const ours = a.children[i], *const theirs = b.children[i];
    if (ours == theirs) continue;
    if (ours != nullptr && theirs != nullptr) {
      children[i] = merge(ours, theirs);
      owned |= 1u << i;
    } else if (ours == nullptr) {
      children[i] = theirs;
    }
    is_a = is_a && children[i] == ours;
    is_b = is_b && children[i] == theirs;
  }
  if (is_a || is_b) {
    for (unsigned i = 0; i < fanout; ++i)
      if ((owned >> i & 1) != 0) release(children[i]);
    return retained(is_b ? &b : &a);
  }
  Inner* n = new_inner(a.prefix, a.level);
  for (unsigned i = 0; i < fanout; ++i) n->children[i] = (owned >> i & 1) != 0 ? children[i] : retained(children[i]);
  return n;
}

/// Owned node with the maximum of both; one of them (retained) where it covers the other, and where they are equal `b`,
/// so that clocks that learn from each other come to share what they agree on.
const ClockNode* merge(const ClockNode* a, const ClockNode* b) {
  if (a == b || b == nullptr) return retained(a);
  if (a == nullptr) return retained(b);
  if (a->level > b->level && a->spans(b->sample_key())) return merge_below(a, b);
  if (b->level > a->level && b->spans(a->sample_key())) return merge_below(b, a);
  if (a->level != b->level || a->prefix != b->prefix) return join_ranges(retained(a), retained(b));
  return a->leaf() ? merge_leaves(as_leaf(a), as_leaf(b)) : merge_inner(as_inner(a), as_inner(b));
}

/// The highest bit: `a` is less than `b`. Vectors of baseline x86-64 compare without a sign no better than this.
constexpr std::uint32_t borrow(std::uint32_t a, std::uint32_t b) noexcept { return (~a & b) | (~(a ^ b) & (a - b)); }
static_assert(borrow(0, 1) >> 31 == 1 && borrow(1, 0) >> 31 == 0 && borrow(1, 1) >> 31 == 0 &&
              borrow(~0u, 1) >> 31 == 0 && borrow(1, ~0u) >> 31 == 1);

/// Every entry of `b` is in `a`, or a later one, or `known(chain, strand)` says so.
template <class Known> bool covers(const ClockNode* a, const ClockNode* b, const Known& known) noexcept {
  if (a == b || b == nullptr) return true;
  while (a != nullptr && a->level > b->level && a->spans(b->sample_key()))
    a = as_inner(a).children[ClockNode::digit(b->sample_key(), a->level)];
  if (a == nullptr || a->level != b->level || a->prefix != b->prefix) return false;
  if (!a->leaf()) {
    const auto &own = as_inner(a).children, &others = as_inner(b).children;
    for (unsigned i = 0; i < fanout; ++i)
      if (own[i] != others[i] && !covers(own[i], others[i], known)) return false; // mostly they share
    return true;
  }
  const auto& mine = as_leaf(a).strands;
  const auto& others = as_leaf(b).strands;
  // Without a way out of the loop, and by borrows instead of compares, so that the compiler makes vectors of it.
  std::uint32_t borrows = 0;
  for (unsigned i = 0; i < fanout; ++i) borrows |= borrow(mine[i], others[i]);
  for (unsigned i = 0; i < fanout && borrows >> 31 != 0; ++i)
    if (mine[i] < others[i] && !known(b->sample_key() + i, others[i])) return false;
  return true;
}
// Entries become zero where they are: nodes stay, as a thread may be reading them, and as their chains will be used
// again.
void forget(const ClockNode* node, const memory::RecycledIds& chains, std::uint32_t sweep) noexcept {
  if (node == nullptr || std::exchange(node->swept, sweep) == sweep) return;
  if (!node->leaf()) {
    for (const ClockNode* child : as_inner(node).children) forget(child, chains, sweep);
    return;
  }
  auto& strands = const_cast<Leaf&>(as_leaf(node)).strands;
  for (unsigned i = 0; i < fanout; ++i)
    if (strands[i] != 0 && chains.is_free(node->sample_key() + i)) strands[i] = 0;
}
} // namespace

void retain(const ClockNode* node) noexcept { node->references.fetch_add(1, std::memory_order_relaxed); }

void release(const ClockNode* node) noexcept {
  if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (node->leaf()) {
    delete static_cast<const Leaf*>(node);
    return;
  }
  for (const ClockNode* c : as_inner(node).children)
    if (c != nullptr) release(c);
  delete static_cast<const Inner*>(node);
}

} // namespace detail

bool Clock::covers(const Clock& other, ChainId chain, StrandId strand) const noexcept {
  const auto known = [&](std::uint32_t asked, std::uint32_t upto) {
    if (asked == number(chain) && upto <= number(strand)) return true;
    for (std::uint32_t i = 0; i < count_; ++i)
      if (number(recent_[i].chain) == asked) return upto <= number(recent_[i].strand);
    return false;
  };
  if (!detail::covers(tree_.get(), other.tree_.get(), known)) return false;
  for (std::uint32_t i = 0; i < other.count_; ++i) {
    const Entry& entry = other.recent_[i];
    if (entry.chain == chain ? entry.strand > std::max(strand, get(chain)) : entry.strand > get(entry.chain))
      return false;
  }
  return true;
}

StrandId Clock::get(ChainId chain) const noexcept {
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (recent_[i].chain == chain) best = number(recent_[i].strand);
  const detail::ClockNode* node = tree_.get();
  while (node != nullptr && node->spans(number(chain))) {
    const unsigned i = detail::ClockNode::digit(number(chain), node->level);
    if (node->leaf()) {
      best = std::max(best, detail::as_leaf(node).strands[i]);
      break;
    }
    node = detail::as_inner(node).children[i];
  }
  return StrandId{best};
}

void Clock::raise(ChainId chain, StrandId strand) {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (recent_[i].chain == chain) {
      recent_[i].strand = std::max(recent_[i].strand, strand);
      return;
    }
  if (count_ == recent_entries) flush();
  recent_[count_++] = Entry{chain, strand};
}

void Clock::forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept {
  for (Entry& entry : std::span(recent_).first(count_))
    if (chains.is_free(number(entry.chain))) entry.strand = StrandId::none;
  detail::forget(tree_.get(), chains, sweep);
}

void Clock::flush() {
  for (std::uint32_t i = 0; i < count_; ++i)
    tree_ = detail::ClockTree(detail::with(tree_.take(), number(recent_[i].chain), number(recent_[i].strand)));
  count_ = 0;
}

void Clock::join(const Clock& other) {
  if (other.tree_.get() != nullptr && other.tree_.get() != tree_.get())
    tree_ = detail::ClockTree(detail::merge(tree_.get(), other.tree_.get()));
  for (const Entry& entry : std::span(other.recent_).first(other.count_))
    if (get(entry.chain) < entry.strand) raise(entry.chain, entry.strand); // else it would only take up room
}

} // namespace fletcher::order
