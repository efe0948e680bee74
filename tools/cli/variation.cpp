// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/variation.hpp"

#include <algorithm>
#include <array>

namespace fletcher::cli {

std::vector<unsigned> usual_threads(unsigned processors) {
  std::vector<unsigned> out{2, 4, 3};
  if (processors > 1 && std::find(out.begin(), out.end(), processors) == out.end()) out.push_back(processors);
  return out;
}

// Each round through the numbers of threads begins one further, so that in time each of them meets all of the others.
// Two runs of three keep the program's schedule, three of four its teams: most programs have neither, and commands stay
// short.
Variation variation(std::size_t number, const Ranges& ranges) {
  constexpr std::array schedules{"dynamic,1", "static,1", "guided", "dynamic,4", "static"};
  constexpr std::array teams{"3", "1", "4"};
  Variation out;
  const auto set_threads = [&](std::size_t k) {
    const std::size_t count = ranges.threads.size();
    out.environment["OMP_NUM_THREADS"] = std::to_string(ranges.threads[(k + k / count) % count]);
  };
  if (number == 0) {
    if (ranges.only_these) set_threads(0);
    return out;
  }
  out.delay = ranges.seed + static_cast<std::uint32_t>(number - 1);
  set_threads(ranges.only_these ? number : number - 1);
  if (number % 3 == 2) out.environment["OMP_SCHEDULE"] = schedules[number / 3 % schedules.size()];
  if (number % 4 == 0) out.environment["OMP_NUM_TEAMS"] = teams[number / 4 % teams.size()];
  return out;
}

} // namespace fletcher::cli
