// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In what the runs of `fletcher explore` differ: numbers of threads and teams, OMP_SCHEDULE, and a seed of delays, by
// which threads take locks and start tasks in other orders.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fletcher::cli {

struct Variation {
  std::map<std::string, std::string> environment;
  std::uint32_t delay = 0; ///< the library's option; 0: none
};

struct Ranges {
  std::vector<unsigned> threads;
  bool only_these = false; ///< also the first run has one of `threads`; else it has what the environment says
  std::uint32_t seed = 1;  ///< of the second run
};

/// Those that are tried unless the user says which.
std::vector<unsigned> usual_threads(unsigned processors);

/// What run `number` has; 0 is the first one, the plainest. Equal arguments have equal results.
Variation variation(std::size_t number, const Ranges& ranges);

} // namespace fletcher::cli
