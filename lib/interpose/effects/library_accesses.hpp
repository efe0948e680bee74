// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses that a library's function makes for its caller, reported to the checker.
#pragma once

#include "checker/access/thread_state.hpp"
#include "lib/effects/extent.hpp"
#include "lib/interpose/effects/bound_calls.hpp"

namespace fletcher::interpose::library_accesses {

/// Who goes on at `pc` is code whose calls are looked at.
bool counts(Address pc) noexcept;
/// Calls of all code count, not only of instrumented code (level graph).
void count_all() noexcept;

/// What the call does that goes on at `pc`.
void make(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc);

/// What is updated is written: that conflicts with all that reading it does.
inline access::Kind kind_of(const effects::Effect& effect) noexcept {
  return effect.use == effects::Use::reads ? access::Kind::read : access::Kind::write;
}

/// While it lives, the call is on the thread's shadow call stack: what is accessed is accessed within it.
class WithinCall {
public:
  WithinCall(access::ThreadState& thread, Address pc) noexcept : thread_(thread) { thread_.stack.push(pc, 0); }
  ~WithinCall() { thread_.stack.pop(); }
  WithinCall(const WithinCall&) = delete;
  WithinCall& operator=(const WithinCall&) = delete;

private:
  access::ThreadState& thread_;
};

/// One argument.
void make(access::ThreadState& thread, const BoundCall& call, const effects::Arguments& arguments,
          const effects::Extent& extent);

} // namespace fletcher::interpose::library_accesses
