// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to make of a runtime's deviations.

#include "lib/ompt/quirks/quirks.hpp"

#include "lib/ompt/quirks/gathering.hpp"

namespace fletcher::ompt::quirks {

bool is_hidden_helper_region(const Local& here, TaskId encountering, const void* codeptr_ra) noexcept {
  return is_in_runtime(code(codeptr_ra)) && here.frame == &here.root && encountering == here.root.task;
}

TeamId league_of_initial_task(const Local& here, const ompt_data_t* parallel_data) noexcept {
  if (here.begun_league) return here.begun;
  const Tag tag = Tag::of(parallel_data);
  return tag.has(Tag::league) ? tag.team() : TeamId::none;
}

SyncKind barrier_kind(ompt_sync_region_t kind, const Local& here, const void* codeptr_ra) noexcept {
  constexpr int barrier = 1, barrier_implicit = 2; // deprecated names
  switch (static_cast<int>(kind)) {
  case barrier:
  case ompt_sync_region_barrier_explicit:
    return SyncKind::barrier_explicit;
  case barrier_implicit:
    return codeptr_ra == nullptr || (here.frame != nullptr && here.frame->primary && code(codeptr_ra) == here.frame->pc)
               ? SyncKind::barrier_parallel
               : SyncKind::barrier_workshare;
  case ompt_sync_region_barrier_implicit_workshare:
    return SyncKind::barrier_workshare;
  case ompt_sync_region_barrier_implicit_parallel:
    return SyncKind::barrier_parallel;
  case ompt_sync_region_barrier_teams:
    return SyncKind::barrier_teams;
  default:
    return here.frame != nullptr && gathering.member == here.frame ? SyncKind::gathering : SyncKind::barrier_internal;
  }
}

bool is_undeferred_flag_overloaded(const Local& here) noexcept {
  return here.frame == nullptr || here.frame->size == 1 || runtime.tasks_at_once;
}

DependenceType dependence_type(ompt_dependence_type_t type) noexcept {
  switch (type) {
  case ompt_dependence_type_in:
    return DependenceType::in;
  case ompt_dependence_type_out:
  case ompt_dependence_type_out_all_memory:
    return DependenceType::out;
  case ompt_dependence_type_mutexinoutset:
    return DependenceType::mutexinoutset;
  case ompt_dependence_type_inoutset:
    return DependenceType::inoutset;
  default:
    return DependenceType::inout;
  }
}

bool is_all_memory(const ompt_dependence_t& item) noexcept {
  return item.dependence_type == ompt_dependence_type_out_all_memory ||
         item.dependence_type == ompt_dependence_type_inout_all_memory || item.variable.ptr == nullptr;
}

} // namespace fletcher::ompt::quirks
