// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every member of a team does. Where a team has one member and the program leaves its size open, the members of a
// larger one would make the same accesses, not ordered with each other: a plain write to memory of the team races with
// its like. So from the region's begin up to the first construct that gives a member work of its own, and only while
// the thread cannot know which one it is, as for units of work (work.cpp). The section of a lock need not tell it that:
// if what is read there goes on by memory only (lib/pass/doubts/kept_inside), it is followed whether the member reads
// outside what it wrote there in memory that may be its own.
#pragma once

#include "checker/access/watcher.hpp"
#include "checker/constructs/tasks/task.hpp"

namespace fletcher::constructs {

class EveryMember final : public access::Watcher {
public:
  void accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind, Address pc,
                bool whole) override;

private:
  static void follow(access::ThreadState& thread, KeptInside& kept, Address address, std::size_t size,
                     access::Kind kind);
};

} // namespace fletcher::constructs
