// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of devices: target regions, data operations, kernels.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>

namespace fletcher {

enum class DeviceStep : std::uint8_t { initialize, finalize, load, unload };
struct DeviceEvent {
  DeviceStep step;
  std::uint64_t device = 0;
};
struct TargetRegion {
  ThreadId thread;
  TaskId task;
  bool begin = false;
  std::int32_t device = 0;
  Address pc = 0;
};
enum class DataOpKind : std::uint8_t {
  alloc,
  to_device,
  from_device,
  delete_,
  associate,
  disassociate,
  memset,
  host_change
};
/// `host_change`: what a variable of the device's has by now on the host is not what it was initialised to.
struct DataOp {
  ThreadId thread;
  TaskId task;
  DataOpKind kind;
  bool begin = false;
  Address source = 0;
  std::int32_t source_device = 0;
  Address target = 0;
  std::int32_t target_device = 0;
  std::size_t bytes = 0;
  Address pc = 0;
};
struct KernelSubmit {
  ThreadId thread;
  TaskId task;
  bool begin = false;
};

} // namespace fletcher
