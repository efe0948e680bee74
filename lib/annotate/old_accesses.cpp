// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/old_accesses.hpp"

#include "lib/tool/thread.hpp"

#include <algorithm>

namespace fletcher::annotate {

namespace {

constexpr Address stack_to_forget = Address{1} << 16;

} // namespace

void forget_frames(const ThreadSanitizer& sanitizer, Asides& asides, const Task& task, Address end) {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  if (task.fiber != nullptr) end = task.fiber->stack;
  if (here < end)
    asides.by_short_stack(task, [&] { sanitizer.forget_accesses(here, std::min(end, here + stack_to_forget)); });
}

void forget_unused_stack(const ThreadSanitizer& sanitizer) {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  const Address low = tool::this_thread.stack.low;
  if (low < here) sanitizer.forget_accesses(std::max(low, here - std::min(here, stack_to_forget)), here);
}

} // namespace fletcher::annotate
