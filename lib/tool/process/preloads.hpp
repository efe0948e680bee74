// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the libraries that `fletcher run` has loaded into every process fit this one.
#pragma once

namespace fletcher::tool {

/// Where they do not, the process starts over with those that do. Before anything is checked; idempotent.
void settle_preloads();

} // namespace fletcher::tool
