// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/missing_taskwait.hpp"

#include "checker/constructs/dependences/dependences.hpp"
#include "checker/rules/describe.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace fletcher::rules {

using constructs::Task;
using constructs::UsedByChildren;

namespace {
/// `variable` is in a frame of `creator`, which is at a construct.
bool in_own_frames(const access::ThreadState& thread, const Task& creator, Address variable) {
  const constructs::Activation& now = creator.now();
  const Address known = creator.kind != TaskKind::implicit ? now.stack_base
                        : now.rare_ != nullptr             ? now.rare_->frames_end
                                                           : 0;
  const Address end = known != 0 ? known : thread.stack_high;
  return thread.task == &creator && thread.in_stack(now.stack_pointer) && variable >= now.stack_pointer &&
         variable < end;
}

/// Something that the running `creator` waited for, other than the child's end, tells what the child did up to some
/// point: a flag, a lock, a latch. The child may begin its chain meanwhile, of which the creator knows nothing then.
bool told_of(const Task& child, const Task& creator) noexcept {
  constructs::Activation* const own = child.activation();
  if (own == nullptr) return false;
  const ChainId chain = std::atomic_ref(own->chain).load(std::memory_order_relaxed);
  const order::Knowledge& known = creator.now().known;
  return chain != ChainId::none && chain != creator.now().chain &&
         (known.get(chain) != StrandId::none || known.get_observed(chain) != StrandId::none);
}

/// A task that may use a variable of a frame which is gone: what is known of it by its creation.
Finding use_of_frame(const access::CallTree& calls, ContextId creation, Address variable, const auto& declared,
                     bool of_child, bool named) {
  Finding f;
  f.rule = Rule::missing_taskwait;
  f.severity = Severity::error;
  f.cause = of_child ? Cause::task_outlives_frame : Cause::descendant_outlives_frame;
  f.message = std::string("the task ") + (named ? "names" : "uses") +
              " {object}, and its function returns without waiting for the task";
  f.accesses.push_back({.type = AccessType::write,
                        .address = variable,
                        .size = 0,
                        .stack = calls.stack(creation),
                        .tasks = {},
                        .locks = {},
                        .declared = {declared.begin(), declared.end()}});
  f.object.kind = ObjectKind::stack;
  return f;
}
} // namespace

inline UsedByChildren& MissingTaskwait::use(access::ThreadState& thread, Task& creator, Address variable) {
  UsedByChildren& used = execution_.use(thread, creator);
  used.lowest = std::min(used.lowest, variable);
  if (thread.stack.top() != thread.stack.begin()) used.frame = thread.stack.top()[-1];
  return used;
}

// Written where it is kept: a copy would wait for its parts to be stored. A frame pointer that is too far away is none.
inline void MissingTaskwait::capture(Capture& to, Address variable, Task& made, const CallFrame& call,
                                     const StackFrame& frame) {
  to.variable = variable;
  to.child = &made;
  to.to_stack_pointer = Capture::unknown;
  to.to_frame_pointer = 0;
  if (frame.details != nullptr) {
    items_.enter(variable, frame);
    to.to_stack_pointer = Capture::elsewhere;
    return;
  }
  const auto below = static_cast<std::int64_t>(variable - call.stack_pointer);
  const auto above = static_cast<std::int64_t>(call.frame_pointer - variable);
  if (call.pc != execution_.calls().pc(made.creation) || !std::in_range<std::int32_t>(below)) return;
  to.to_stack_pointer = static_cast<std::int32_t>(below);
  if (std::in_range<std::int32_t>(above)) to.to_frame_pointer = static_cast<std::int32_t>(above);
}

StackFrame MissingTaskwait::frame_of(const Capture& c) const {
  if (c.to_stack_pointer == Capture::elsewhere) return items_.find(c.variable);
  if (c.to_stack_pointer < 0) return {};
  const auto from = [&](std::int32_t distance) { return c.variable + static_cast<Address>(std::int64_t{distance}); };
  return {{execution_.calls().pc(c.child->creation), from(-c.to_stack_pointer), from(c.to_frame_pointer)}, nullptr};
}

void MissingTaskwait::created(access::ThreadState& thread, Task& made, std::span<const Address> captures,
                              const CallFrame& call, std::span<const StackFrame> frames) {
  Task* const parent = made.undeferred ? nullptr : made.parent();
  if (parent == nullptr) return;
  Task& creator = *parent;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const Address variable = captures[i];
    const bool own = in_own_frames(thread, creator, variable);
    if (!own && !creator.captures) continue; // no ancestor's either, as far as captures say
    UsedByChildren& used = own ? use(thread, creator, variable) : execution_.use(thread, creator);
    auto place = used.captures.begin();
    while (place != used.captures.end() - 1 && place->child != nullptr && place->variable != variable) ++place;
    if (!own && place->child != nullptr && place->variable != variable) continue;
    constructs::Execution::retain_capture(made);
    made.captures = true;
    Task* const earlier = place->child;
    if (own) {
      capture(*place, variable, made, call, i < frames.size() ? frames[i] : StackFrame{});
    } else {
      *place = {variable, &made, Capture::of_ancestor, 0};
      used.of_ancestors = true;
    }
    if (earlier != nullptr) execution_.drop_capture(thread, creator, earlier);
  }
}

