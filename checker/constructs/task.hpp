// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live objects of OpenMP's execution model: tasks, teams, taskgroups, and what of a finished task waits to be
// waited for. Plain data; what happens to it is in the files of this folder, one per family of constructs.
// A task that was created costs 32 bytes, 4 in the table of tasks (task_table.hpp) and its depend list
// (depend_lists.hpp) until it starts; then 240 more until nobody refers to it.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/access/watcher.hpp"
#include "checker/constructs/depend_lists.hpp"
#include "checker/constructs/held_mutexes.hpp"
#include "checker/constructs/latest_frame.hpp"
#include "checker/constructs/named_storage.hpp"
#include "checker/constructs/sequence.hpp"
#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/order/happens_before.hpp"
#include "checker/order/strands.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <unordered_set>
#include <vector>

namespace fletcher::constructs {

struct Task;
struct Team;
class DependenceMap;

/// Memory that may be the thread's own, by granules, which it has written in sections of locks (every_member.hpp).
struct KeptInside {
  std::unordered_set<Address> granules;
};

/// What the children of a task use of its frames, and what they name in their depend clauses.
struct UsedByChildren {
  UsedByChildren() noexcept {} // member by member: zeroing all of it first takes longer
  /// A variable of the task's own frames that a child uses by reference, or one that may be in an ancestor's frames.
  /// `child` is referenced. It may be a child's child, too, which that one left behind.
  struct Capture {
    Address variable = 0;
    Task* child = nullptr;
    /// How far the stack pointer was below the variable at the child's creation, `unknown`, or `elsewhere` if more of
    /// its frame is known and kept apart; and the frame pointer above it, 0 where it is too far away to be one.
    static constexpr std::int32_t unknown = -1, elsewhere = -2, of_ancestor = -3;
    std::int32_t to_stack_pointer = unknown, to_frame_pointer = 0;
    bool is_own() const noexcept { return to_stack_pointer != of_ancestor; }
  };
  /// A child has ended without waiting for one of its own, which uses such a variable and is referenced.
  struct Left {
    Address variable;
    Task* child;
  };
  Address lowest = ~Address{0};    ///< variable of the frames that a child names or captures, until they are waited for
  std::array<Capture, 4> captures; ///< one child for each variable, as far as there is room
  access::Frame frame;             ///< the function that created the last of these children
  std::unique_ptr<NamedStorage> storage; ///< null where no child has depend clauses
  bool of_ancestors = false;             ///< some of `captures` may be in an ancestor's frames
  std::vector<Left> left;                ///< guarded by the task's lock
  std::atomic<bool> any_left{false};     ///< in `left`, or of descendants in `captures`
  /// There is something to forget when the children have been waited for.
  bool any() const noexcept { return has_captures() || storage != nullptr; }
  bool has_captures() const noexcept { return lowest != ~Address{0} || may_leave(); }
  /// The task may have something for its parent to know when it ends.
  bool may_leave() const noexcept { return of_ancestors || any_left.load(std::memory_order_relaxed); }
};

/// The ends of finished tasks that some construct will wait for: a taskwait, a taskgroup's end or a barrier.
struct Ended {
  order::ChainList chains;
  order::Knowledge knowledge; ///< what those tasks know beyond what their waiter knows anyway

  bool empty() const noexcept { return chains.empty() && knowledge.empty(); }
};

struct Taskgroup {
  Task* owner = nullptr;
  std::unique_ptr<Taskgroup> outer; ///< the next one that the same task is in
  Taskgroup* inherited = nullptr;   ///< the group that the owner itself belongs to
  memory::SpinLock lock;
  Ended direct; ///< the owner's own children: a taskwait joins them too
  Ended deep;   ///< further descendants
};

/// What a task waits for. Whom that means is worked out only when somebody asks (checker/waiting).
struct Wait {
  enum class Kind : std::uint8_t {
    none,
    taskwait,
    taskgroup,
    predecessors,
    barrier,
    mutex,
    iteration,
    no_iteration,   ///< that the loop does not have: the runtime's fault
    later_iteration ///< the program's: a sink has to come before
  };
  Kind kind = Kind::none;
  Mutex mutex;    ///< of a mutex
  Address pc = 0; ///< of the construct or call

