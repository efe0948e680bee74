// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stops threads from finding what is in their own memory, so that one can know what is still known.
#pragma once

#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

/// While it lives no task comes to know in an access what its thread's own memory tells. Does not wait long.
class Execution::NobodyFinds {
public:
  explicit NobodyFinds(Execution& execution) noexcept;
  ~NobodyFinds();
  NobodyFinds(const NobodyFinds&) = delete;
  NobodyFinds& operator=(const NobodyFinds&) = delete;
  /// False: a thread was about to, and is not done yet.
  explicit operator bool() const noexcept { return held_ == threads_; }

private:
  Execution& execution_;
  std::uint32_t threads_, held_ = 0;
};

} // namespace fletcher::constructs
