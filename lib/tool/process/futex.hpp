// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping until a word changes, and waking who sleeps: by the kernel itself, as the library stands in front of the
// functions of POSIX that would do it.
#pragma once

#include <cerrno>
#include <climits>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace fletcher::tool {

/// While it is `value`, for `longest` at most (null: forever). May return sooner: the caller looks again.
inline void wait_on(void* word, std::uint32_t value, const timespec* longest = nullptr) noexcept {
  const int before = errno; // the program's
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, longest, nullptr, 0);
  errno = before;
}

inline void wake_all(void* word) noexcept {
  const int before = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  errno = before;
}

} // namespace fletcher::tool
