// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentences of advice.
#include "checker/advise/advice.hpp"

namespace fletcher::advise {

namespace {

std::string clause(DependenceType type) {
  return type == DependenceType::in ? "in" : type == DependenceType::out ? "out" : "inout";
}

std::string message(const Advice& advice) {
  constexpr const char* still = "all conflicting accesses would still be ordered";
  switch (advice.kind) {
  case Advice::Kind::unused_item:
    return "no task created here accessed {object}, which its depend(" + clause(advice.type) +
           ") names, and without it " + still;
  case Advice::Kind::idle_item:
    return "depend(" + clause(advice.type) + ") with {object} ordered no conflicting accesses to it, and without it " +
           still;
  case Advice::Kind::idle_wait:
    return std::string("without this taskwait ") + still;
  case Advice::Kind::idle_barrier:
    return std::string("without this barrier ") + still;
  case Advice::Kind::idle_end:
    return std::string("without the barrier at the end of this construct ") + still;
  case Advice::Kind::lone_lock:
    return std::string(advice.mutex.kind == MutexKind::critical ? "this critical construct" : "this lock") +
           " separated no two tasks: no other task could use the same data at the same time";
  case Advice::Kind::lone_atomic:
    return "this atomic operation was on data that no other task could use at the same time";
  }
  return "";
}

std::string change(const Advice& advice) {
  switch (advice.kind) {
  case Advice::Kind::unused_item:
  case Advice::Kind::idle_item:
    return "if other inputs do not need it either, remove the item from the depend clause";
  case Advice::Kind::idle_wait:
    return "if other inputs do not need it either, remove the taskwait";
  case Advice::Kind::idle_barrier:
    return "if other inputs do not need it either, remove the barrier";
  case Advice::Kind::idle_end:
    return "if other inputs do not need it either, add nowait to the construct";
  case Advice::Kind::lone_lock:
    return "if other inputs do not need it either, access the data without the lock";
  case Advice::Kind::lone_atomic:
    return "if other inputs do not need it either, remove the atomic directive";
  }
  return "";
}

} // namespace

Finding finding(const Advice& advice) {
  Finding f;
  f.rule = Rule::not_needed;
  f.severity = Severity::note;
  f.message = message(advice);
  f.fix = change(advice);
  if (advice.object != 0)
    f.accesses.push_back({.address = advice.object, .stack = {advice.pc}, .tasks = {}, .locks = {}, .declared = {}});
  else
    f.steps.push_back({"", {advice.pc}});
  return f;
}

} // namespace fletcher::advise
