// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/knowledge.hpp"

namespace fletcher::order {

void Knowledge::release() noexcept {
  // Whoever holds the only reference needs no locked instruction to see it.
  if (clocks_->references.load(std::memory_order_acquire) == 1 ||
      clocks_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete clocks_;
}

Knowledge::Clocks& Knowledge::own() {
  if (clocks_ == nullptr) {
    clocks_ = new Clocks;
  } else if (clocks_->references.load(std::memory_order_acquire) != 1) {
    auto* mine = new Clocks;
    mine->order = clocks_->order;
    if (clocks_->in_run != nullptr) mine->in_run = std::make_unique<Clock>(*clocks_->in_run);
    release();
    clocks_ = mine;
  }
  return *clocks_;
}

void Knowledge::fold() {
  Clocks& mine = own();
  mine.order.raise(chain_, strand_);
  if (mine.in_run != nullptr) mine.in_run->raise(chain_, strand_);
  chain_ = ChainId::none;
}

void Knowledge::raise(ChainId chain, StrandId strand) {
  if (chain == ChainId::none || strand == StrandId::none) return;
  if (chain == chain_) {
    strand_ = std::max(strand_, strand);
    return;
  }
  if (chain_ != ChainId::none) {
    if (clocks_ != nullptr && clocks_->order.get(chain) >= strand) return;
    fold();
  }
  chain_ = chain;
  strand_ = strand;
}

bool Knowledge::join(const Knowledge& other) {
  if (empty()) {
    *this = other;
    return !empty();
  }
  bool more = false;
  if (clocks_ == nullptr) {
    share(other.clocks_);
    more = clocks_ != nullptr;
  } else if (!covers(other.clocks_)) {
    Clocks& mine = own();
    if (mine.in_run != nullptr || other.has_observed()) mine.own_in_run().join(other.clocks_->all_in_run());
    mine.order.join(other.clocks_->order);
    more = true;
  }
  if (other.chain_ == ChainId::none || get(other.chain_) >= other.strand_) return more;
  raise(other.chain_, other.strand_);
  return true;
}

bool Knowledge::covers(const Clocks* less) const noexcept {
  if (clocks_ == less || less == nullptr) return true;
  if (!clocks_->order.covers(less->order, chain_, strand_)) return false;
  return less->in_run == nullptr || clocks_->all_in_run().covers(*less->in_run, chain_, strand_);
}

void Knowledge::share(Clocks* clocks) noexcept {
  if (clocks != nullptr) clocks->references.fetch_add(1, std::memory_order_relaxed);
  if (clocks_ != nullptr) release();
  clocks_ = clocks;
}

void Knowledge::observe(const Knowledge& other) {
  if (other.clocks_ != nullptr && other.clocks_ != clocks_) {
    const Clock& theirs = other.clocks_->all_in_run();
    if (clocks_ == nullptr || !clocks_->all_in_run().covers(theirs, chain_, strand_)) own().own_in_run().join(theirs);
  }
  if (other.chain_ != ChainId::none && std::max(get(other.chain_), get_observed(other.chain_)) < other.strand_)
    own().own_in_run().raise(other.chain_, other.strand_);
}

Knowledge Knowledge::with(ChainId chain, StrandId strand) {
  if (chain == ChainId::none || strand == StrandId::none) return *this;
  if (chain_ != ChainId::none && chain_ != chain) fold();
  Knowledge more = *this;
  more.chain_ = chain;
  more.strand_ = strand;
  return more;
}

} // namespace fletcher::order
