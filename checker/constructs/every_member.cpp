// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/every_member.hpp"

#include "checker/access/race_check.hpp"
#include "checker/constructs/strand.hpp"

namespace fletcher::constructs {

void EveryMember::accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind,
                           Address pc, bool) {
  if (kind != access::Kind::write || thread.off > 0 || thread.task == nullptr) return;
  const Task& member = *thread.task;
  if (member.kind != TaskKind::implicit || member.team() == nullptr || member.team()->of_all != this) return;
  const Activation& now = member.now();
  if (now.lockset != LocksetId::empty || now.asked_thread_number || is_identified(thread)) return;
  thread.races->race_with_like(thread, address, size, pc);
}

} // namespace fletcher::constructs
