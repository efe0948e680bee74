// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleep that ThreadSanitizer takes no note of, as it would of libc's.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

namespace fletcher::annotate {

/// Less than a second.
inline void sleep(std::chrono::nanoseconds duration) noexcept {
  const timespec span{0, static_cast<long>(duration.count())};
  syscall(SYS_nanosleep, &span, nullptr);
}

} // namespace fletcher::annotate
