// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/observed.hpp"

namespace fletcher::order {

void Observed::release() noexcept {
  // The holder of the only reference needs no locked instruction to see it.
  if (shared_->references.load(std::memory_order_acquire) == 1 ||
      shared_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete shared_;
}

Observed::Observed(const Observed& base, LockRelease release)
    : shared_(new Shared{.from = release, .clock = {}, .passed = {}}) {
  if (base.empty()) return;
  shared_->clock = base.shared_->clock;
  shared_->passed = base.shared_->passed;
}

bool Observed::contains(const Observed& other) const noexcept {
  if (other.shared_ == nullptr || other.shared_ == shared_) return true;
  return shared_ != nullptr && shared_->from.lock != 0 && shared_->from.lock == other.shared_->from.lock &&
         static_cast<std::int32_t>(shared_->from.turn - other.shared_->from.turn) >= 0;
}

bool Observed::covers(const Observed& other) const noexcept {
  if (contains(other)) return true;
  return shared_ != nullptr &&
         (shared_->clock.covers(other.shared_->clock) && shared_->passed.covers(other.shared_->passed));
}

bool Observed::join(const Observed& other) {
  if (other.shared_ == nullptr || other.shared_ == shared_) return false;
  if (shared_ == nullptr || other.contains(*this)) {
    *this = other;
    return true;
  }
  if (covers(other)) return false;
  if (shared_->references.load(std::memory_order_acquire) != 1) {
    if (other.covers(*this)) {
      *this = other;
      return true;
    }
    *this = Observed(*this, {});
  }
  shared_->from = {};
  shared_->clock.join(other.shared_->clock);
  shared_->passed.join(other.shared_->passed);
  return true;
}

bool Observed::join_passed(const Observed& told) {
  if (told.empty()) return false;
  if (shared_ != nullptr &&
      (shared_->passed.contains(told) || (!told.contains(shared_->passed) && shared_->passed.covers(told))))
    return false;
  if (shared_ == nullptr || shared_->references.load(std::memory_order_acquire) != 1) *this = Observed(*this, {});
  shared_->from = {};
  shared_->passed.join(told);
  return true;
}

} // namespace fletcher::order