  /// One by one: who reads a lock of which the parts have just been written must not read both at once.
  void set(Kind by, const Mutex& of, Address at) noexcept {
    kind = by;
    mutex.kind = of.kind;
    mutex.address = of.address;
    pc = at;
  }
};

/// What only tasks have that are more than a piece of work: implicit ones, and those that wait in a rare way.
struct Rare {
  std::vector<Task*> awaited;            ///< referenced: by its taskwait with depend
  std::vector<Dependence> awaited_items; ///< and what it named
  Address frames_end = 0;                ///< of an implicit task: its frames are below this, 0 where unknown
  LatestFrame frame;                     ///< of an implicit task, where it created the last task
  std::uint32_t works = 0;               ///< begins and ends of worksharing constructs it has met
  std::uint32_t loops = 0;               ///< worksharing loops begun: iterations are ordered within one loop only
  std::uint64_t barriers = 0;            ///< of an implicit task: how many it has left
  bool at_internal = false;              ///< it waits at a barrier that the runtime needs, not the program
  std::uint64_t met = 0;                 ///< worksharing constructs and barriers that all of its team must meet
  /// An implicit task that executes a unit of work: the unit's strands have this id or a higher one. Otherwise none.
  StrandId unit_since = StrandId::none;
  StrandId unit_floor = StrandId::none; ///< what comes before the unit on whatever thread
  /// Since then it may have a number of its own (draw_number): with what came before, its units are as ever.
  StrandId drew_number = StrandId::none;
  StrandId loop_floor = StrandId::none; ///< what came before the construct that it is in, or after the last one
  /// Its last construct since the barrier of which another thread could have executed what it did: that has ids above
  /// the first and below the second. None where there is none.
  StrandId moved_after = StrandId::none, moved_until = StrandId::none;
  std::uint64_t loop_count = 0; ///< iterations of the loop that it is in
  /// What of the construct that it is in another thread could have executed: chunks; pieces of a static loop, which
  /// come after what their thread did before the loop; sections.
  enum class Moving : std::uint8_t { nothing, chunks, pieces, sections } moving = Moving::nothing;
  /// So many ids of the unit's strands, or of those since it drew a number, had nobody before (strand.cpp).
  static constexpr std::uint32_t most_new_ids = 1u << 16;
  bool is_long = false;  ///< they were more
  bool combines = false; ///< the unit is the combination of a reduction
  /// No unit, but what comes after such a combination: all that its own thread did and that may come later is the
  /// combination.
  bool has_combined = false;
  StrandId before_combination = StrandId::none; ///< the last strand before it
  std::unique_ptr<KeptInside> kept;             ///< null where it was in no section that keeps what it learns
  bool has_gathered = false;                    ///< since the last barrier it was at a gathering (combination.cpp)
  order::Knowledge combined; ///< what those knew who had gcc's lock of atomic updates before: it combines by that
};

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
  /// The number of their past (ThreadState::asked_since): who has the same knows the same, but for what those did that
  /// created it. 0 where nobody has.
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
  bool second_is_lone : 1 = false;    ///< the first past tells all that the second one's task knew, but for itself
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

/// Millions of explicit tasks may wait to be started at once. Such a one is half a cache line, and shares its origin.
struct Task {
  TaskId id = TaskId::none;
  std::atomic<std::uint32_t> references{1}; ///< itself while unfinished, its children, dependents, dependence maps
  /// And so many for each capture (UsedByChildren), which only its parent's thread makes and drops.
  static constexpr std::uint32_t captured = 1u << 28;
  ContextId creation = ContextId::none;
  DependList depend; ///< its predecessors are referenced until it starts
  TaskKind kind = TaskKind::explicit_;
  bool undeferred : 1 = false; ///< its creator waits for its end
  bool untied : 1 = false;
  bool taskloop : 1 = false; ///< created by a taskloop construct, which has no depend clause
  bool started : 1 = false;
  bool body_ended : 1 = false; ///< but its detach event is open
  /// It learned something that waiting for it and its siblings would not tell: its clock has to be joined.
  bool learned : 1 = false;
  bool grown : 1 = false;    ///< it learned that itself: its earlier strands tell less than its end
  bool captures : 1 = false; ///< its parent's UsedByChildren has, or had, a capture of it
  memory::SpinLock lock;     ///< guards `ended`, and `complete` where it may have children
  std::atomic<bool> complete{false};

  explicit Task(Origin& from) noexcept : state_(reinterpret_cast<std::uintptr_t>(&from) | only_origin) {}

