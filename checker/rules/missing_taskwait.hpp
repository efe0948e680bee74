// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// missing-taskwait: a task that names a variable of its creator's frame in a depend clause, or captures one of a frame
// of its ancestors by reference, and that nothing waits for before the frame is gone. Needs no accesses: the stack
// pointer at the creator's later constructs tells which of its frames are left. Where accesses are seen, a function's
// return is a write to the variables that the compiler has named, so that a task is found whatever led it there.
#pragma once

#include "checker/access/race_check.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher::rules {

/// Thread-safe. A construct that finds no frame gone costs one compare.
class MissingTaskwait {
public:
  /// `items`: the frames of list items, and of captured variables of which more than the call is known.
  MissingTaskwait(constructs::Execution& execution, constructs::StackVariables& items, Reporter& reporter)
      : execution_(execution), items_(items), reporter_(reporter) {}

  /// `made` was created by the running task and uses `captures` by reference. `call`: its creator's, where known.
  /// `frames`: of each capture as the event tells them, or empty.
  void created(access::ThreadState& thread, constructs::Task& made, std::span<const Address> captures,
               const CallFrame& call, std::span<const StackFrame> frames);
  /// `made` was given its depend clauses.
  void declared(access::ThreadState& thread, constructs::Task& made);
  /// `creator` reached a construct, or its end, with its stack at `stack_pointer`: frames below are gone, and its
  /// children use variables of some of them. `region_ends`: at the barrier that its region ends with, which waits for
  /// them; gcc puts that of a `single` there, too, which the program has in the function. So a child that only names a
  /// variable is not meant.
  void frames_gone(access::ThreadState& thread, constructs::Task& creator, Address stack_pointer, ContextId place,
                   bool region_ends = false);
  /// The function of the running task returns that [variable, variable + size) belongs to; it may have been put into
  /// its caller, whose frame goes on. False: no task is known to use it.
  bool variable_gone(access::ThreadState& thread, constructs::Task& creator, Address variable, std::size_t size,
                     ContextId place);

  /// Of an access and the return of a function that the memory was a variable of.
  bool concerns(const access::Race& race) const {
    const access::CallTree& calls = execution_.calls();
    return calls.is_returning(race.later_site) || calls.is_returning(race.earlier_site);
  }
  access::Repeats race(const access::Race& race);

private:
  /// Notes that a child uses `variable`, which is in the creator's frames.
  constructs::UsedByChildren& use(access::ThreadState& thread, constructs::Task& creator, Address variable);
  using Capture = constructs::UsedByChildren::Capture;
  void capture(Capture& to, Address variable, constructs::Task& made, const CallFrame& call, const StackFrame& frame);
  StackFrame frame_of(const Capture& capture) const;
  /// `frame`: that of the variable, where known.
  void outlived(constructs::Task& creator, constructs::Task& child, Address variable, bool named,
                const StackFrame& frame, ContextId place);

  constructs::Execution& execution_;
  constructs::StackVariables& items_;
  Reporter& reporter_;
};

} // namespace fletcher::rules
