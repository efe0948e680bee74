// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a task comes from, and what it has from its start on. A task that was created has the former only, which it
// shares with its siblings.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/constructs/dependences/used_by_children.hpp"
#include "checker/constructs/locks/held_mutexes.hpp"
#include "checker/constructs/tasks/rare.hpp"
#include "checker/constructs/tasks/taskgroup.hpp"
#include "checker/constructs/tasks/wait.hpp"
#include "checker/order/happens_before.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace fletcher::constructs {

struct Team;
class DependenceMap;

/// Where a task comes from. Tasks that one task creates without a strand of its own in between share it; nothing in it
/// changes then.
struct Origin {
  std::atomic<std::uint32_t> references{1}; ///< of those tasks, and of their creator as long as it may create more
  order::WorkPlace work;
  Task* parent = nullptr;     ///< referenced
  Team* team = nullptr;       ///< lives as long as an implicit task of it, so as long as its descendants
  Taskgroup* group = nullptr; ///< innermost taskgroup they were created in
  order::Knowledge known;     ///< when they were created
  order::WorkUnit unit;       ///< that they were created in, or their region encountered in
  /// The number of their past (ThreadState::asked_since): who has the same knows the same, except for what those did
  /// that created it. 0 where nobody has.
  static constexpr std::uint32_t most_past = (1u << 31) - 1;
  std::uint32_t past : 31 = 0;
  std::uint32_t pooled : 1 = 0;
  std::unique_ptr<std::vector<HeldAround>> held_around; ///< null for none
};
static_assert(sizeof(Origin) <= 80);

/// The last strand that a task had on its chain.
struct Past {
  ChainId chain = ChainId::none;
  StrandId last = StrandId::none;
};

/// What a task has from its start on.
struct Activation {
  explicit Activation(Origin& from) noexcept;
  ~Activation();
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;

  Origin* origin;

  // Order.
  order::Knowledge known;
  static constexpr std::uint8_t too_many_pasts = 3;
  std::array<Past, too_many_pasts - 1> past{}; ///< whose ends tell, with its origin, all that it knew when it started
  ChainId chain = ChainId::none;
  StrandId strand = StrandId::none; ///< open strand while not running (ThreadState has it while running)
  StrandId last = StrandId::none;   ///< last strand given to it on `chain`
  LocksetId lockset = LocksetId::empty;
  order::WorkPlace work;
  std::atomic<order::RecordId> record{order::RecordId::none};
  std::uint8_t block_left = 0;        ///< further strand ids of its current block
  std::uint8_t pasts : 3 = 0;         ///< in `past`, or too_many_pasts
  bool last_tells_all : 1 = false;    ///< who knows `last` knows all that it knows now: it learned nothing since
  bool same_past : 1 = false;         ///< it learned nothing that OpenMP guarantees since its last strand was opened
  bool as_created : 1 = true;         ///< it knows what it knew then
  bool as_given : 1 = false;          ///< it knows what it knew when it had `given` made
  bool second_is_lone : 1 = false;    ///< the first past tells all that the second one's task knew, except for itself
  bool on_creators_chain : 1 = false; ///< an undeferred task: its creator goes on where it ends
  bool waiting : 1 = false;           ///< an implicit task in a barrier: nothing that its thread does is its own
  bool closing = false;               ///< an implicit task that reached the end of its region
  bool spawned = false;               ///< an initial task that created tasks since the last horizon: no longer alone
  bool orphans = false;               ///< an initial task with descendants that nothing waits for
  std::atomic<bool> asked_thread_number{false};
  std::atomic<bool> knows_thread{false}; ///< it may know which thread it is on by other means (identify)
  std::atomic<bool> reduces{false};      ///< it asked for its copy for a reduction
  std::atomic<bool> parental{false};     ///< it created tasks
  std::uint16_t index = 0;               ///< of an implicit task: in its team
  ThreadId thread = ThreadId::none;      ///< that started it
  Ended ended;                           ///< children that ended, for its next taskwait
  Origin* given = nullptr;               ///< of the tasks that it creates
  std::uint32_t given_references = 0;    ///< to `given` that it has: one of its own, others for tasks to come
  /// More of `ended`: those that its own thread executed, which need no lock, linked as in a ChainList.
  ChainId ended_here = ChainId::none;
  std::unique_ptr<Taskgroup> open_group; ///< innermost taskgroup it has open itself
  HeldMutexes held;
  Wait wait;
  Task* below = nullptr; ///< started on a thread that had not finished this one: it goes on there after this one only

  // Its stack.
  Address stack_base = 0;        ///< its frames are below this on that thread's stack, 0 where unknown
  Address stack_pointer = 0;     ///< where its stack was at its last construct, 0 where unknown
  access::Frame* base = nullptr; ///< its first frame on that thread's call stack

  std::unique_ptr<DependenceMap> siblings; ///< of its children
  UsedByChildren* used = nullptr;          ///< owned; null for nothing
  /// It comes after something new: what is remembered of its past is void.
  void begin_past() noexcept { same_past = as_created = as_given = false; }

  std::unique_ptr<Rare> rare_;
  Rare& rare() {
    if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
    return *rare_;
  }
};
static_assert(sizeof(Activation) <= 240);

} // namespace fletcher::constructs
