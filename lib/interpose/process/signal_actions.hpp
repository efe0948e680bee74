// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program handles signals that may come at any moment: what a handler does, one thread does.
#pragma once

namespace fletcher::interpose {

bool handles_signals() noexcept;

} // namespace fletcher::interpose
