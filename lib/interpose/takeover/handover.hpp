// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer's runtime gives up when it is taken over (takeover.hpp): signals, and the last word at the end
// of the process.
#pragma once

#include "lib/interpose/binding/module_functions.hpp"

namespace fletcher::interpose::handover {

/// By an option it puts a pointer in place of a condition variable, for programs of before 2003: libc would not know
/// what that is.
bool replaces_conditions(const Module& runtime) noexcept;

/// The handlers that the program has are the process's then. Of the fatal signals those that it left alone are
/// nobody's: who comes next may report them. ThreadSanitizer would keep a signal until an interceptor ends.
void give_signals_back(const Module& runtime, void* sigaction_of_process);

/// At the end it would still report threads that nobody joined, such as OpenMP's hidden ones, and end the process with
/// a status of its own. Its handler is older than this one, and so comes later.
void have_last_word(const Module& runtime);

/// From now on it reports nothing. Threads that are in its functions come out of them, and of what was done meanwhile
/// it knows nothing.
void silence(const Module& runtime);

} // namespace fletcher::interpose::handover
