// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/unfounded.hpp"

#include "lib/interpose/memory/memory_map.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/findings/chosen_values.hpp"

#include <dlfcn.h>
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

/// A read without a line of its own in the source, of a variable that the function writes: the compiler reads it before
/// the loop or the branch that the write is in, to which the program may never come. (Of a part of an array it reads
/// what the program does, and only earlier.)
bool is_made_by_compiler(const PrintedAccess& read, const PrintedAccess& other, const PrintedRace& race,
                         const Finding& finding) {
  if (read.write || read.atomic || !other.write || read.frames.empty() || other.frames.empty()) return false;
  const bool without_place = read.frames.front().has_file && !read.frames.front().has_line;
  return without_place && other.frames.front().has_line && race.variable_size == read.size &&
         function_of(finding.accesses[0].stack.front()) == function_of(finding.accesses[1].stack.front());
}

} // namespace

bool may_be_unfounded(const PrintedRace& race, const Finding& finding) {
  if (finding.accesses[0].stack.empty() || finding.accesses[1].stack.empty()) return false;
  static const auto* const memory = new interpose::ProcessMemory; // used until the very end
  return tool::may_be_unread(finding) || memory->is_cxx_library(finding.accesses.front().address) ||
         is_made_by_compiler(race.later, race.earlier, race, finding) ||
         is_made_by_compiler(race.earlier, race.later, race, finding) ||
         std::ranges::any_of(finding.accesses, [](const auto& access) { return is_near_fence(access.stack); });
}

} // namespace fletcher::annotate
