// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deadlock between processes: all of them wait in calls of MPI, and no call returns. Each process's watcher says on
// the board since when its own does, and looks whether all have been seen there several times since: what was under way
// then has had time to arrive.
//
// Not told where a message may come from elsewhere (another job), nor of what takes its time from the system (files).
// Threads of a process that are in no call of MPI must wait as OpenMP's constructs say.
#pragma once

#include "checker/ids.hpp"
#include "lib/tool/process/kernel_threads.hpp"
#include "lib/tool/session.hpp"

#include <cstdint>
#include <vector>

namespace fletcher::interpose::mpi {

/// By the watcher alone.
class Hang {
public:
  explicit Hang(tool::Session& the) : the_(the) {}
  /// No thread of this process has told an event for a while; `state` is another one after each event. True: this and
  /// all other processes wait for ever, which has become a finding.
  bool look(std::uint64_t state);
  /// Some thread goes on.
  void goes_on() noexcept;
  /// Until the others have told it, too: their launcher may end them all when one ends.
  static void wait_for_others() noexcept;

private:
  using Milliseconds = std::int64_t;
  struct Seen {
    std::uint64_t stuck = 0;
    std::uint32_t times = 0;
  };
  bool all_wait_for_ever(Milliseconds now);
  void tell();

  tool::Session& the_;
  Milliseconds last_look_ = 0;
  std::vector<tool::kernel::Progress> progress_; ///< of the threads that are in calls, when they were seen last
  std::vector<Seen> at_first_;                   ///< the processes when all of them were stuck as they are now
  Milliseconds since_ = 0;
  bool told_ = false;
};

/// The thread is about to make the call, which goes on at `pc`.
void note_call(access::ThreadState& thread, Address pc) noexcept;

} // namespace fletcher::interpose::mpi
