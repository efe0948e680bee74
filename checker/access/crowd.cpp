// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/crowd.hpp"

#include "checker/access/check.hpp"

namespace fletcher::access {

// Without locks on either side, and concurrent.
bool RaceCheck::meets_reader(ThreadState& thread, StrandId reader) {
  if (thread.in_checker || tables_.block_of(reader).lockset != LocksetId::empty ||
      tables_.block_of(thread.strand()).lockset != LocksetId::empty)
    return false;
  if (!thread.was_concurrent(reader)) {
    const InChecker inside(thread);
    if (!still_concurrent(thread, reader)) return false;
  }
  if (is_of_leaf(reader)) thread.found_beside(reader);
  return true;
}

void RaceCheck::read_in_crowd(ThreadState& thread, Address granule, Cell first, Cell now) noexcept {
  std::uint64_t* const cells = shadow_.row(0, granule);
  if (!told_further(thread, cells, first, Cell::strand_part(now.strand()), Cell::need(now.kind(), now.mask())))
    put(thread, cells, first.raw(), now.with_crowd());
}

} // namespace fletcher::access
