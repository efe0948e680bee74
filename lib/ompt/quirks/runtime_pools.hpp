// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory LLVM's runtime gets at once for a thread's tasks. It gets it in parts of a few megabytes, and where
// a million tasks wait to be executed, nearly all of their time is the search through the list of these parts. What is
// checked is faster with large parts, of which only what is used becomes resident.
#pragma once

namespace fletcher::ompt {

/// Before the runtime reads its environment. Nothing where that says anything of it.
void enlarge_runtime_pools() noexcept;

/// After that: the environment is the program's again.
void runtime_has_its_pools() noexcept;

} // namespace fletcher::ompt
