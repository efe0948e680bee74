// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/knowledge.hpp"

namespace fletcher::order {

void Knowledge::release() noexcept {
  // The holder of the only reference needs no locked instruction to see it.
  if (clocks_->references.load(std::memory_order_acquire) == 1 ||
      clocks_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete clocks_;
}

Knowledge::Clocks& Knowledge::own() {
  if (clocks_ == nullptr) {
    clocks_ = new Clocks;
  } else if (clocks_->references.load(std::memory_order_acquire) != 1) {
    auto* mine = new Clocks;
    mine->told.store(clocks_->told.load(std::memory_order_relaxed), std::memory_order_relaxed);
    mine->order = clocks_->order;
    mine->raised = clocks_->raised;
    mine->raised_count = clocks_->raised_count;
    release();
    clocks_ = mine;
  }
  return *clocks_;
}

void Knowledge::fold() {
  Clocks& clocks = own();
  clocks.order.raise(chain_, strand_);
  if (Told told = clocks.told.load(std::memory_order_relaxed); told.by != 0) {
    if (told.upto == clocks.raised_count) told.upto = clocks.raised_count = 0;
    if (clocks.raised_count < clocks.raised.size())
      clocks.raised[clocks.raised_count++] = {chain_, strand_};
    else
      told = {};
    clocks.told.store(told, std::memory_order_relaxed);
  }
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
  bool more = observed_.join(other.observed_);
  if (clocks_ == nullptr) {
    share(other.clocks_);
    more = more || clocks_ != nullptr;
  } else if (!covers(other.clocks_)) {
    Clocks& clocks = own();
    clocks.order.join(other.clocks_->order);
    clocks.told.store({}, std::memory_order_relaxed);
    more = true;
  }
  if (other.chain_ == ChainId::none || get(other.chain_) >= other.strand_) return more;
  raise(other.chain_, other.strand_);
  return true;
}

bool Knowledge::covers(const Clocks* less) const noexcept {
  return clocks_ == less || less == nullptr || clocks_->order.covers(less->order, chain_, strand_);
}

void Knowledge::share(Clocks* clocks) noexcept {
  if (clocks != nullptr) clocks->references.fetch_add(1, std::memory_order_relaxed);
  if (clocks_ != nullptr) release();
  clocks_ = clocks;
}

void Knowledge::tell(Clock& all, std::uint32_t by, bool goes_on, ChainId chain, StrandId strand) const {
  if (clocks_ != nullptr) {
    const Told before = clocks_->told.load(std::memory_order_relaxed);
    const Told now{by, clocks_->raised_count};
    if (before.by != by || !goes_on)
      all.join(clocks_->order);
    else
      for (std::uint32_t i = before.upto; i < now.upto; ++i)
        if (const auto& [raised, upto] = clocks_->raised[i]; all.get(raised) < upto) all.raise(raised, upto);
    if (before.by != now.by || before.upto != now.upto) clocks_->told.store(now, std::memory_order_relaxed);
  }
  if (chain_ != ChainId::none && all.get(chain_) < strand_) all.raise(chain_, strand_);
  if (chain != ChainId::none && strand != StrandId::none) all.raise(chain, strand);
}

Observed Knowledge::told(LockRelease release, ChainId chain, StrandId strand, Observed carried) const {
  // A task that comes after the last holder anyway has not learned what the lock carried, and so may know less of it.
  const bool goes_on = carried.is_of({release.lock, release.turn - 1}) && carried.contains(observed_);
  const auto more = [&](Clock& all) { tell(all, release.lock, goes_on, chain, strand); };
  return goes_on ? std::move(carried).with(release, more) : observed_.with(release, more);
}

Observed Knowledge::left_by(LockRelease turn, ChainId chain, StrandId strand, const Observed& carried) const {
  constexpr std::uint32_t threads = 1u << 31; // numbers of locks are below
  const bool goes_on = carried.is_of({turn.lock, turn.turn - 1}) && observed_.passed_is_in(carried);
  return observed_.passed_with(turn, goes_on ? &carried : nullptr,
                               [&](Clock& all) { tell(all, threads | turn.lock, goes_on, chain, strand); });
}

void Knowledge::forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept {
  observed_.forget(chains, sweep);
  if (clocks_ == nullptr || std::exchange(clocks_->swept, sweep) == sweep) return;
  clocks_->order.forget(chains, sweep);
  for (Raised& raised : clocks_->raised)
    if (chains.is_free(number(raised.chain))) raised.strand = StrandId::none;
}

Knowledge Knowledge::with(ChainId chain, StrandId strand) {
  Knowledge more;
  more.become(*this, chain, strand);
  return more;
}

void Knowledge::become(Knowledge& base, ChainId chain, StrandId strand) {
  const bool more = chain != ChainId::none && strand != StrandId::none;
  if (more && base.chain_ != ChainId::none && base.chain_ != chain) base.fold();
  if (clocks_ != base.clocks_) share(base.clocks_);
  if (observed_ != base.observed_) observed_ = base.observed_;
  chain_ = more ? chain : base.chain_;
  strand_ = more ? strand : base.strand_;
}

} // namespace fletcher::order
