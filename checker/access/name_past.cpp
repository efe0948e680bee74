// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which strands shadow memory, prediction and the memories of threads may still ask about (order/sweep.hpp).
#include "checker/access/race_check.hpp"

#include <algorithm>

namespace fletcher::access {

void RaceCheck::name_past(order::Sweep& sweep, StrandId horizon) {
  prediction_.log().name_past(sweep);
  if (sweep.forgets()) return;    // cells name nothing else
  StrandId last = StrandId::none; // neighbours mostly have the same
  shadow_.each_cell(horizon, [&](Cell cell) {
    if (cell.strand() == last) return;
    last = cell.strand();
    sweep.needs(last);
  });
}

// What a memory holds must not come to mean another strand. (Of the strands that are compared with `past_since` or lie
// between a loop's units only the numbers matter, which are its own task's.)
void ThreadState::name_past(order::Sweep& sweep) {
  sweep.knows(own_memory.told);
  for (const StrandId its : {strand_, past_since, next_past_since, resting, tested_at, alike.first()}) sweep.needs(its);
  if (units_since != StrandId::none) sweep.needs(units_since, std::max(units_end, units_since));
  sweep.needs(read_at_rest.resting);
  sweep.needs(indices);
  const auto of_turn = [&](std::uint64_t found) {
    if (found >> 32 == turn) sweep.needs(StrandId{static_cast<std::uint32_t>(found)});
  };
  for (const std::uint64_t found : ordered) of_turn(found);
  for (const std::uint64_t found : reads_from) of_turn(found);
  read_again.fill(0);
  const auto past = [&](std::uint32_t since) {
    if ((since & shared_past) == 0) sweep.needs(StrandId{since});
  };
  for (const std::uint64_t found : in_crowd) {
    past(static_cast<std::uint32_t>(found >> 32));
    sweep.needs(StrandId{static_cast<std::uint32_t>(found)});
  }
  for (const Concurrent& memo : concurrent) {
    sweep.needs(memo.chain);
    past(memo.since);
  }
  for (const Unrecorded& read : unrecorded) {
    sweep.needs(Cell(read.first).strand());
    sweep.needs(read.strand);
  }
  shared_accesses.each_strand([&](StrandId its) { sweep.needs(its); });
  joint_reads.each_strand([&](StrandId its) { sweep.needs(its); });
  for (const std::uint64_t joint : alike.joints)
    if (joint != Alike::no_joint) sweep.needs(Cell(joint).strand());
  for (const Settled& reads : settled) sweep.needs(Cell(reads.first).strand());
  decisions.each_cell([&](Cell cell) { sweep.needs(cell.strand()); });
}

} // namespace fletcher::access
