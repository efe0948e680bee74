// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether memory is there for every thread of a team alike: whichever thread executes a unit of work finds the same.
#pragma once

#include "checker/access/memory_map.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/constructs/teams/team.hpp"

namespace fletcher::rules {

/// False where it may be `member`'s own. `memory`: null where all but stacks is shared.
inline bool is_there_for_team(const constructs::Execution& execution, const access::MemoryMap* memory,
                              const constructs::Task& member, Address address) {
  if (constructs::is_in_frames_around(member, address)) return true;
  const access::ThreadState* const thread = execution.known_thread(member.thread());
  if (thread == nullptr || thread->in_tls(address) || execution.owner_of_stack(address) != nullptr) return false;
  return memory == nullptr || memory->around(address, member.thread()).shared;
}

} // namespace fletcher::rules
