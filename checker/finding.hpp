// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checker can say: a finding as a plain value, made of addresses and ids, not of text. reports/ turns it
// into diagnostics. Relies on ids.hpp and events.hpp for their words only.
#pragma once

#include "checker/events.hpp"
#include "checker/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fletcher {

/// A kind of finding. Names and texts are in reports/explanation/rule_catalogue.hpp, one page each in docs/rules.
enum class Rule : std::uint8_t {
  data_race,
  missing_taskwait,
  dependence_cycle,
  non_sibling_dependence,
  unmatched_dependence,
  lock_order_cycle,
  lock_misuse,
  barrier_mismatch,
  mapping_bug,
  mpi_threads,
  fork_after_region,
  not_needed,
};

enum class Severity : std::uint8_t { error, warning, note };

/// Why the two accesses are not ordered: what a person would change.
enum class Cause : std::uint8_t {
  unknown,
  missing_taskwait,             ///< a task and its creator (or a later task of it) that never waited
  missing_dependence,           ///< sibling tasks of which one or both declare nothing about the object
  wrong_dependence_type,        ///< both declare the object, but not as the accesses are (in where it writes)
  non_sibling_dependence,       ///< both declare it, but they have different parents
  missing_barrier,              ///< two worksharing phases of one team without a barrier between (nowait)
  missing_mutual_exclusion,     ///< the same code run by several threads or tasks, with no lock and no atomic
  different_locks,              ///< each side holds a lock, but not the same
  one_side_locked,              ///< one side holds a lock, the other none
  missing_private_or_reduction, ///< one variable of the enclosing scope, written by every member of the team
  not_atomic,                   ///< one side is atomic, the other is not
  task_outlives_frame,          ///< a task uses a variable of a frame that has returned
  simd_lanes,                   ///< iterations that may run in the lanes of vectors, but need each other's results
  pending_operation,            ///< one side is an operation of a library that no call has completed yet
  descendant_outlives_frame,    ///< task_outlives_frame of a task's own task, for which its parent did not wait
};

enum class AccessType : std::uint8_t { read, write, atomic_read, atomic_write, free };

/// A return address or access address, innermost first. Every pc but the first of an access is a return address.
using Stack = std::vector<Address>;

struct HeldLock {
  Mutex mutex;
  Stack acquired_at; ///< empty where unknown
};

/// A task as a reader of a report wants to know it; `creation` is the stack of its construct.
struct TaskDescription {
  TaskId id = TaskId::none;
  TaskKind kind = TaskKind::explicit_;
  bool of_league = false;           ///< an implicit task that is the initial one of a team of a league
  std::uint32_t thread_number = 0;  ///< of an implicit task: its index in the team, or of its team in the league
  ThreadId thread = ThreadId::none; ///< that ran it at the access
  Stack creation;
  std::uint32_t skipped = 0; ///< so many of its ancestors are left out before the next one of a list
  std::string call;          ///< of an operation: the function that began it; empty where unknown
};

/// One side of a race, or one step of another finding.
struct AccessDescription {
  AccessType type = AccessType::read;
  Address address = 0;                ///< the first byte of which it is known
  std::uint32_t size = 0;             ///< bytes from there on; 0: not known, or a heap block that is freed
  Stack stack;                        ///< innermost first; [0] is the pc of the access itself
  std::vector<TaskDescription> tasks; ///< the task and its ancestors, innermost first
  std::vector<HeldLock> locks;
  std::vector<Dependence> declared; ///< its task's depend clauses where known
  std::string function = {};        ///< of a library, which makes the access for its caller; empty: the caller itself
  std::string argument = {};        ///< of that function: "B (64 x 64, leading dimension 64)"
};

enum class ObjectKind : std::uint8_t { unknown, global, stack, heap, thread_local_ };

/// The object that holds the address, as far as the process knows it (reports add names from debug information).
struct ObjectDescription {
  ObjectKind kind = ObjectKind::unknown;
  Address base = 0;                 ///< of a heap block
  std::size_t size = 0;             ///< of a heap block
  Stack origin;                     ///< heap: where it was allocated; stack: the frame that owns it, innermost first
  ThreadId thread = ThreadId::none; ///< whose stack, or who allocated
  Address frame_pointer = 0;        ///< stack: the owning frame's frame pointer (0 where unknown)
  Address stack_pointer = 0;        ///< stack: that frame's stack pointer when its function began (0 where unknown)
};

/// A place named by a finding that is not an access: a step of a cycle, a declared dependence, a suggestion's place.
/// In its message, and in that of its finding (which may name "{object}", too), "{lock}" and "{task}" stand for the
/// names that reports find for `mutex` and `tasks`; "{lock 2}" for those of the finding's step 2.
struct Step {
  std::string message; ///< a sentence fragment without a place: "{task} waits for {lock} here"
  Stack stack;
  std::optional<Mutex> mutex = std::nullopt;
  std::vector<TaskDescription> tasks = {}; ///< the task and its ancestors, innermost first

  /// 0 where it is not known.
  Address place() const noexcept { return stack.empty() ? 0 : stack.front(); }
};

/// A variable on a stack, and the frame that it was in when that was looked at.
struct StackVariable {
  Address address = 0;
  StackFrame frame;
};

struct Finding {
  Rule rule = Rule::data_race;
  Severity severity = Severity::error;
  Cause cause = Cause::unknown;
  bool predicted = false; ///< did not happen in this run's order, but can
  bool divided = false;   ///< one thread did both, in iterations that a larger team divides among threads
  bool alone = false;     ///< one thread did both, being the whole team, of which the program leaves the size open
  /// True only if the first two steps are on different source lines: a compiler may make two calls of one construct.
  /// Who can tell lines leaves it out otherwise.
  bool if_lines_differ = false;
  /// Of code that was instrumented for ThreadSanitizer alone: a read without a line of its own may be the compiler's,
  /// of what is used in a loop or a branch to which the program did not come. Who can tell lines leaves it out.
  bool reads_may_be_made = false;
  std::string message;                     ///< for rules other than data-race: the sentence of the first line
  std::vector<AccessDescription> accesses; ///< data-race: [0] the later, [1] the earlier access
  std::vector<Step> steps;
  ObjectDescription object;
  std::vector<StackVariable> stack_variables; ///< that it speaks of, where their frames are known
  Stack fix_place;                            ///< where the missing construct belongs; empty where unknown
  std::string fix;                            ///< "taskwait", "barrier", "depend(inout: x)"…; empty where none is plain
  std::uint64_t distance = 0;                 ///< simd_lanes: of the two accesses' iterations
  std::uint64_t count = 1;                    ///< how often the same pair of places was met
};

/// Receives findings. Thread-safety: called by any thread, one call at a time for one checker.
class FindingSink {
public:
  FindingSink() = default;
  FindingSink(const FindingSink&) = delete;
  FindingSink& operator=(const FindingSink&) = delete;
  virtual ~FindingSink() = default;
  /// A new finding; `serial` names it in later `again` calls.
  virtual void found(std::uint64_t serial, Finding finding) = 0;
  /// The same finding was met again.
  virtual void again(std::uint64_t serial) = 0;
};

} // namespace fletcher