void MissingTaskwait::declared(access::ThreadState& thread, Task& made) {
  if (made.parent() == nullptr) return;
  Task& creator = *made.parent();
  for (const Dependence d : made.depend.items())
    if (in_own_frames(thread, creator, d.address)) use(thread, creator, d.address);
}

void MissingTaskwait::frames_gone(access::ThreadState& thread, Task& creator, Address stack_pointer, ContextId place,
                                  bool region_ends) {
  UsedByChildren& used = *creator.used();
  used.lowest = stack_pointer;
  if (const constructs::DependenceMap* const siblings = creator.now().siblings.get())
    siblings->below(stack_pointer, [&](Address v, Task* child) {
      if (!region_ends || !child->reaches_no_frame) outlived(creator, *child, v, true, items_.find(v), place);
    });
  for (UsedByChildren::Capture& c : used.captures) {
    if (c.child == nullptr || !c.is_own() || c.variable >= stack_pointer) continue;
    outlived(creator, *c.child, c.variable, false, frame_of(c), place);
    execution_.drop_capture(thread, creator, std::exchange(c.child, nullptr));
  }
}

bool MissingTaskwait::variable_gone(access::ThreadState& thread, Task& creator, Address variable, std::size_t size,
                                    ContextId place) {
  bool used = false;
  for (UsedByChildren::Capture& c : creator.used()->captures) {
    if (c.child == nullptr || !c.is_own() || c.variable < variable || c.variable >= variable + size) continue;
    used = true;
    outlived(creator, *c.child, c.variable, false, frame_of(c), place);
    execution_.drop_capture(thread, creator, std::exchange(c.child, nullptr));
  }
  return used;
}

void MissingTaskwait::outlived(Task& creator, Task& child, Address variable, bool named, const StackFrame& frame,
                               ContextId place) {
  // A wait for a task releases its captures; one that did nothing since has no strand to tell its order by.
  if (execution_.ended_before(child, creator) && (named || child.last() != StrandId::none)) return;
  // It may have told the creator that it is done with the variable: its accesses decide.
  if (told_of(child, creator)) return;
  const access::CallTree& calls = execution_.calls();
  reporter_.report({Rule::missing_taskwait, calls.pc(child.creation), 0}, [&] {
    Finding f = use_of_frame(calls, child.creation, variable, child.depend.items(), child.parent() == &creator, named);
    f.object.thread = creator.thread();
    const access::Frame& function = creator.used()->frame;
    if (function.body != 0 && variable >= function.stack_pointer && variable < function.frame_pointer) {
      f.object.frame_pointer = function.frame_pointer;
      f.object.stack_pointer = function.stack_pointer;
      f.object.origin.push_back(function.body);
    }
    if (frame.call.known()) f.stack_variables.push_back({variable, frame});
    if (place != ContextId::none)
      f.steps.push_back({"the frame is gone by here, and nothing waited for the task", calls.stack(place)});
    else
      f.steps.push_back({"the frame is gone when its task has ended, and nothing waited for the task", {}});
    return f;
  });
}

// Who is no descendant has the address from hand to hand; what keeps it from using it later nobody knows.
access::Repeats MissingTaskwait::race(const access::Race& race) {
  const order::StrandTables& tables = execution_.tables();
  const access::CallTree& calls = execution_.calls();
  const bool returns_later = calls.is_returning(race.later_site);
  const order::RecordId user = returns_later ? race.earlier_task : race.later_task,
                        owner = returns_later ? race.later_task : race.earlier_task;
  order::RecordId above = tables.task(user).parent;
  const bool is_child = above != order::RecordId::none && tables.task(above).id == tables.task(owner).id;
  while (above != order::RecordId::none && tables.task(above).id != tables.task(owner).id)
    above = tables.task(above).parent;
  const order::TaskRecord& task = tables.task(user);
  if (above == order::RecordId::none || task.kind != TaskKind::explicit_ || race.predicted)
    return access::Repeats::none;
  reporter_.report({Rule::missing_taskwait, calls.pc(task.creation), 0}, [&] {
    Finding f = use_of_frame(calls, task.creation, race.address, tables.dependences_of(user), is_child, false);
    // Later on, the frame that is found there is another one.
    if (returns_later) {
      f.object = describe_stack(execution_, race.address);
      f.object.kind = ObjectKind::stack;
    }
    f.steps.push_back(
        {"the task uses the memory here", calls.stack(returns_later ? race.earlier_site : race.later_site)});
    f.steps.push_back({"the frame is gone by here, and nothing waited for the task",
                       calls.stack(returns_later ? race.later_site : race.earlier_site)});
    return f;
  });
  return access::Repeats::none;
}

} // namespace fletcher::rules
