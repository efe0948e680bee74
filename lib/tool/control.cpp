// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of omp_control_tool.

#include "lib/tool/control.hpp"

#include "lib/tool/findings/delivery.hpp"

namespace fletcher::tool::control {

namespace {
constinit std::atomic<bool> ended{false};
}

void take_over() noexcept {
  this_thread.paused = !this_thread.paused;
  if (this_thread.attached == nullptr) return;
  this_thread.paused ? this_thread.attached->switch_off() : this_thread.attached->switch_on();
}

int command(int number) {
  if (ended.load()) return ignored;
  switch (static_cast<Command>(number)) {
  case Command::start:
    paused = false;
    return success;
  case Command::pause:
    paused = true;
    return success;
  case Command::flush:
    deliver(Occasion::flush);
    return success;
  case Command::end:
    if (ended.exchange(true)) return ignored;
    deliver(Occasion::flush);
    paused = true;
    return success;
  }
  return ignored;
}

} // namespace fletcher::tool::control
