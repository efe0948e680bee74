// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/declared_accesses.hpp"

#include "checker/constructs/dependences.hpp"
#include "checker/rules/describe.hpp"

#include <algorithm>

namespace fletcher::rules {

namespace {

bool is_set(DependenceType t) { return t == DependenceType::mutexinoutset || t == DependenceType::inoutset; }
bool conflict_types(DependenceType a, DependenceType b) {
  if (a == DependenceType::in && b == DependenceType::in) return false;
  return !(is_set(a) && a == b);
}
const char* word(DependenceType t) {
  switch (t) {
  case DependenceType::in:
    return "in";
  case DependenceType::out:
    return "out";
  case DependenceType::inout:
    return "inout";
  case DependenceType::mutexinoutset:
    return "mutexinoutset";
  case DependenceType::inoutset:
    break;
  }
  return "inoutset";
}
/// Which access a declaration stands for in a description.
access::Kind kind_of(DependenceType t) { return t == DependenceType::in ? access::Kind::read : access::Kind::write; }

// Concurrent declarations of one address: beyond this many, the oldest give way.
constexpr std::size_t remembered = 8;

} // namespace

void DeclaredAccesses::conflict(const Declaration& earlier, const Declaration& later, Address address) {
  const access::CallTree& calls = execution_.calls();
  const Address a = calls.pc(later.creation), b = calls.pc(earlier.creation);
  reporter_.report({Rule::non_sibling_dependence, std::min(a, b), std::max(a, b)}, [&] {
    Finding f;
    f.rule = Rule::non_sibling_dependence;
    f.severity = Severity::error;
    f.cause = Cause::non_sibling_dependence;
    f.message = std::string("depend(") + word(later.type) + ") and depend(" + word(earlier.type) +
                ") name the same storage, but the tasks have different parents: dependences order siblings only";
    f.accesses.push_back(describe(execution_, later.strand, later.creation, kind_of(later.type), address, 1));
    f.accesses.push_back(describe(execution_, earlier.strand, earlier.creation, kind_of(earlier.type), address, 1));
    f.fix = "taskwait or taskgroup in the parent of one of them";
    return f;
  });
}

void DeclaredAccesses::started(access::ThreadState& thread, constructs::Task& task) {
  if (task.declared.empty() || task.parent == nullptr) return;
  if (thread.strand == StrandId::none && !constructs::open_strand(thread)) return;
  const std::uint32_t generation = execution_.horizon_generation();
  for (const Dependence& d : task.declared) {
    if (d.all_memory) continue; // orders siblings; names no storage of its own
    const Declaration mine{thread.strand, task.parent->id, d.type, task.creation};
    std::vector<Declaration> conflicts;
    {
      Shard& shard = shards_[(d.address >> 3 ^ d.address >> 9) % shards_.size()];
      const memory::SpinGuard guard(shard.lock);
      if (shard.generation != generation) {
        shard.declarations.clear(); // everything older comes before everything to come
        shard.generation = generation;
      }
      std::vector<Declaration>& known = shard.declarations[d.address];
      std::erase_if(known, [&](const Declaration& other) {
        const bool ordered = order::happens_before(execution_.tables(), other.strand, constructs::position(task));
        if (!ordered && other.parent != mine.parent && conflict_types(other.type, mine.type))
          conflicts.push_back(other);
        return ordered && (d.type != DependenceType::in || other.type == DependenceType::in);
      });
      if (known.size() == remembered) known.erase(known.begin());
      known.push_back(mine);
    }
    for (const Declaration& other : conflicts) conflict(other, mine, d.address);
  }
}

void DeclaredAccesses::declared(access::ThreadState& thread, constructs::Task& task, Address stack_pointer) {
  if (stack_pointer == 0 || task.parent == nullptr || thread.task != task.parent) return;
  for (const Dependence& d : task.declared)
    if (d.address >= stack_pointer && d.address < thread.stack_high) task.parent->siblings->names(d.address);
}

void DeclaredAccesses::frames_gone(access::ThreadState&, constructs::Task& creator, Address stack_pointer,
                                   ContextId place) {
  if (stack_pointer == 0 || creator.siblings == nullptr || creator.siblings->lowest_named() >= stack_pointer) return;
  creator.siblings->frames_gone(stack_pointer);
  creator.siblings->below(stack_pointer, [&](Address variable, constructs::Task* child) {
    if (child->complete.load(std::memory_order_acquire) &&
        (child->last == StrandId::none || number(child->last) < number(execution_.horizon()) ||
         order::happens_before(execution_.tables(), child->last, constructs::position(creator))))
      return;
    const access::CallTree& calls = execution_.calls();
    reporter_.report({Rule::missing_taskwait, calls.pc(child->creation), 0}, [&] {
      Finding f;
      f.rule = Rule::missing_taskwait;
      f.severity = Severity::error;
      f.cause = Cause::task_outlives_frame;
      f.message = "a task names a variable of a function that returns without waiting for the task";
      f.accesses.push_back({.type = AccessType::write,
                            .address = variable,
                            .size = 0,
                            .stack = calls.stack(child->creation),
                            .tasks = {},
                            .locks = {},
                            .declared = {child->declared.begin(), child->declared.end()}});
      if (place != ContextId::none)
        f.steps.push_back({"the frame is gone by here, and nothing waited for the task", calls.stack(place)});
      f.fix = "taskwait";
      return f;
    });
  });
}

} // namespace fletcher::rules
