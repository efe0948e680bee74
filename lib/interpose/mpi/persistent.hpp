// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Persistent requests: what each uses whenever it is started.
#pragma once

#include "lib/interpose/mpi/call.hpp"
#include "lib/interpose/mpi/request_variables.hpp"

namespace fletcher::interpose::mpi::persistent {

/// The request stored in the variable, which is made.
void prepared(const RequestVariables& request, Uses uses);
/// The call has started so many of them.
void started(const Call& call, const RequestVariables& requests, int count);
/// Nothing is known of it any more.
void forget(Handle request);

} // namespace fletcher::interpose::mpi::persistent
