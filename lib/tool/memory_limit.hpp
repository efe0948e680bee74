// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option memory_limit: how much memory shadow memory and the tables use, and what is done where that is too much.
// First they are asked to give memory back where nothing is missed by it; if that does not come soon, what was accessed
// is forgotten. Used by the watcher, which has the time for it.
#pragma once

#include <cstdint>

namespace fletcher::tool {

class Session;

class MemoryLimit {
public:
  explicit MemoryLimit(Session& the);
  /// To be called a few times a second. Reads /proc, rarely where that takes long.
  void look();

private:
  std::uint64_t used() const;
  void forget();

  Session& the_;
  std::uint64_t limit_; ///< bytes; 0: none
  std::int64_t next_look_ = 0;
  unsigned asked_ = 0; ///< so many looks ago, and not given yet
  bool said_given_back_ = false;
};

} // namespace fletcher::tool
