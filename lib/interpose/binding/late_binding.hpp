// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the OpenMP runtime opened this library by itself (OMP_TOOL_LIBRARIES), the program's calls were bound without
// it: its entry points would never be called, and what only they see would be missed. So the addresses by which the
// program's modules call what stands behind them are replaced, as the dynamic linker would have filled them in. Relies
// on the modules' relocations (references.hpp).
#pragma once

#include <cstdint>

namespace fletcher::interpose {

/// Which calls: of the OpenMP runtime; also those of POSIX and C11 that order threads, end the process or set signal
/// actions; all that this library has a function for.
enum class Calls : std::uint8_t { runtime, order, all };

/// The library comes behind the program in the order in which names are looked up, or is not in it: calls of libc's
/// functions go past it.
bool is_behind_program() noexcept;

/// Has such calls pass through this library, in all modules loaded so far that have no other definition of theirs.
/// Nothing where the library is not behind the program. Cheap while nothing is loaded. Thread-safe; not from a signal
/// handler.
void stand_before_runtime(Calls calls) noexcept;

/// Leads calls of the function, in all modules loaded so far, to `ours`, which goes on to its next definition. For what
/// this library defines for itself and cannot show.
void lead_calls(const char* function, void* ours) noexcept;

} // namespace fletcher::interpose
