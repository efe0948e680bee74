// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What messages from one process to another use, and how many elements a receive has got.
#pragma once

#include "lib/interpose/mpi/call.hpp"

#include <array>

namespace fletcher::interpose::mpi {

inline void of_send(Uses& uses, const void* buffer, int count, Handle type, int to, int, Handle communicator) {
  uses.reads(buffer, count, type);
  uses.sends(to, communicator);
}
inline void of_receive(Uses& uses, void* buffer, int count, Handle type, int from, int, Handle communicator) {
  uses.writes(buffer, count, type);
  uses.receives(from, communicator);
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

/// Less may come than there is room for. `uses`: what else the call does.
template <class Real>
int receive(const Call& call, Uses& uses, const void* buffer, int count, Handle type, void* given, bool ignored,
            Real real) {
  Status status(given, ignored);
  const int error = real(status.get());
  if (error != success) return error;
  uses.writes(buffer, status.count(type, count), type);
  call.after(uses);
  if (!ignored) call.status(given);
  return error;
}

} // namespace fletcher::interpose::mpi
