// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of functions' frames at a call that they make, by which debug information finds their variables.
#pragma once

#include "checker/ids.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace fletcher {

struct CallFrame {
  Address pc = 0;            ///< where the call returns to; 0: nothing is known
  Address stack_pointer = 0; ///< of the caller before the call: its frame is above
  Address frame_pointer = 0; ///< the frame pointer's register, whatever the caller uses it for

  bool known() const noexcept { return pc != 0; }
  friend bool operator==(const CallFrame&, const CallFrame&) = default;
};

/// What an unwinder found of a frame beyond that.
struct FrameDetails {
  Address end = 0; ///< the canonical frame address: the caller's frame is above
  /// rbx, r12, r13, r14, r15 as the frame's function had them at the call; empty where that is not known.
  std::vector<Address> registers;
  Address memory_begin = 0; ///< where `memory` was read
  /// The words next to the frame's end, if it has a frame pointer: a function whose frame has no constant size keeps
  /// there where its variables are.
  std::vector<Address> memory;

  friend bool operator==(const FrameDetails&, const FrameDetails&) = default;
};

struct StackFrame {
  CallFrame call;
  std::shared_ptr<const FrameDetails> details; ///< null where only the call is known
};

/// The frames of one stack at a call, innermost first and one above the other, all with details.
struct StackWalk {
  std::vector<StackFrame> frames;

  /// The one that has `address`; null for none. O(log frames).
  const StackFrame* around(Address address) const noexcept {
    const auto after = std::upper_bound(frames.begin(), frames.end(), address,
                                        [](Address a, const StackFrame& f) { return a < f.call.stack_pointer; });
    if (after == frames.begin()) return nullptr;
    const StackFrame& frame = *std::prev(after);
    return address < frame.details->end ? &frame : nullptr;
  }
};

} // namespace fletcher
