// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leads the program's calls of the functions that a table knows to their stubs: the addresses by which its modules call
// them, as the dynamic linker fills them in. Nothing is defined by their names, so that a program has no other
// functions than without Fletcher, and those of a library that was loaded for itself alone stay its own.
#pragma once

namespace fletcher::interpose {

/// Of the instrumented modules that have been loaded since the last call. Cheap when repeated. Thread-safe; not from a
/// signal handler.
void bind_calls_of_instrumented() noexcept;

/// A program that is not instrumented calls such functions of a library, or MPI, and this library sees what becomes of
/// its memory. For level graph.
bool sees_library_calls() noexcept;
/// Of all modules that use OpenMP, and the program, that have been loaded since the last call.
void bind_calls_of_all() noexcept;

} // namespace fletcher::interpose
