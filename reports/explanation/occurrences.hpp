// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of several runs found what, and the runs themselves, in few words: ranks, programs, numbers of threads.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// "0-3, 7". In ascending order, each once.
std::string ranges(std::vector<std::uint64_t> numbers);

/// "seen by ranks 0-3 of 8 processes, with 4 threads"; where runs were started in different ways, "seen in 3 of 20
/// runs, with 2-4 threads, first by: OMP_NUM_THREADS=3 fletcher run -- ./app". Empty where there is one run only.
std::string seen_by(const Diagnostic& diagnostic, const std::vector<Run>& runs);

/// Of runs that differ in nothing but rank, process and number of threads, one that stands for them.
struct RunGroup {
  const Run* run = nullptr;
  std::size_t processes = 1;
  std::string threads; ///< "4 threads", "1-4, 8 threads"; empty where unknown
  std::string ranks;   ///< "rank 2 of MPI_COMM_WORLD", "ranks 0-3 of MPI_COMM_WORLD"; empty where there are none
  std::vector<std::string> notes; ///< of all, each once
};
std::vector<RunGroup> grouped(const std::vector<Run>& runs);

} // namespace fletcher::reports
