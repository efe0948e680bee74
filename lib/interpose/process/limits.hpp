// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits on address space that the program sets for itself: what the checker has reserved does not count.
#pragma once

namespace fletcher::interpose {

/// While it lives, tables find room although the program has set such a limit. Afterwards it holds for the program
/// again.
class RoomForTables {
public:
  RoomForTables() noexcept;
  ~RoomForTables();
  RoomForTables(const RoomForTables&) = delete;
  RoomForTables& operator=(const RoomForTables&) = delete;
};

} // namespace fletcher::interpose
