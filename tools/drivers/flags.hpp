// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Fletcher adds to a command line: flags before the user's arguments, so that the user's own decide where they
// differ, and libraries after them.
#pragma once

#include "tools/common/installation.hpp"
#include "tools/drivers/arguments.hpp"
#include "tools/drivers/compiler.hpp"

#include <filesystem>
#include <optional>

namespace fletcher::drivers {

struct Additions {
  Arguments before;
  Arguments after;
};

/// What to add for `request`. `given` are the user's arguments; an option that may stand only once is not repeated.
/// `plugin`: the one of Fletcher's that the compiler shall load, if any.
Additions additions(const Request& request, const Arguments& given, Family family,
                    const std::optional<std::filesystem::path>& plugin, const tools::Installation& installation);

/// The user's arguments, with no library left out of the program for want of references to it: libfletcher.so stands in
/// front of libraries' functions and calls them in turn, which the linker does not know.
Arguments without_as_needed(const Arguments& given);

/// The user's arguments, with a libgomp that is named by its path replaced by LLVM's OpenMP runtime: two runtimes in
/// one program would each have a part of its threads.
Arguments without_libgomp(const Arguments& given);

} // namespace fletcher::drivers
