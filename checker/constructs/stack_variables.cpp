// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/stack_variables.hpp"

namespace fletcher::constructs {

namespace {
/// `task`, or an explicit one around it, has a depend clause with `variable`.
bool names_itself(const Task& task, Address variable) {
  for (const Task* t = &task; t != nullptr; t = t->parent())
    for (const Dependence d : t->depend.items())
      if (d.address == variable) return true;
  return false;
}
} // namespace

StackFrame frame_around(const Execution& execution, const access::ThreadState& thread, const Task& creator,
                        const CallFrame& call, Address variable) {
  CallFrame nearest;
  const auto consider = [&](const CallFrame& frame, Address stack_end) {
    if (frame.known() && frame.stack_pointer <= variable && variable < stack_end &&
        frame.stack_pointer > nearest.stack_pointer)
      nearest = frame;
  };
  const Address own_end = creator.now().stack_base; // of an explicit task, which stands on frames of others
  consider(call, own_end != 0 ? own_end : thread.stack_high);
  for (const Task* t = &creator; t != nullptr; t = t->parent()) {
    if (t->kind != TaskKind::implicit) continue;
    const access::ThreadState* const own = t == &creator ? nullptr : execution.known_thread(t->thread());
    if (own != nullptr && t->rare_if_any() != nullptr) {
      const LatestFrame& latest = t->rare_if_any()->frame;
      if (const auto walk = latest.walk())
        if (const StackFrame* const exact = walk->around(variable)) return *exact;
      consider(latest.read(), own->stack_high);
    }
    const Team* const team = t->team();
    if (team == nullptr) continue;
    if (team->walk != nullptr)
      if (const StackFrame* const exact = team->walk->around(variable)) return *exact;
    consider(team->call, team->stack_high);
  }
  return {nearest, nullptr};
}

void keep_frames(StackVariables& items, const Execution& execution, const access::ThreadState& thread,
                 const Task& creator, std::span<const Dependence> list, const CallFrame& call,
                 std::span<const StackFrame> frames) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Dependence& d = list[i];
    if (d.permanent || d.all_memory) continue;
    const bool certain = i < frames.size() && frames[i].details != nullptr;
    if (const StackFrame frame = certain ? frames[i] : frame_around(execution, thread, creator, call, d.address);
        frame.call.known())
      items.enter(d.address, frame);
    else if (!names_itself(creator, d.address)) // else its own creator has reported it
      items.forget(d.address);
  }
}

} // namespace fletcher::constructs
