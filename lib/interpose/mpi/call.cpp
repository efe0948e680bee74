// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/call.hpp"

#include "lib/interpose/mpi/communicators.hpp"
#include "lib/interpose/mpi/process.hpp"

#include "checker/checker.hpp"
#include "checker/rules/mpi_threads.hpp"

namespace fletcher::interpose::mpi {

namespace {
constinit char messages_to_self; ///< its address stands for them
} // namespace

void send_to_self() { release(&messages_to_self); }
void receive_from_self() { acquire(&messages_to_self); }

void Call::begin(const char* function, Handle collective_on) {
  if (abi() == nullptr || thread_->checker == nullptr) {
    thread_ = nullptr;
    return;
  }
  MpiCall call = process::rules_of_call();
  call.pc = pc_;
  call.function = function;
  if (collective_on != 0) call.communicator = communicators::number(collective_on);
  {
    const tool::InsideTool inside;
    thread_->checker->calls(*thread_, call);
  }
  if (call.phase != MpiCall::Phase::running) thread_ = nullptr;
}

void Call::before(const Uses& uses) const {
  if (has_buffers() && thread_->off <= 0) uses.make(*thread_, access::Kind::read, pc_);
  if (uses.to_self()) send_to_self();
}

void Call::after(const Uses& uses) const {
  const KeptErrno kept;
  if (uses.from_self()) receive_from_self();
  if (has_buffers() && thread_->off <= 0) uses.make(*thread_, access::Kind::write, pc_);
}

void Call::status(const void* status, std::int64_t count) const {
  if (count <= 0 || abi()->is_ignored(status)) return;
  writes(status, abi()->status_size() * static_cast<std::size_t>(count));
}

void Call::reads(const void* memory, std::size_t size) const {
  if (has_buffers() && thread_->off <= 0) interpose::reads(*thread_, memory, size, pc_);
}
void Call::writes(const void* memory, std::size_t size) const {
  if (has_buffers() && thread_->off <= 0) interpose::writes(*thread_, memory, size, pc_);
}

} // namespace fletcher::interpose::mpi
