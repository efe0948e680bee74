// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Persistent requests: what each uses whenever it is started.
#pragma once

#include "lib/interpose/mpi/call.hpp"
#include "lib/interpose/mpi/request_variables.hpp"

#include <optional>

namespace fletcher::interpose::mpi::persistent {

/// The request stored in the variable, which is made.
void prepared(const RequestVariables& request, Uses uses);
/// The call is about to start so many of them: none may be active.
void expect_inactive(const Call& call, const RequestVariables& requests, int count);
/// It has started them.
void started(const Call& call, const RequestVariables& requests, int count);

/// The parts of a partitioned operation, each of `count` elements.
struct Partitions {
  access::Kind kind; ///< read: what is sent
  void* buffer;
  int partitions;
  std::int64_t count;
  Handle type;

  Uses uses(int partition) const;
};
void prepared(const RequestVariables& request, const Partitions& partitions);
/// Nothing where the request is of another operation.
std::optional<Partitions> partitions_of(Handle request);

/// Nothing is known of it any more.
void forget(Handle request);

} // namespace fletcher::interpose::mpi::persistent
