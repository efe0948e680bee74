// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of threads, and what its members and its barriers have in common.
#pragma once

#include "checker/access/watcher.hpp"
#include "checker/constructs/tasks/task.hpp"
#include "checker/constructs/teams/sequence.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fletcher::constructs {

/// On lines of its own, two of which some processors fetch together: each new task reads it, and what lies beside it in
/// the heap is written.
struct alignas(128) Team {
  TeamId id = TeamId::none;
  std::atomic<std::uint32_t> references{1}; ///< itself while it lasts, its implicit tasks
  Task* encountering = nullptr;             ///< referenced
  bool league = false;
  bool own_values_are_told = false; ///< as ParallelBegin says
  /// Nothing in the program is concurrent with it: its barriers and its end are horizons.
  bool alone = false;
  ContextId creation = ContextId::none;
  /// The encountering thread's stack above its frames in the region: there for all members. Empty where unknown.
  Address stack_low = 0, stack_high = 0;
  CallFrame call;                        ///< of the encountering task at the construct, where known
  std::shared_ptr<const StackWalk> walk; ///< from there outward: frames that stay while the team does. Null: unknown
  order::WorkUnit unit;                  ///< that the region was encountered in
  order::Knowledge fork;                 ///< of the encountering task at the region's begin
  order::StrandTables::Mark mark{};      ///< of an outermost region: what came before it

  memory::SpinLock lock;
  std::vector<Task*> members; ///< implicit tasks, referenced
  std::uint32_t size = 0;
  bool open = false; ///< its size is one, but the program leaves it open: what may be another member's work is a unit
  /// Of such a team, until its member does what of all members one does: follows what each would do (every_member.hpp).
  access::Watcher* of_all = nullptr;
  std::uint32_t arrived = 0;
  ChainId chain = ChainId::none;   ///< the barriers themselves, one after the other
  std::uint64_t barriers = 0;      ///< completed
  bool cancelled = false;          ///< its members may leave out barriers
  std::atomic<bool> parted{false}; ///< its members have met different constructs
  Sequence sequence;
  Ended gathering;         ///< of the members that arrived and of tasks nobody waited for
  order::Knowledge result; ///< of the last completed barrier
  bool learned = false;    ///< `result` has more than `fork` and the barriers
  order::Knowledge copies; ///< what the members knew when they came to gatherings since the last barrier
  std::vector<std::pair<ChainId, StrandId>> copied; ///< and where they were in their chains, one entry for each

  /// All that the members knew comes before all that is to come.
  void forget_past() {
    fork.clear();
    result.clear();
    learned = false;
    chain = ChainId::none;
  }
};

/// On the frames of those who encountered the regions that `task` is in: there for all of its team.
inline bool is_in_frames_around(const Task& task, Address address) noexcept {
  for (const Team* team = task.team(); team != nullptr; team = team->encountering->team())
    if (address - team->stack_low < team->stack_high - team->stack_low) return true;
  return false;
}

} // namespace fletcher::constructs
