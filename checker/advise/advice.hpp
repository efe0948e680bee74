// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice about a run: constructs of the program that nothing in it needed. Each piece of advice holds together with all
// others: the constructs may be left out one by one or all at once, and each conflicting pair stays in its order.
#pragma once

#include "checker/advise/run.hpp"
#include "checker/finding.hpp"

#include <string>
#include <vector>

namespace fletcher::advise {

struct Advice {
  enum class Kind : std::uint8_t {
    unused_item,  ///< no task of the construct accesses what its depend clause names
    idle_item,    ///< they do, but nobody whom the clause orders them with conflicts with that
    idle_wait,    ///< a taskwait
    idle_barrier, ///< an explicit one
    idle_end,     ///< the barrier of a worksharing construct
    lone_lock,    ///< of the accesses in its sections none can meet another one that it keeps apart
    lone_atomic,  ///< no other task can access the data meanwhile
  };
  Kind kind = Kind::unused_item;
  Address pc = 0;
  Address object = 0; ///< of a depend item or an atomic operation
  DependenceType type = DependenceType::in;
  Mutex mutex; ///< of a lock

  friend bool operator==(const Advice& a, const Advice& b) noexcept {
    return a.kind == b.kind && a.pc == b.pc && a.object == b.object;
  }
};

struct Advices {
  std::vector<Advice> list;
  std::string unknown; ///< why there is none about some or all constructs; empty: all were looked at
};

Advices advise(const Run& run);

/// What a report says of it.
Finding finding(const Advice& advice);

} // namespace fletcher::advise
