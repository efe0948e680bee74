// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames of the running thread's stack: asks the unwinder, as exceptions do. That takes about a microsecond for
// each frame, so walks are kept and used again, and are not made without limit.
#pragma once

#include "checker/call_frame.hpp"

#include <functional>
#include <memory>
#include <ranges>
#include <vector>

namespace fletcher::ompt {

/// The frame that has `address`. Unknown where that is not on this thread's stack above the caller's frame, or where a
/// function in between has no unwind information.
StackFrame frame_around(Address address) noexcept;

/// The frame that has `variable` at `call`, which a function makes right now on this thread. Where too many walks were
/// made or frames looked at for what was asked, and where the call alone tells all, that is the call's, without
/// details. Unknown where the variable is not on the stack above the call.
StackFrame frame_at(const CallFrame& call, Address variable) noexcept;

/// frame_at() would tell no more than the call. Mostly so, and then found out at once.
bool tells_all(const CallFrame& call, Address variable) noexcept;

/// The same for each element of `list`, whose variable is `address` of it; empty where none has details.
template <std::ranges::random_access_range List, class Projection>
std::vector<StackFrame> frames_at(const CallFrame& call, const List& list, Projection address) {
  std::vector<StackFrame> frames;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Address variable = std::invoke(address, list[i]);
    if (tells_all(call, variable)) continue;
    StackFrame frame = frame_at(call, variable);
    if (frame.details == nullptr) continue;
    frames.resize(list.size());
    frames[i] = std::move(frame);
  }
  return frames;
}

/// The frames from `call` outward. Null where that is not known, or where too many walks were made. Valid until this
/// thread's next call of these functions.
const std::shared_ptr<const StackWalk>& walk_from(const CallFrame& call) noexcept;

/// The thread ends: its walks are given back.
void free_walks() noexcept;

} // namespace fletcher::ompt
