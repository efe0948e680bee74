// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of atomic variables a thread's task has learned all from that they carry: one that spins, or asks for
// the same flags again and again, need not ask again (atomic_order.hpp). A thread's own.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <cstddef>

namespace fletcher::constructs {

struct LearntValue {
  Address variable = 0;
  std::uint32_t publications = 0; ///< so much had been published
  std::uint32_t turn = 0;         ///< of the thread: the task
  std::uint32_t generation = 0;   ///< of the horizon
  friend bool operator==(const LearntValue&, const LearntValue&) = default;
};

class LearntValues {
public:
  /// The one that is remembered of it, or of another one.
  LearntValue& of(Address variable) noexcept { return values_[variable / 4 % values_.size()]; }

private:
  std::array<LearntValue, 16> values_;
};

} // namespace fletcher::constructs
