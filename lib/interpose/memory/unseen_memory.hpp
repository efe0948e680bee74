// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level tsan: memory that the program gets by functions that ThreadSanitizer does not know has to be announced to it.
#pragma once

#include "lib/interpose/observe.hpp"

namespace fletcher::interpose {

inline bool judged_by_sanitizer() noexcept {
  const tool::Session* const session = tool::session();
  return session != nullptr && session->level() == tool::Level::tsan;
}

} // namespace fletcher::interpose
