// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of FFTW: what an execution reads and writes was said when the plan was made.
#pragma once

#include "lib/interpose/effects/library_accesses.hpp"

namespace fletcher::interpose::plans {

/// A plan is about to be made, at which one task works at a time; most ways to make one overwrite the arrays.
void before(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc);
/// It has been made.
void made(const BoundCall& call, const effects::Registers& registers, std::uint64_t plan);
/// One is executed, maybe with other arrays.
void execute(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc);
/// It is destroyed. `checked`: accesses are.
void end(access::ThreadState& thread, bool checked, const effects::Registers& registers, Address pc);
/// From now on several tasks may make plans at a time.
void allow_concurrent_planning() noexcept;

} // namespace fletcher::interpose::plans
