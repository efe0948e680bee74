// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program has child processes: it might wait for any of them, and must not get one of ours.
#pragma once

namespace fletcher::tool {

/// Other than the one that ThreadSanitizer's runtime keeps to ask it for names of functions.
bool has_children();

} // namespace fletcher::tool
