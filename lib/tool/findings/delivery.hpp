// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings leave the process: as a document that `fletcher render` turns into text and report files, or, where that
// cannot be started, as plain text.
#pragma once

#include "checker/finding.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fletcher::tool {

enum class Occasion : std::uint8_t {
  flush,    ///< the program goes on
  deadlock, ///< it goes on, but not for long, or forever: report files are written, and again at the end
  leaving,  ///< it goes on, but others may end it from now on: as for a deadlock
  finalize, ///< the runtime shuts down; the process may go on
  exit,     ///< nothing of the program follows
  signal,   ///< the process is being killed
};

/// Tells what was not reported yet; at the end also writes the report files. Quiet where there is nothing to tell.
/// Returns whether an error was found so far. One delivery at a time; one from within another does nothing. `death`:
/// where the program died, if nothing else reports it (process/death.hpp).
bool deliver(Occasion occasion, std::optional<Step> death = std::nullopt);

/// Writes the report files of a process in which no session was started; `reason` says why.
void deliver_unchecked(const std::string& reason);

/// A forked child has its parent's findings not to tell.
void forget_delivered() noexcept;

} // namespace fletcher::tool
