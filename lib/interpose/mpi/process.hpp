// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's life in this process: initialised with a level of thread support, finalised; the process's rank.
#pragma once

#include "checker/rules/mpi_threads.hpp"

#include <optional>
#include <string_view>

namespace fletcher::interpose::mpi::process {

/// What a call by this thread has to keep to at this moment.
MpiCall rules_of_call();

/// The process is at its end: if this thread is in a call of MPI's, the library ends the program there, as it does at
/// an error. Then that is reported.
void tell_failure() noexcept;

/// The process ends as one that has made no mistake. One without MPI_Finalize has.
void tell_end() noexcept;

/// The library is about to write that: to MPICH's launcher, that it has to end the program, which it does at once, by
/// SIGKILL. Then all that was found is reported.
void tell_before_the_end(std::string_view written) noexcept;

/// In MPI_COMM_WORLD; nothing where the process is none of MPI's.
std::optional<int> rank() noexcept;

} // namespace fletcher::interpose::mpi::process
