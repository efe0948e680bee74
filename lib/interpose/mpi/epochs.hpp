// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one-sided operations, and the calls that begin and end epochs, have in common in C and Fortran.
#pragma once

#include "lib/interpose/mpi/objects.hpp"
#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/uses/layout.hpp"
#include "lib/interpose/mpi/windows.hpp"

namespace fletcher::interpose::mpi {

// A thread must not begin or end an epoch while another thread uses the window in it. A lock is of one target;
// the others are of all, and what exposes the own part of the window is apart.

inline constexpr int all_targets = ObjectUse::whole, exposure = -2;
inline ObjectUse epochs(Handle window, std::int64_t part, access::Kind kind) {
  return {MpiUse::Of::epochs, window, kind, part};
}

/// What an operation does at its target. Those that combine are atomic; of the ones that fetch, too, it is not known
/// whether they change anything.
struct Target {
  int process;
  Displacement at; ///< in units of the target's, which only the target knows
  access::Kind kind;
  std::int64_t count;
  Handle type;
  Handle operation = 0; ///< of those that combine; 0: none, or not known

  /// The first byte there; of others it is not known where they are.
  ObjectUse place(Handle window) const {
    constexpr unsigned displacement_bits = 40;
    const tool::InsideTool inside;
    const bool known = window != 0 && process >= 0 && at >= 0 && at >> displacement_bits == 0 && count > 0 &&
                       abi() != nullptr && !in_library() && Layout(type).has_first_byte();
    return {MpiUse::Of::place, known ? window : 0, kind, (std::int64_t{process} << displacement_bits) + at};
  }
};

/// What waits for operations and lets the epoch go on.
[[gnu::always_inline]] inline Call operate(Address pc, const char* function, Handle window, int target) {
  return {pc,
          function,
          {epochs(window, ObjectUse::whole, access::Kind::read),
           epochs(target < 0 ? 0 : window, target, access::Kind::read)}};
}
/// An operation.
[[gnu::always_inline]] inline Call operate(Address pc, const char* function, Handle window, const Target& target) {
  return {pc,
          function,
          {epochs(window, ObjectUse::whole, access::Kind::read),
           epochs(target.process < 0 ? 0 : window, target.process, access::Kind::read)}};
}
/// The epoch of all targets, or the exposure, begins or ends.
[[gnu::always_inline]] inline Call turn(Address pc, const char* function, Handle window, int part = ObjectUse::whole) {
  return {pc, function, {epochs(window, part, access::Kind::write)}};
}
/// The epoch of one target.
[[gnu::always_inline]] inline Call turn_target(Address pc, const char* function, Handle window, int target) {
  return {pc,
          function,
          {epochs(window, ObjectUse::whole, access::Kind::read), epochs(window, target, access::Kind::write)}};
}

namespace exposed { // ranks/exposed.cpp
/// The call has begun an operation.
void note(const Call& call, Handle window, const Target& target);
/// It was a fence of the window. `goes_on`: operations may follow.
void fenced(const Call& call, Handle window, bool goes_on);
void freed(Handle window);
} // namespace exposed

template <class Real> int watched(const Call&, Real real) { return real(); }

using operations::Side;

inline void expect_epoch(const Call& call, Handle window, int target) {
  if (call && target >= 0 && !windows::is_in_epoch(window, target))
    call.mistaken(mpi_function(call.function()) + ", called by {task}, operates on a window outside of every epoch",
                  "begin one first, for example by MPI_Win_fence, MPI_Win_lock or MPI_Win_start");
}

/// The operation has begun. `say(uses)` says what the origin's side does. What is done at the target is over when the
/// origin knows it: what is got has been read there, of the rest only the origin's buffers are free again.
template <class Say>
void begin_at_target(const Call& call, Handle window, const Target& target, Say say, const RequestVariables* request) {
  exposed::note(call, window, target);
  Uses origin, there;
  say(origin);
  const bool got = target.kind == access::Kind::read;
  Uses& of_target = got ? origin : there;
  if (const void* const own = windows::own_part(window, target.process, target.at))
    of_target.accesses(target.kind, own, target.count, target.type);
  of_target.place(target.place(window));
  if (request != nullptr)
    operations::begin_on(call, window, target.process, *request, origin);
  else
    operations::begin_on(call, window, target.process, Side::origin, origin);
  if (!got) operations::begin_on(call, window, target.process, Side::target, there);
}

/// To MPI_PROC_NULL, a negative number, nothing happens.
template <class Say, class Real>
int originate(const Call& call, Handle window, const Target& target, Say say, Real real) {
  expect_epoch(call, window, target.process);
  const int error = real();
  if (call && error == success && target.process >= 0) begin_at_target(call, window, target, say, nullptr);
  return error;
}
template <class Say, class Real>
int originate(const Call& call, Handle window, const Target& target, const RequestVariables& request, Say say,
              Real real) {
  expect_epoch(call, window, target.process);
  if (call) call.writes(request.variable(), request.size_of_one());
  const int error = real();
  if (call && error == success && target.process >= 0) begin_at_target(call, window, target, say, &request);
  return error;
}

/// `side`: what is complete at the origin may still be going on at the target.
template <class Real> int complete(const Call& call, Handle window, int target, Real real, Side side = Side::target) {
  const int error = real();
  if (call && error == success) operations::completed_on(call, window, target, side);
  return error;
}
/// Ends an epoch of one target, or of all. `real` may let another process go on: what is known is changed before.
template <class Real> int end_epoch(const Call& call, Handle window, int target, Real real) {
  windows::ended(window, target);
  return complete(call, window, target, real);
}
template <class Real> int begin_epoch(const Call& call, Handle window, int target, Real real) {
  const int error = real();
  if (error == success) windows::began(window, target, call.pc());
  return error;
}
template <class Real> int fence(const Call& call, Handle window, int assertion, Real real) {
  const int error = complete(call, window, all_targets, real);
  if (error != success) return error;
  exposed::fenced(call, window, windows::allows_more(assertion));
  windows::fenced(window, assertion);
  return error;
}
/// The window is freed. `handle`: its own, which another thread may get as soon as it is.
inline Call end_window(Address pc, const char* function, Handle handle) {
  const Call call(
      pc, function,
      {epochs(handle, ObjectUse::whole, access::Kind::write), epochs(handle, exposure, access::Kind::write)});
  if (!call) return call;
  const std::string who = mpi_function(function) + ", called by {task}, frees a window ";
  if (const Address began = operations::pending_on(handle)) {
    call.mistaken(who + "on which an operation is pending",
                  "end the epoch first, for example by MPI_Win_fence or MPI_Win_unlock", began,
                  "the operation begins here");
    operations::completed_on(call, handle, all_targets, Side::target); // it has been reported
  } else if (const Address open = windows::still_open(handle))
    call.mistaken(who + "in an epoch that has not ended", "end it first, for example by MPI_Win_unlock", open,
                  "the epoch begins here");
  objects::forget(MpiUse::Of::epochs, handle);
  objects::forget(MpiUse::Of::place, handle);
  exposed::freed(handle);
  windows::forget(handle);
  return call;
}

} // namespace fletcher::interpose::mpi
