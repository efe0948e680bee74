// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leads the program's calls of the functions that a table knows to their stubs: the addresses by which its modules call
// them, as the dynamic linker fills them in. Nothing is defined by their names, so that a program has no other
// functions than without Fletcher, and those of a library that was loaded for itself alone stay its own.
#pragma once

#include <string_view>

namespace fletcher::interpose {

/// Of the instrumented modules that have been loaded since the last call. Cheap when repeated. Thread-safe; not from a
/// signal handler.
void bind_calls_of_instrumented() noexcept;

/// A program that is not instrumented calls such functions of a library, or MPI, and this library sees what becomes of
/// its memory. For level graph.
bool sees_library_calls() noexcept;
/// Of all modules that use OpenMP, and the program, that have been loaded since the last call.
void bind_calls_of_all() noexcept;

/// Where a call of libc's function has to go instead, by whatever way: to what reports its accesses and goes on to it,
/// if there is something to tell.
void* led_past_its_effects(std::string_view symbol, void* function);

} // namespace fletcher::interpose
