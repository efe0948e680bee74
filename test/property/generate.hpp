// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes random abstract programs. Every program is legal and ends under every schedule of the simulator.
#pragma once

#include "program.hpp"
#include "random.hpp"

namespace fletcher::property {

/// What may occur; chances in percent where not said otherwise.
struct GeneratorOptions {
  std::uint32_t budget = 40; ///< constructs, on average
  std::uint32_t variables = 3;
  std::uint32_t dependence_addresses = 3;
  unsigned locks = 15;
  unsigned work_under_locks = 0; ///< undeferred tasks and whole regions inside a lock or a mutexinoutset task
  unsigned atomics = 15;
  unsigned detach = 10;      ///< of tasks
  bool foreign_order = true; ///< release and acquire, fulfil by others: the order depends on the schedule
  bool cancel = true;
  bool loops = true;
  bool moving = true; ///< dynamic loops and single: which member does what depends on the schedule
  bool nested = true;
  bool serial_tasks = true; ///< explicit tasks outside any parallel region
};

Program generate(Random& random, const GeneratorOptions& options);

} // namespace fletcher::property
