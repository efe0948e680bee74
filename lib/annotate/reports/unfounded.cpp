// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/unfounded.hpp"

#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/memory/memory_map.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/findings/chosen_values.hpp"
#include "lib/tool/process/call_target.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fletcher::annotate {

namespace {

Address function_of(Address pc) noexcept {
  return reinterpret_cast<Address>(_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(pc)));
}

#if defined(__x86_64__)

/// Whether `accept` is true of a function that the one at `begin` calls directly.
template <class Accept> bool calls(Address begin, Accept accept) {
  constexpr std::uint8_t call = 0xe8;
  constexpr Address length = 5, piece = 64, longest = Address{1} << 16;
  for (Address at = begin; at < begin + longest; ++at) {
    if (at % piece == 0 && function_of(at + 1) != begin) return false;
    if (*reinterpret_cast<const std::uint8_t*>(at) != call) continue;
    std::int32_t distance = 0;
    std::memcpy(&distance, reinterpret_cast<const void*>(at + 1), sizeof distance);
    if (accept(at + length + static_cast<Address>(static_cast<std::int64_t>(distance)))) return true;
  }
  return false;
}

#else

bool calls(Address, const auto&) noexcept { return false; }

#endif

/// In the functions around the access, or one that they call: that of a lock made of atomics.
bool is_near_fence(const Stack& stack) {
  void* const found = dlsym(RTLD_DEFAULT, "__tsan_atomic_thread_fence");
  if (found == nullptr || interpose::is_own(found)) return false;
  const auto fence = reinterpret_cast<Address>(found);
  const auto is_fence = [&](Address callee) { return callee == fence; };
  const auto has_fence = [&](Address callee) {
    return is_fence(callee) || (interpose::in_one_module(reinterpret_cast<void*>(callee), found) &&
                                function_of(callee + 1) == callee && calls(callee, is_fence));
  };
  constexpr std::ptrdiff_t frames = 4;
  const auto last = stack.begin() + std::min<std::ptrdiff_t>(frames, std::ssize(stack));
  return std::any_of(stack.begin(), last, [&](Address pc) {
    const Address function = function_of(pc);
    return function != 0 && interpose::in_one_module(reinterpret_cast<void*>(function), found) &&
           calls(function, has_fence);
  });
}

/// ThreadSanitizer sees all that it does.
bool is_seen(Address code) {
  static void* const sanitizer = dlsym(RTLD_DEFAULT, "__tsan_init");
  return interpose::modules::is_instrumented(code) ||
         (sanitizer != nullptr && interpose::in_one_module(reinterpret_cast<void*>(code), sanitizer));
}

bool is_libc(Address code) {
  static auto* const of_libc = reinterpret_cast<void*>(&gnu_get_libc_version);
  return interpose::in_one_module(reinterpret_cast<void*>(code), of_libc);
}

/// By a library, which may have an order of its own that ThreadSanitizer does not see; or the end of what a library
/// counts the users of, as an exception: then it is one of the callers, or one of the calls goes there.
bool is_by_library(const AccessDescription& access) {
  const Stack& stack = access.stack;
  if (!is_seen(stack.front())) return true;
  if (access.type != AccessType::free) return false;
  const auto goes_to_library = [](Address return_address) {
    const auto function = tool::call_target(return_address);
    return function && !is_seen(*function);
  };
  return goes_to_library(stack.front() + 1) || std::any_of(stack.begin() + 1, stack.end(), goes_to_library) ||
         !std::ranges::all_of(stack, [](Address code) { return is_seen(code) || is_libc(code); }); // that calls main
}

} // namespace

bool may_be_unfounded(const Finding& finding) {
  if (finding.accesses[0].stack.empty() || finding.accesses[1].stack.empty()) return false;
  static const auto* const memory = new interpose::ProcessMemory; // used until the very end
  return tool::may_be_unread(finding) || memory->is_cxx_library(finding.accesses.front().address) ||
         std::ranges::any_of(finding.accesses, [](const AccessDescription& access) {
           return is_near_fence(access.stack) || is_by_library(access);
         });
}

} // namespace fletcher::annotate
