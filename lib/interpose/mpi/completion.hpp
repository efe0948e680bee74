// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that may complete operations.
#pragma once

#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/persistent.hpp"

namespace fletcher::interpose::mpi {

struct Completion {
  Completion(Address pc, const char* function, const RequestVariables& requests, std::int64_t count)
      : Completion(Call(pc, function), requests, count) {}
  Completion(const Call& made, const RequestVariables& requests, std::int64_t count)
      : call(made), awaited(call, requests, count) {
    if (call.has_buffers()) uses(requests, count);
  }
  const Call call;
  const operations::Awaited awaited;

private:
  /// The variable of a request that is in use changes when its operation is complete, and must not be used by another
  /// call at the same time. (Parts of a partitioned one may become ready meanwhile.)
  void uses(const RequestVariables& requests, std::int64_t count) const {
    for (std::size_t i = 0; count > 0 && i < static_cast<std::size_t>(count); ++i) {
      const Handle handle = requests.handle(i);
      if (abi()->is_request(handle) && !persistent::partitions_of(handle))
        call.writes(requests.variable(i), requests.size_of_one());
      else
        call.reads(requests.variable(i), requests.size_of_one());
    }
  }
};

} // namespace fletcher::interpose::mpi
