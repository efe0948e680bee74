// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The points of what has an address in the program and no record of its own: locks and critical constructs, and objects
// by which threads order themselves without OpenMP.
#pragma once

#include "lib/annotate/records.hpp"

#include <map>
#include <tuple>

namespace fletcher::annotate {

/// Thread-safe. None of them ends.
class Points {
public:
  /// Of the tasks of one contention group; 0: of all.
  Lock& lock_of(const Mutex& mutex, unsigned contention_group) {
    const memory::SpinGuard guard(lock_);
    return locks_.try_emplace({mutex.kind, mutex.address, contention_group}).first->second;
  }
  Point& of_object(Address object) {
    const memory::SpinGuard guard(lock_);
    return objects_[object];
  }

private:
  memory::SpinLock lock_;
  std::map<std::tuple<MutexKind, Address, unsigned>, Lock> locks_;
  std::map<Address, Point> objects_;
};

} // namespace fletcher::annotate
