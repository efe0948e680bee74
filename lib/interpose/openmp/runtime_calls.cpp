// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/openmp/runtime_calls.hpp"

#include "lib/interpose/binding/modules.hpp"
#include "lib/tool/process/call_target.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

namespace fletcher::interpose {

namespace {

bool is_entry_point(Address function) noexcept {
  Dl_info info{};
  return modules::is_runtime(function) && dladdr(reinterpret_cast<const void*>(function), &info) != 0 &&
         info.dli_sname != nullptr && std::string_view(info.dli_sname).starts_with("__kmpc_");
}

} // namespace

bool is_call_of_the_runtime(Address pc) noexcept {
  const auto function = tool::call_target(pc);
  return function && is_entry_point(*function);
}

bool are_calls_of_the_runtime(const Finding& finding) noexcept {
  return std::all_of(finding.steps.begin(), finding.steps.end(), [](const Step& step) {
    return !step.stack.empty() && is_call_of_the_runtime(step.stack.front());
  });
}

} // namespace fletcher::interpose
