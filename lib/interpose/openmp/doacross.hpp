// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the thread is in a doacross loop: of its order LLVM's runtime tells nothing in a team of one.
#pragma once

namespace fletcher::interpose {

bool in_doacross_loop() noexcept;

} // namespace fletcher::interpose
