// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/call.hpp"

#include "lib/interpose/mpi/objects.hpp"
#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/process.hpp"
#include "lib/interpose/mpi/ranks/hang.hpp"

#include "checker/checker.hpp"
#include "checker/rules/mpi_usage.hpp"

#include <array>
#include <utility>

namespace fletcher::interpose::mpi {

namespace {
constinit char messages_to_self; ///< its address stands for them
} // namespace

namespace {
/// What a process does with itself alone needs no order that others have to keep to.
bool matters(const ObjectUse& use) {
  return use.object != 0 && !(use.of == MpiUse::Of::collective && abi()->is_self(use.object));
}
} // namespace

void send_to_self() { release(&messages_to_self); }
void receive_from_self() { acquire(&messages_to_self); }

void Call::begin(const char* function, std::initializer_list<ObjectUse> uses, Type type) {
  if (abi() == nullptr || thread_->checker == nullptr) {
    thread_ = nullptr;
    return;
  }
  function_ = function;
  detail::last_call = {pc_, function};
  MpiCall call = process::rules_of_call();
  call.pc = pc_;
  call.function = function;
  call.type = type;
  constexpr std::size_t most_uses = 3;
  std::array<MpiUse, most_uses> numbered;
  std::size_t count = 0;
  for (const ObjectUse& use : uses)
    if (count < most_uses && matters(use))
      numbered[count++] = {use.of, objects::number(use.of, use.object, use.part), use.kind};
  call.uses = std::span(numbered).first(count);
  std::vector<Address> unfinished;
  if (type == Type::finalize) call.unfinished = unfinished = operations::unfinished();
  many_threads_ = call.provided == ThreadSupport::multiple;
  {
    const tool::InsideTool inside;
    thread_->checker->calls(*thread_, call);
  }
  if (call.phase != MpiCall::Phase::running) {
    thread_ = nullptr;
    return;
  }
  note_call(*thread_, pc_);
  for (const ObjectUse& use : uses)
    if (use.of == MpiUse::Of::collective && matters(use)) meeting_ = meetings::enter(*this, use.object);
  if (type == Type::finalize) meeting_ = meetings::enter(*this, abi()->world());
}

void Call::mistaken(std::string message, std::string fix, Address earlier, std::string meaning) const {
  const KeptErrno kept;
  const tool::InsideTool inside;
  thread_->checker->mistaken(*thread_, {pc_, std::move(message), std::move(fix), earlier, std::move(meaning)});
}

void Call::looks_at(const Uses& uses) const {
  if (thread_ == nullptr) return;
  if (uses.agreement()) meetings::agree(*this, meeting_, *uses.agreement());
  const KeptErrno kept;
  const tool::InsideTool inside;
  switch (uses.overlap()) {
  case Overlap::none:
    return;
  case Overlap::of_written:
    return mistaken(mpi_function(function_) +
                        ", called by {task}, writes some bytes twice: parts of what it receives overlap",
                    "receive each part in its own place");
  case Overlap::of_read_and_written:
    return mistaken(mpi_function(function_) +
                        ", called by {task}, reads and writes the same bytes: its buffers overlap",
                    "give it two buffers that do not overlap, or MPI_IN_PLACE where the function allows it");
  }
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

namespace {

MpiMessage message_of(const Envelope& e) {
  return {objects::number(MpiUse::Of::messages, e.communicator, ObjectUse::whole),
          e.source == abi()->any_source() ? MpiMessage::any : e.source,
          e.tag == abi()->any_tag() ? MpiMessage::any : e.tag};
}

} // namespace

void Call::found(const Envelope& sought, const Envelope& message) const {
  if (!many_threads_ || thread_ == nullptr || message.source < 0) return; // MPI_PROC_NULL
  const KeptErrno kept;
  const tool::InsideTool inside;
  thread_->checker->found(*thread_, pc_, message_of(sought), message_of(message));
}

void Call::receives(const Uses& uses) const {
  if (!many_threads_ || thread_ == nullptr || !uses.received()) return;
  const Envelope& message = *uses.received();
  if (message.source < 0 && message.source != abi()->any_source()) return;
  const KeptErrno kept;
  const tool::InsideTool inside;
  thread_->checker->receives(*thread_, pc_, message_of(message));
}

} // namespace fletcher::interpose::mpi
