// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a process and what the tool does at each: exit and return from main (exit handler), _exit and quick_exit
// (lib/interpose/process/exit.cpp), fatal signals (signals.cpp), fork (the child tells its own findings only).
#pragma once

#include <signal.h>

namespace fletcher::tool {

/// Called when a session starts: signals and fork are watched from now on.
void expect_end();

/// What the process ends with, once that has been reported; -1 before.
int status_at_end() noexcept;

/// Delivers for the last time, and says which status the process ends with: `status`, or the exitcode option where an
/// error was found. In a child that shares the parent's memory (vfork) it does nothing but return `status`.
int finish(int status);

/// Takes over the fatal signals that the program leaves at their default.
void watch_signals();
/// The default of this signal is taken over: what told_default() says stands for it.
bool tells_before(int signal) noexcept;
struct sigaction told_default() noexcept;
/// Tells what was found and lets the signal do what it would have done.
void end_by_signal(int signal, siginfo_t* info, void* context) noexcept;

/// A stack overflow leaves no room for a handler: each thread has some aside, unless the program gave it some.
void set_stack_aside() noexcept;
void free_stack_aside() noexcept;

/// A line that says why nothing was checked, where that would surprise, and the report files that were asked for. At
/// the end of the process.
void explain_unchecked();
/// It has been said.
void unchecked_is_explained() noexcept;

} // namespace fletcher::tool
