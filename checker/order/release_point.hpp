// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a task let go of something, and what it knew there: O(1) to take, as no clock is made. Whoever takes the thing
// mostly knows that already, by one comparison (as with the epochs of FastTrack; Flanagan, Freund 2009): only otherwise
// clocks are joined. Relies on knowledge.hpp.
#pragma once

#include "checker/order/knowledge.hpp"

namespace fletcher::order {

class ReleasePoint {
public:
  ReleasePoint() = default;
  /// Something known, at no point of a chain.
  explicit ReleasePoint(Knowledge known) noexcept : known_(std::move(known)) {}

  /// After `last` of `chain`, where it knows `known`. `tells_all`: whoever knows `last` knows all that.
  void become(const Knowledge& known, ChainId chain, StrandId last, bool tells_all) noexcept {
    known_.share(known);
    chain_ = last == StrandId::none ? ChainId::none : chain;
    last_ = number(last) & most_last;
    tells_all_ = tells_all;
  }
  void clear() noexcept { *this = ReleasePoint(); }

  bool empty() const noexcept { return chain_ == ChainId::none && known_.empty(); }
  const Knowledge& known() const noexcept { return known_; }
  ChainId chain() const noexcept { return chain_; }
  StrandId last() const noexcept { return chain_ == ChainId::none ? StrandId::none : StrandId{last_}; }
  bool tells_all() const noexcept { return tells_all_; }

  /// Whoever knows so much of its chain knows all of it. A later strand of a task tells all that an earlier one does.
  bool is_told_by(StrandId upto) const noexcept {
    return chain_ != ChainId::none && (tells_all_ ? number(upto) >= last_ : number(upto) > last_);
  }
  bool is_known(const Knowledge& by) const noexcept { return is_told_by(by.get(chain_)); }
  /// To a task on chain `own`, which knows all that it knew itself. False where `to` knew it all.
  bool give(Knowledge& to, ChainId own = ChainId::none) const {
    const bool more = (chain_ == ChainId::none || chain_ != own) && to.join(known_);
    if (chain_ == ChainId::none || to.get(chain_) >= last()) return more;
    to.raise(chain_, last());
    return true;
  }
  template <class Sweep> void name_past(Sweep& sweep) {
    sweep.knows(known_);
    sweep.needs(chain_);
    sweep.needs(last());
  }

private:
  static constexpr std::uint32_t most_last = ~std::uint32_t{0} >> 1; ///< ids of strands have fewer bits
  Knowledge known_;
  ChainId chain_ = ChainId::none;
  std::uint32_t last_ : 31 = 0;
  std::uint32_t tells_all_ : 1 = 0;
};
static_assert(sizeof(ReleasePoint) == 32, "each atomic variable that releases has one");

} // namespace fletcher::order
