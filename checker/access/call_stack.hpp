// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow call stack of a thread: what function entry and exit push and pop. The calling-context node of a frame is
// found only when an access of that frame is recorded (call_tree.hpp), so entering a function costs three stores.
#pragma once

#include "checker/ids.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace fletcher::access {

struct Frame {
  Address pc = 0;                      ///< return address into the caller
  Address frame_pointer = 0;           ///< of the entered function, 0 where unknown
  ContextId context = ContextId::none; ///< filled lazily
  Address body = 0;                    ///< a pc in the entered function, 0 where unknown
  /// In the entered function's body, 0 where unknown: deeper frames have lower ones, also where no frame pointer is
  /// kept.
  Address stack_pointer = 0;
};

/// Grows upwards in memory that its owner reserved. A frame beyond the limit is counted but not kept, so that pushes
/// and pops stay balanced. Whatever is pushed and popped, begin() <= base() <= top(): who looks for a frame goes down
/// until base().
class CallStack {
public:
  void attach(Frame* begin, std::size_t capacity) noexcept {
    begin_ = base_ = top_ = begin;
    limit_ = begin + capacity;
  }
  void push(Address pc, Address frame_pointer, Address stack_pointer = 0, Address body = 0) noexcept {
    if (top_ == limit_) [[unlikely]] {
      ++overflow_;
      return;
    }
    lowest_ = stack_pointer - 1 < lowest_ - 1 ? stack_pointer : lowest_; // an unknown one, 0, is never lower
    Frame* const frame = top_++;
    std::atomic_signal_fence(std::memory_order_seq_cst); // the frames of a signal handler go above this one
    *frame = Frame{pc, frame_pointer, ContextId::none, body, stack_pointer};
  }
  void pop() noexcept {
    if (overflow_ != 0) [[unlikely]] {
      --overflow_;
      return;
    }
    if (top_ == base_) [[unlikely]] { // a task's function that was entered before the task began
      if (base_ == begin_) return;
      --base_;
    }
    --top_;
  }
  Frame* begin() const noexcept { return begin_; }
  /// The lowest stack pointer of a function entered since reset_lowest: what its frame holds may have been shared.
  Address lowest() const noexcept { return lowest_; }
  void reset_lowest(Address to) noexcept { lowest_ = to; }
  /// First frame of the running task; below are the frames of the tasks it interrupted.
  Frame* base() const noexcept { return base_; }
  Frame* top() const noexcept { return top_; }
  /// What the stacks of the running task begin with, in the calling-context tree: mostly nothing.
  ContextId root() const noexcept { return root_; }
  void set_root(ContextId root) noexcept { root_ = root; }
  /// A base in another stack (a task's that runs on, in a coroutine) is taken for the beginning of this one.
  void set_base(Frame* base) noexcept {
    const bool here = std::less_equal<>{}(begin_, base) && std::less_equal<>{}(base, limit_);
    base_ = here ? std::min(base, top_) : begin_;
  }
  /// Back to an earlier height (longjmp, exceptions, the end of a task).
  void unwind_to(Frame* top) noexcept {
    if (top <= top_ && top >= begin_) {
      top_ = top;
      base_ = std::min(base_, top);
      overflow_ = 0;
    }
  }

private:
  Frame* top_ = nullptr;
  Address lowest_ = ~Address{0};
  Frame* limit_ = nullptr;
  Frame* begin_ = nullptr;
  Frame* base_ = nullptr;
  std::uint32_t overflow_ = 0;
  ContextId root_ = ContextId::none;
};

} // namespace fletcher::access
