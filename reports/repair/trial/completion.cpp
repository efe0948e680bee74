// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races with pending operations of MPI: whether the call that completes the operation stands between its begin and the
// use of its buffer.
#include "reports/repair/mpi/late_completion.hpp"
#include "reports/repair/trial/versions.hpp"

namespace fletcher::reports {

std::optional<bool> operation_is_pending(const Diagnostic& race, const Version& version) {
  const auto recorded = late_completion(race, version.unedited().code());
  if (!recorded) return std::nullopt;
  const auto begun = version.line(recorded->begun), used = version.line(recorded->used),
             completed = version.line(recorded->completed);
  if (!begun || !used || !completed) return std::nullopt;
  const auto block = block_around(*completed, version.code());
  return !block || !(*begun < *completed && *completed < *used && block->contains(*used));
}

} // namespace fletcher::reports
