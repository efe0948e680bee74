// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with OpenMP that this process starts, and into which the library cannot come: they must not look checked.
// Nothing here allocates or takes a lock: who starts a program is often a child of fork() or vfork().
#pragma once

namespace fletcher::tool {

/// `file` is about to be executed with this environment. Says in a line why it will not be checked, once for each file,
/// where this process has the standard error that its user sees, and `fletcher run` is to check what it starts.
void about_to_execute(const char* file, char* const* environment) noexcept;
/// The same for a name that is looked for in PATH.
void about_to_execute_found(const char* name, char* const* environment) noexcept;

} // namespace fletcher::tool
