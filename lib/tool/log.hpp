// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's own lines: one write each, on stderr or in the file that log_path names. Usable before the options are
// read, in signal handlers and at exit.
#pragma once

#include <string>
#include <string_view>

namespace fletcher::tool {

/// Where lines go: a file descriptor, stderr at first. The file of log_to is opened when there is something to say, by
/// each process (a forked child) for itself. One complaint on stderr if it cannot be; then stderr stays.
int log_descriptor() noexcept;

/// From now on lines for stderr go to what it is now, even if the program closes it or puts another file in its place.
void keep_errors() noexcept;
/// In a forked child: one that closes stderr, as daemons do, must not keep waiting who reads it to its end.
void drop_errors() noexcept;

/// Lines are appended to this file from now on; %p is the process id.
void log_to(const std::string& pattern) noexcept;

/// The open file under a number of at least `least`: not in the place of a standard stream that the program has closed.
/// -1 where `made` is, or there is none. Closes `made`.
int moved_up(int made, int least) noexcept;

/// The open file under a number that the program's own files seldom get. -1 where `made` is, or there is none. Closes
/// `made`.
int put_aside(int made) noexcept;

/// Writes all of `text`, whatever interrupts.
void write_all(int descriptor, std::string_view text) noexcept;

/// "fletcher: line\n".
void say(std::string_view line);

} // namespace fletcher::tool
