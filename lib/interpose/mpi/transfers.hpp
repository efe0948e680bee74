// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three ways to perform an operation: at once, from a call until its completion, and again and again. What the
// operation uses is said once, by a function of its arguments.
#pragma once

#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/persistent.hpp"

#include <utility>

namespace fletcher::interpose::mpi {

/// `say(uses)` says what the operation uses; `real()` performs it.
template <class Say, class Real> int perform(const Call& call, Say say, Real real) {
  if (!call) [[likely]]
    return real();
  Uses uses;
  say(uses);
  call.looks_at(uses);
  call.before(uses);
  const int error = real();
  if (error == success) call.after(uses);
  return error;
}

template <class Say, class Real> int begin(const Call& call, const RequestVariables& request, Say say, Real real) {
  if (!call) [[likely]]
    return real();
  Uses uses;
  say(uses);
  call.looks_at(uses);
  if (uses.to_self()) send_to_self();
  call.writes(request.variable(), request.size_of_one());
  const int error = real();
  if (error == success) operations::begin(call, request, uses);
  return error;
}

/// Nothing happens before it is started.
template <class Say, class Real> int prepare(const Call& call, const RequestVariables& request, Say say, Real real) {
  if (!call) [[likely]]
    return real();
  Uses uses;
  say(uses);
  call.looks_at(uses);
  call.writes(request.variable(), request.size_of_one());
  const int error = real();
  if (error == success) persistent::prepared(request, std::move(uses));
  return error;
}

// C's functions: `uses(Uses&, arguments...)` says it of the arguments as they are. `collective_on`: the communicator of
// a collective operation, else 0. The request comes last.

template <auto uses, class... Parameters, class... Arguments>
int perform(Function<int(Parameters...)>& real, Address pc, Handle collective_on, Arguments... arguments) {
  return perform(
      Call(pc, real.name(), {collective(collective_on)}), [&](Uses& all) { uses(all, arguments...); },
      [&] { return real(arguments...); });
}
template <auto uses, class... Parameters, class... Arguments>
int begin(Function<int(Parameters...)>& real, Address pc, Handle collective_on, void* request, Arguments... arguments) {
  return begin(
      Call(pc, real.name(), {collective(collective_on)}), request, [&](Uses& all) { uses(all, arguments...); },
      [&] { return real(arguments..., request); });
}
/// A persistent collective operation, made with hints.
template <auto uses, class... Parameters, class... Arguments>
int prepare_collective(Function<int(Parameters...)>& real, Address pc, Handle on, Handle hints, void* request,
                       Arguments... arguments) {
  return prepare(
      Call(pc, real.name(), {collective(on)}), request, [&](Uses& all) { uses(all, arguments...); },
      [&] { return real(arguments..., hints, request); });
}
template <auto uses, class... Parameters, class... Arguments>
int prepare(Function<int(Parameters...)>& real, Address pc, void* request, Arguments... arguments) {
  return prepare(
      Call(pc, real.name()), request, [&](Uses& all) { uses(all, arguments...); },
      [&] { return real(arguments..., request); });
}

} // namespace fletcher::interpose::mpi
