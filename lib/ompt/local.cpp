// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chain of frames of a thread.

#include "lib/ompt/local.hpp"

#include <cstddef>
#include <new>

namespace fletcher::ompt {

Frame& enter_frame(Local& here) {
  if (here.frame == nullptr) here.frame = &here.root;
  Frame* const outer = here.frame;
  if (outer->inner == nullptr) outer->inner = new Frame;
  Frame& frame = *outer->inner;
  Frame* const inner = frame.inner;
  frame = Frame{};
  frame.inner = inner;
  frame.outer = outer;
  here.frame = &frame;
  return frame;
}

void leave_frame(Local& here) noexcept {
  if (here.frame != nullptr && here.frame->outer != nullptr) here.frame = here.frame->outer;
}

void reset_frames(Local& here) noexcept {
  here.frame = &here.root;
  here.begun = here.ended = TeamId::none;
  here.begun_league = false;
  here.taskloop_depth = 0;
}

void first_callback() {
  // A thread that never began as far as the runtime has reported, for instance one that only calls omp_fulfill_event.
  tool::attach_thread(TaskKind::foreign);
}

const ompt_frame_t* ask_frame_of_running_task(const ompt_data_t* data) noexcept {
  ompt_frame_t* frame = nullptr;
  ompt_data_t* own = nullptr;
  if (runtime.get_task_info == nullptr || runtime.get_task_info(0, nullptr, &own, &frame, nullptr, nullptr) != 2)
    return nullptr;
  if (frame != nullptr && data != nullptr && own == data)
    from_data_to_frame.store(reinterpret_cast<const char*>(frame) - reinterpret_cast<const char*>(data),
                             std::memory_order_relaxed);
  return frame;
}

} // namespace fletcher::ompt
