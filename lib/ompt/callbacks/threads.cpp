// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of the runtime: thread_begin and thread_end.

#include "lib/ompt/local.hpp"
#include "lib/ompt/unwind.hpp"

#include <array>

namespace fletcher::ompt {

namespace {

void on_thread_begin(ompt_thread_t type, ompt_data_t*) {
  reset_frames(local);
  local.hidden_helper = false;
  // A thread that is known already (an instrumented program's first one, a forked child's) goes on with its task.
  if (type == ompt_thread_worker)
    tool::attach_worker();
  else
    tool::attach_thread(TaskKind::initial);
  local.root.task = tool::this_thread.place.task;
  const Entered at;
}

void on_thread_end(ompt_data_t*) {
  reset_frames(local);
  free_walks();
  tool::detach_thread();
}

} // namespace

std::span<const Callback> thread_callbacks() {
  static const std::array list{
      Callback{ompt_callback_thread_begin, as_callback<ompt_callback_thread_begin_t>(on_thread_begin), "thread_begin"},
      Callback{ompt_callback_thread_end, as_callback<ompt_callback_thread_end_t>(on_thread_end), "thread_end"},
  };
  return list;
}

} // namespace fletcher::ompt
