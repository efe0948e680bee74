// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of MPI by the checked program, as the wrappers see it: whether it is looked at, what is reported before and
// after it.
#pragma once

#include "checker/rules/mpi_threads.hpp"
#include "lib/interpose/effects/library_accesses.hpp"
#include "lib/interpose/mpi/ranks/meetings.hpp"
#include "lib/interpose/mpi/uses/uses.hpp"
#include "lib/interpose/observe.hpp"

#include <initializer_list>
#include <string>

namespace fletcher::interpose::mpi {

/// Takes part in a collective operation on the communicator; 0: on none.
constexpr ObjectUse collective(Handle communicator) noexcept { return {MpiUse::Of::collective, communicator}; }

/// Attaches or detaches the buffer of buffered sends (write), or sends by it.
constexpr ObjectUse attached_buffer(access::Kind kind) noexcept { return {MpiUse::Of::buffer, 1, kind}; }

class Call {
public:
  using Type = MpiCall::Type;
  /// The call goes on at `pc`. Nothing is seen of it where nothing is checked, or where MPI's own library makes it.
  [[gnu::always_inline]] Call(Address pc, const char* function, std::initializer_list<ObjectUse> uses = {},
                              Type type = Type::usual)
      : pc_(pc) {
    if (in_library()) return;
    thread_ = outside_tool();
    if (thread_ != nullptr) [[unlikely]]
      begin(function, uses, type);
  }
  /// It is known what happens.
  explicit operator bool() const noexcept { return thread_ != nullptr; }
  /// The program's buffers are checked: instrumented code makes the call, or all calls of libraries count.
  bool has_buffers() const noexcept { return thread_ != nullptr && library_accesses::counts(pc_); }

  /// Tells where the buffers overlap although they must not.
  void looks_at(const Uses& uses) const;
  /// Tells of a mistake.
  void mistaken(std::string message, std::string fix, Address earlier = 0, std::string meaning = {}) const;
  /// Before a blocking operation, and after it.
  void before(const Uses& uses) const;
  void after(const Uses& uses) const;
  /// It has stored a status, one of `count`.
  void status(const void* status, std::int64_t count = 1) const;
  /// It has read or changed a variable of the program's.
  void reads(const void* memory, std::size_t size) const;
  void writes(const void* memory, std::size_t size) const;
  /// It has looked for such a message as is `sought`, and found one.
  void found(const Envelope& sought, const Envelope& message) const;
  /// It is about to receive, or to begin a receive.
  void receives(const Uses& uses) const;

  /// Which call of its communicator it is to all processes; 0: none that is known.
  meetings::Key meeting() const noexcept { return meeting_; }
  Address pc() const noexcept { return pc_; }
  const char* function() const noexcept { return function_; }
  access::ThreadState& thread() const noexcept { return *thread_; }

private:
  void begin(const char* function, std::initializer_list<ObjectUse> uses, Type type);

  Address pc_;
  const char* function_ = "";
  access::ThreadState* thread_ = nullptr;
  meetings::Key meeting_ = 0;
  bool many_threads_ = false; ///< may call MPI at a time
};

/// The receiver of a message of this process to itself comes after the sender.
void send_to_self();
void receive_from_self();

} // namespace fletcher::interpose::mpi
