// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a checked program waits for a lock of POSIX's kind: it looks for a while before it sleeps, as adaptive mutexes
// do. Sections take longer while their accesses are checked. So threads meet at locks where they do not without a
// checker, and to sleep and be woken takes the processors longer than most sections do.
#pragma once

#include "checker/memory/spin_lock.hpp"

#include <algorithm>
#include <cerrno>

namespace fletcher::interpose {

/// Of one thread. Looking in vain, as where the holder has no processor, halves the turns of the next time, and looking
/// with success doubles them.
class Patience {
public:
  /// `take` takes a lock and returns zero, or EBUSY where somebody else has it, or another error. `look` does the same
  /// where it looks worth trying. `wait` sleeps until it has the lock. Returns what the one that was called last did.
  template <class Take, class Look, class Wait> int wait_for(Take take, Look look, Wait wait) noexcept {
    int error = take();
    if (error != EBUSY) [[likely]]
      return error;
    for (int turn = 0; turn < turns_; ++turn) {
      for (int i = 0; i < pauses; ++i) memory::pause();
      error = look();
      if (error == EBUSY) continue;
      turns_ = std::min(2 * turns_, most);
      return error;
    }
    turns_ = std::max(turns_ / 2, fewest);
    return wait();
  }

private:
  static constexpr int pauses = 4, fewest = 4, most = 512;
  int turns_ = 128;
};

[[gnu::tls_model("initial-exec")]] inline constinit thread_local Patience patience{};

} // namespace fletcher::interpose
