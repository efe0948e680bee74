// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the checked program handles signals: what a handler does is its thread's, whichever task was interrupted.
#pragma once

namespace fletcher::annotate {

/// Of a signal that may come at any time.
bool handles_signals() noexcept;

} // namespace fletcher::annotate
