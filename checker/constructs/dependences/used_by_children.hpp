// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the children of a task use of its frames, and what they name in their depend clauses.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/constructs/dependences/named_storage.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace fletcher::constructs {

struct Task;

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

} // namespace fletcher::constructs
