// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/observed.hpp"

namespace fletcher::order {

void Observed::release() noexcept {
  // Whoever holds the only reference needs no locked instruction to see it.
  if (shared_->references.load(std::memory_order_acquire) == 1 ||
      shared_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete shared_;
}

bool Observed::join(const Observed& other) {
  if (other.shared_ == nullptr || other.shared_ == shared_) return false;
  if (shared_ == nullptr || other.contains(*this)) {
    *this = other;
    return true;
  }
  if (contains(other) || shared_->clock.covers(other.shared_->clock)) return false;
  if (shared_->references.load(std::memory_order_acquire) != 1) {
    if (other.shared_->clock.covers(shared_->clock)) {
      *this = other;
      return true;
    }
    *this = Observed(*this, {});
  }
  shared_->from = {};
  shared_->clock.join(other.shared_->clock);
  return true;
}

} // namespace fletcher::order
