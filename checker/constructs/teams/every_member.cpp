// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/teams/every_member.hpp"

#include "checker/access/race_check.hpp"
#include "checker/constructs/strand.hpp"
#include "checker/constructs/teams/team.hpp"

#include <algorithm>

namespace fletcher::constructs {

void EveryMember::accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind,
                           Address pc, bool) {
  if (thread.off > 0 || thread.task == nullptr) return;
  const Task& member = *thread.task;
  if (member.kind != TaskKind::implicit || member.team() == nullptr || member.team()->of_all != this) return;
  if (const Rare* const rare = member.rare_if_any(); rare != nullptr && rare->kept != nullptr)
    follow(thread, *rare->kept, address, size, kind);
  const Activation& now = member.now();
  if (kind != access::Kind::write) return;
  if (now.lockset != LocksetId::empty || now.asked_thread_number || is_identified(thread)) return;
  thread.races->race_with_like(thread, address, size, pc);
}

// A number that it drew in a section may lie where it writes in the section: who comes there again outside may read it.
void EveryMember::follow(access::ThreadState& thread, KeptInside& kept, Address address, std::size_t size,
                         access::Kind kind) {
  constexpr std::size_t most = 1u << 16;
  const Address last = address + std::max<std::size_t>(size, 1) - 1;
  if (thread.task->now().lockset == LocksetId::empty) {
    for (Address granule = address / 8; !kept.granules.empty() && granule <= last / 8; ++granule)
      if (kept.granules.contains(granule)) return goes_alone(thread);
  } else if (access::writes(kind) &&
             (thread.races->may_be_own(thread, address) || thread.races->may_be_own(thread, last))) {
    if (size / 8 + kept.granules.size() > most) return goes_alone(thread);
    for (Address granule = address / 8; granule <= last / 8; ++granule) kept.granules.insert(granule);
  }
}

} // namespace fletcher::constructs
