// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two chunks of a dynamic loop that one thread takes: the shortest way to two units of work.
#pragma once

#include "test/unit/driver.hpp"

namespace fletcher::test {

/// Two chunks of a dynamic loop, both taken by thread 1; `first` and `second` are what they do.
template <class First, class Second> Driver::Pairs two_chunks(Driver& d, First first, Second second) {
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  first();
  d.chunk(1);
  second();
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  return d.races();
}
template <class First, class Second> Driver::Pairs two_chunks(First first, Second second) {
  Driver d;
  return two_chunks(d, [&] { first(d); }, [&] { second(d); });
}

} // namespace fletcher::test
