// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one-sided operations, and the calls that begin and end epochs, have in common in C and Fortran.
#pragma once

#include "lib/interpose/mpi/layout.hpp"
#include "lib/interpose/mpi/objects.hpp"
#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/windows.hpp"

namespace fletcher::interpose::mpi {

// Whoever begins or ends an epoch must not do so while another thread uses the window in it. A lock is of one target;
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
           epochs(target.process < 0 ? 0 : window, target.process, access::Kind::read), target.place(window)}};
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

template <class Real> int watched(const Call&, Real real) { return real(); }

/// `say(uses)` says what the origin's side does; to MPI_PROC_NULL, a negative number, it does nothing.
template <class Say> Uses uses_of(Handle window, const Target& target, Say say) {
  Uses uses;
  say(uses);
  if (const void* const own = windows::own_part(window, target.process, target.at))
    uses.accesses(target.kind, own, target.count, target.type);
  return uses;
}
template <class Say, class Real>
int originate(const Call& call, Handle window, const Target& target, Say say, Real real) {
  const int error = real();
  if (!call || error != success || target.process < 0) return error;
  operations::begin_on(call, window, target.process, uses_of(window, target, say));
  return error;
}
template <class Say, class Real>
int originate(const Call& call, Handle window, const Target& target, const RequestVariables& request, Say say,
              Real real) {
  if (call) call.writes(request.variable(), request.size_of_one());
  const int error = real();
  if (!call || error != success || target.process < 0) return error;
  operations::begin_on(call, window, target.process, request, uses_of(window, target, say));
  return error;
}

template <class Real> int complete(const Call& call, Handle window, int target, Real real) {
  const int error = real();
  if (call && error == success) operations::completed_on(call, window, target);
  return error;
}
/// The window is freed. `handle`: its own, which another thread may get as soon as it is.
inline Call end_window(Address pc, const char* function, Handle handle) {
  const Call call(
      pc, function,
      {epochs(handle, ObjectUse::whole, access::Kind::write), epochs(handle, exposure, access::Kind::write)});
  if (!call) return call;
  objects::forget(MpiUse::Of::epochs, handle);
  objects::forget(MpiUse::Of::place, handle);
  windows::forget(handle);
  return call;
}

} // namespace fletcher::interpose::mpi
