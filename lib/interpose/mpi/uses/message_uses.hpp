// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What messages from one process to another use, and how many elements a receive has got.
#pragma once

#include "lib/interpose/mpi/call.hpp"

#include <array>

namespace fletcher::interpose::mpi {

inline void of_send(Uses& uses, const void* buffer, int count, Handle type, int to, int, Handle communicator) {
  if (to < 0) return; // MPI_PROC_NULL
  uses.reads(buffer, count, type);
  uses.sends(to, communicator);
}
inline void of_receive(Uses& uses, void* buffer, int count, Handle type, int from, int tag, Handle communicator) {
  if (from < 0 && from != abi()->any_source()) return; // MPI_PROC_NULL
  uses.writes(buffer, count, type);
  uses.receives(from, tag, communicator);
}
inline void of_matched_receive(Uses& uses, void* buffer, int count, Handle type, void*) {
  uses.writes(buffer, count, type);
}

/// Where a status is stored: the program's variable, or one of its own where the program ignores it.
class Status {
public:
  Status(void* given, bool ignored) : at_(ignored ? own_.data() : given) {}
  void* get() noexcept { return at_; }
  /// Elements that have come; `most` where that is not known.
  int count(Handle type, int most) const;

private:
  alignas(16) std::array<char, 64> own_{};
  void* at_;
};

/// A probe, `real(status)`, which says by `is_found()` whether it has found a message. `removes`: nobody else can
/// receive it any more.
template <bool removes, class Real, class IsFound>
int probe(const Call& call, int from, int tag, Handle communicator, void* given, bool ignored, Real real,
          IsFound is_found) {
  if (!call) [[likely]]
    return real(given);
  Status status(given, ignored);
  const int error = real(status.get());
  if (error != success || !is_found()) return error;
  Uses uses;
  uses.receives(from, tag, communicator);
  if (uses.from_self()) receive_from_self(); // a message that is found may be one of this process's own
  if constexpr (!removes)
    call.found(*uses.received(), {communicator, abi()->source_of(status.get()), abi()->tag_of(status.get())});
  if (!ignored) call.status(given);
  return error;
}

/// Less may come than there is room for. `uses`: what else the call does.
template <class Real>
int receive(const Call& call, Uses& uses, const void* buffer, int count, Handle type, void* given, bool ignored,
            Real real) {
  Status status(given, ignored);
  call.receives(uses);
  const int error = real(status.get());
  if (error != success) return error;
  uses.writes(buffer, status.count(type, count), type);
  call.looks_at(uses);
  call.after(uses);
  if (!ignored) call.status(given);
  return error;
}

} // namespace fletcher::interpose::mpi
