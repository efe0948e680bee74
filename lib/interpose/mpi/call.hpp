// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of MPI by the checked program, as the wrappers see it: whether it is looked at, what is told before and
// after it.
#pragma once

#include "lib/interpose/mpi/uses.hpp"
#include "lib/interpose/observe.hpp"

namespace fletcher::interpose::mpi {

class Call {
public:
  /// The call goes on at `pc`. Nothing is seen of it where nothing is checked, or where MPI's own library makes it.
  /// `collective_on`: the communicator of a collective operation, else 0.
  [[gnu::always_inline]] Call(Address pc, const char* function, Handle collective_on = 0) : pc_(pc) {
    if (in_library()) return;
    thread_ = outside_tool();
    if (thread_ != nullptr) [[unlikely]]
      begin(function, collective_on);
  }
  /// It is known what happens.
  explicit operator bool() const noexcept { return thread_ != nullptr; }
  /// The program's buffers are checked: instrumented code makes the call.
  bool has_buffers() const noexcept { return thread_ != nullptr && modules::is_instrumented(pc_); }

  /// Before a blocking operation, and after it.
  void before(const Uses& uses) const;
  void after(const Uses& uses) const;
  /// It has stored a status, one of `count`.
  void status(const void* status, std::int64_t count = 1) const;
  /// It has read or changed a variable of the program's.
  void reads(const void* memory, std::size_t size) const;
  void writes(const void* memory, std::size_t size) const;

  Address pc() const noexcept { return pc_; }
  access::ThreadState& thread() const noexcept { return *thread_; }

private:
  void begin(const char* function, Handle collective_on);

  Address pc_;
  access::ThreadState* thread_ = nullptr;
};

/// Whoever receives a message of this process to itself comes after whoever sent one.
void send_to_self();
void receive_from_self();

} // namespace fletcher::interpose::mpi
