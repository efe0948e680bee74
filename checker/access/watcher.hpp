// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who follows accesses besides the race check: of each strand's accesses those that shadow memory does not tell, which
// is the first one of its kind to the same bytes. Where nobody does it costs a test.
#pragma once

#include "checker/access/cells/cell.hpp"

#include <cstddef>

namespace fletcher::access {

struct ThreadState;

class Watcher {
public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;
  /// Before it happens. `whole`: one copy of an object, with what its members leave unused.
  virtual void accesses(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc, bool whole) = 0;
};

} // namespace fletcher::access
