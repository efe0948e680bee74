// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every member of a team does. Where a team has one member and the program leaves its size open, the members of a
// larger one would make the same accesses, not ordered with each other: a plain write to memory of the team races with
// its like. So from the region's begin up to the first construct that gives a member work of its own, and only while
// the thread cannot know which one it is, as for units of work (work.cpp).
#pragma once

#include "checker/access/watcher.hpp"

namespace fletcher::constructs {

class EveryMember final : public access::Watcher {
public:
  void accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind, Address pc,
                bool whole) override;
};

} // namespace fletcher::constructs