  /// It has been given an activation, and keeps it while anybody refers to it.
  bool active() const noexcept { return activation() != nullptr; }
  /// Null where it has not. Whoever asks more than one question of it asks this once.
  Activation* activation() const noexcept {
    const std::uintptr_t state = state_.load(std::memory_order_acquire);
    return (state & only_origin) != 0 ? nullptr : reinterpret_cast<Activation*>(state);
  }
  /// Of an active task.
  Activation& now() const noexcept { return *reinterpret_cast<Activation*>(state_.load(std::memory_order_acquire)); }
  void activate(Activation& made) noexcept {
    state_.store(reinterpret_cast<std::uintptr_t>(&made), std::memory_order_release);
  }
  Origin& origin() const noexcept {
    const std::uintptr_t state = state_.load(std::memory_order_acquire);
    return (state & only_origin) != 0 ? *reinterpret_cast<Origin*>(state & ~only_origin)
                                      : *reinterpret_cast<Activation*>(state)->origin;
  }

  /// It comes after something that its start did not come after.
  void learn() noexcept {
    learned = grown = true;
    now().last_tells_all = false;
    now().begin_past();
  }
  /// The same by this run's order of locks only.
  void observe() noexcept {
    learned = grown = true;
    now().last_tells_all = false;
  }

  Task* parent() const noexcept { return origin().parent; }
  Team* team() const noexcept { return origin().team; }
  Taskgroup* group() const noexcept { return origin().group; }
  /// Siblings that it comes after may come after other units of work of its creator.
  order::WorkUnit unit() const noexcept {
    return depend.empty() || depend.predecessors().empty() ? origin().unit : order::WorkUnit{};
  }
  const order::Knowledge& known() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->known : origin().known;
  }
  ChainId chain() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->chain : ChainId::none;
  }
  StrandId last() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->last : StrandId::none;
  }
  Wait wait() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->wait : Wait{};
  }
  ThreadId thread() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->thread : ThreadId::none;
  }
  /// It left a trace: somebody may ask whether it came before.
  bool has_strands() const noexcept {
    const Activation* const own = activation();
    return own != nullptr && own->chain != ChainId::none && own->last != StrandId::none;
  }

  /// An active task that is not over, and that `by` executes from its begin to its end: no other thread changes what
  /// belongs to it and has no lock.
  bool is_of(ThreadId by) const noexcept {
    const Activation* const own = activation();
    return own != nullptr && own->thread == by && !(untied || body_ended);
  }
  /// Of a task on the asking thread: only itself, `others` more, and captures refer to it, and nobody else can begin
  /// to.
  bool is_private(ThreadId by, std::uint32_t others = 0) const noexcept {
    const std::uint32_t count = references.load(std::memory_order_acquire);
    return count % captured == 1 + others && is_of(by) && (count < captured || parent()->is_of(by));
  }
  /// Of an active task, on its own thread: none of the tasks that it created is left, or will ever tell it anything.
  bool is_childless() const noexcept {
    const Activation& own = now();
    const std::uint32_t count = references.load(std::memory_order_acquire) % captured;
    if (own.given == nullptr) return count == 1;
    return count == 2 && own.given->references.load(std::memory_order_acquire) == own.given_references;
  }

  // Of an active task.
  const Rare* rare_if_any() const noexcept { return now().rare_.get(); }
  Rare& rare() const { return now().rare(); }
  /// What its children use; null for nothing.
  UsedByChildren* used() const noexcept { return now().used; }

private:
  static constexpr std::uintptr_t only_origin = 1;
  std::atomic<std::uintptr_t> state_; ///< an Activation, or an Origin and this bit
};
static_assert(sizeof(Task) == 32, "for each task that waits to be started");

/// The explicit task that a thread has to start for `task` to be executed: itself, or the deferred one that it is an
/// undeferred part of. Null where that is none. O(undeferred ancestors).
inline const Task* deferred_part(const Task& task) noexcept {
  const Task* t = &task;
  while (t != nullptr && t->kind == TaskKind::explicit_ && t->undeferred) t = t->parent();
  return t != nullptr && t->kind == TaskKind::explicit_ ? t : nullptr;
}

/// On lines of its own, two of which some processors fetch together: each new task reads it, and what lies beside it in
/// the heap is written.
struct alignas(128) Team {
  TeamId id = TeamId::none;
  std::atomic<std::uint32_t> references{1}; ///< itself while it lasts, its implicit tasks
  Task* encountering = nullptr;             ///< referenced
  bool league = false;
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
};

} // namespace fletcher::constructs
