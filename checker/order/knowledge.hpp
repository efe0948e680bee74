// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task knows of the past: `order` holds what OpenMP guarantees, `observed` what only this run's order of lock
// acquisitions adds. Both travel along the same edges.
#pragma once

#include "checker/order/clock.hpp"

namespace fletcher::order {

struct Knowledge {
  Clock order;
  Clock observed; ///< only entries beyond `order`; empty in programs without locks

  bool empty() const noexcept { return order.empty() && observed.empty(); }
  void clear() noexcept {
    order.clear();
    observed.clear();
  }
  void join(const Knowledge& other) {
    order.join(other.order);
    if (!other.observed.empty()) observed.join(other.observed);
  }
  void raise(ChainId chain, StrandId strand) {
    if (chain != ChainId::none && strand != StrandId::none) order.raise(chain, strand);
  }
};

} // namespace fletcher::order
