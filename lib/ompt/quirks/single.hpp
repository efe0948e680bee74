// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which compiler's single construct a thread is about to execute: the runtime is not told when gcc's has ended.
#pragma once

namespace fletcher::ompt {

/// An entry point for gcc's single construct was called; consumed by the construct's event.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool single_without_end = false;

} // namespace fletcher::ompt
