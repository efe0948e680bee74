// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the instructions of a call: directly to the runtime or to a stub of the linker, or through the table of
// addresses that the dynamic linker fills.

#include "lib/interpose/runtime_calls.hpp"

#include "lib/interpose/modules.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace fletcher::interpose {

#if defined(__x86_64__)

namespace {

template <class T> T read(Address at) noexcept {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
  return value;
}

/// The table entry that an instruction names relative to its end.
Address entry(Address end) noexcept {
  return read<Address>(end + static_cast<Address>(std::int64_t{read<std::int32_t>(end - 4)}));
}

bool is_entry_point(Address function) noexcept {
  Dl_info info{};
  return modules::is_runtime(function) && dladdr(reinterpret_cast<const void*>(function), &info) != 0 &&
         info.dli_sname != nullptr && std::string_view(info.dli_sname).starts_with("__kmpc_");
}

constexpr std::uint8_t call_relative = 0xe8, indirect = 0xff, through_call = 0x15, through_jump = 0x25, bnd = 0xf2;
constexpr std::uint32_t endbr64 = 0xfa1e0ff3;

} // namespace

bool is_call_of_the_runtime(Address pc) noexcept {
  if (read<std::uint8_t>(pc - 6) == indirect && read<std::uint8_t>(pc - 5) == through_call)
    return is_entry_point(entry(pc));
  if (read<std::uint8_t>(pc - 5) != call_relative) return false;
  Address target = pc + static_cast<Address>(std::int64_t{read<std::int32_t>(pc - 4)});
  if (modules::is_runtime(target)) return is_entry_point(target);
  if (read<std::uint32_t>(target) == endbr64) target += 4;
  if (read<std::uint8_t>(target) == bnd) ++target;
  if (read<std::uint8_t>(target) != indirect || read<std::uint8_t>(target + 1) != through_jump) return false;
  return is_entry_point(entry(target + 6));
}

#else

bool is_call_of_the_runtime(Address) noexcept { return false; }

#endif

bool are_calls_of_the_runtime(const Finding& finding) noexcept {
  return std::all_of(finding.steps.begin(), finding.steps.end(), [](const Step& step) {
    return !step.stack.empty() && is_call_of_the_runtime(step.stack.front());
  });
}

} // namespace fletcher::interpose
