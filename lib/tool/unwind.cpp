// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/unwind.hpp"

#include "lib/tool/thread.hpp"

#include <unwind.h>

namespace fletcher::tool {

namespace {

constexpr int rbp = 6; // DWARF's number for x86-64
constexpr unsigned most_frames = 256;

struct Walk {
  Address address;
  CallFrame last, found;
  unsigned frames = 0;
};

// A frame's canonical address is where its function's stack ends at the call that it makes.
_Unwind_Reason_Code step(_Unwind_Context* context, void* walk_) noexcept {
  Walk& walk = *static_cast<Walk*>(walk_);
  const CallFrame now{_Unwind_GetIP(context), _Unwind_GetCFA(context), _Unwind_GetGR(context, rbp)};
  if (now.stack_pointer > walk.address) {
    walk.found = walk.last;
    return _URC_END_OF_STACK;
  }
  walk.last = now;
  return ++walk.frames < most_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

} // namespace

CallFrame call_around(Address address) noexcept {
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0));
  if (address < here || address >= current_stack.high) return {};
  Walk walk{address, {}, {}};
  _Unwind_Backtrace(step, &walk);
  return walk.found;
}

} // namespace fletcher::tool
