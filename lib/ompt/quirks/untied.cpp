// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/quirks/untied.hpp"

#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/quirks/taskyield.hpp"

#include <utility>

namespace fletcher::ompt {

void detail::follow(const Entered& at, const ompt_data_t* told) {
  const TaskId running = quirks::resumed_task(at.here(), told);
  if (running == TaskId::none || running == at.task()) return;
  const TaskId left = std::exchange(at.place().task, running);
  listener->on(TaskSwitch{at.thread(), left, running, runtime.checks_accesses ? stack_of_running_task() : 0});
}

void detail::follow_runtime(const Entered& at) {
  ompt_data_t* task = nullptr;
  if (runtime.get_task_info == nullptr || runtime.get_task_info(0, nullptr, &task, nullptr, nullptr, nullptr) != 2)
    return;
  detail::follow(at, task);
}

void end_taskyield() {
  if (!untied_met.load(std::memory_order_relaxed)) return;
  const Entered at;
  detail::follow_runtime(at);
}

} // namespace fletcher::ompt
