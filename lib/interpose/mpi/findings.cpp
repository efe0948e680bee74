// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/findings.hpp"

#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/ranks/done_by_others.hpp"
#include "lib/tool/process/call_target.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>
#include <utility>

namespace fletcher::interpose::mpi {

namespace {

/// The function that is called where `pc` is within the call; empty where that cannot be known.
std::string function_called(Address pc) {
  // A function that only other processes have called may have no address here yet.
  if (std::string other = operations::function_of_another(pc + 1); !other.empty()) return other;
  const auto function = tool::call_target(pc + 1);
  Dl_info info{};
  if (!function || dladdr(reinterpret_cast<const void*>(*function), &info) == 0 || info.dli_sname == nullptr) return {};
  const std::string_view name = info.dli_sname;
  if (name.starts_with("mpi_")) // Fortran's
    for (const std::string_view ending : {"_f08_", "_"})
      if (name.ends_with(ending)) return std::string(name.substr(0, name.size() - ending.size()));
  return name.starts_with("MPI_") ? std::string(name) : std::string();
}

} // namespace

void tell_calls(Finding& finding) {
  for (Step& step : finding.steps) {
    if (step.tasks.empty() || step.stack.empty() || step.tasks.front().kind != TaskKind::operation) continue;
    std::string call = function_called(step.stack.front());
    step.tasks.front().call = call.empty() ? "the operation" : std::move(call);
  }
  if (finding.cause != Cause::pending_operation) return;
  for (AccessDescription& access : finding.accesses) {
    if (access.tasks.empty() || access.stack.empty() || access.tasks.front().kind != TaskKind::operation) continue;
    TaskDescription& operation = access.tasks.front();
    operation.call = function_called(access.stack.front());
    if (operation.call.empty()) operation.call = "the operation";
    const Address completed = operations::completion_of(access.stack.front() + 1);
    const std::string what = access.type == AccessType::read ? " may read it" : " may write it";
    const std::string by = completed != 0 ? function_called(completed - 1) : std::string();
    const std::string message =
        completed == 0 ? operation.call + what + " forever: no call has completed it"
                       : operation.call + what + " until " + (by.empty() ? "it is completed" : by) + " here";
    finding.steps.push_back({.message = message, .stack = completed != 0 ? Stack{completed - 1} : access.stack});
  }
}

} // namespace fletcher::interpose::mpi
