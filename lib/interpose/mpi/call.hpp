// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of MPI by the checked program, as the wrappers see it: whether it is looked at, what is told before and
// after it.
#pragma once

#include "checker/rules/mpi_threads.hpp"
#include "lib/interpose/effects/library_accesses.hpp"
#include "lib/interpose/mpi/uses.hpp"
#include "lib/interpose/observe.hpp"

#include <initializer_list>

namespace fletcher::interpose::mpi {

/// An object that a call uses, which two calls must not use in such a way at once.
struct ObjectUse {
  static constexpr std::int64_t whole = -1;
  MpiUse::Of of;
  Handle object;
  access::Kind kind = access::Kind::write;
  std::int64_t part = whole;
};
/// Takes part in a collective operation on the communicator; 0: on none.
constexpr ObjectUse collective(Handle communicator) noexcept { return {MpiUse::Of::collective, communicator}; }

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

  Address pc() const noexcept { return pc_; }
  access::ThreadState& thread() const noexcept { return *thread_; }

private:
  void begin(const char* function, std::initializer_list<ObjectUse> uses, Type type);

  Address pc_;
  access::ThreadState* thread_ = nullptr;
  bool many_threads_ = false; ///< may call MPI at a time
};

/// Whoever receives a message of this process to itself comes after whoever sent one.
void send_to_self();
void receive_from_self();

} // namespace fletcher::interpose::mpi
