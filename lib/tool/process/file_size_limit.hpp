// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library writes to files must not end the program: beyond a limit on their size (ulimit -f) the system sends
// SIGXFSZ, which the program has no reason to expect.
#pragma once

#include <signal.h>
#include <time.h>

#include <cerrno>

namespace fletcher::tool {

/// While it lives, this thread's writes beyond the limit fail with EFBIG and do nothing else. Keeps errno.
class FileSizeLimit {
public:
  FileSizeLimit() noexcept {
    sigset_t pending;
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeLimit() {
    const int error = errno;
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
  sigset_t signal_{}, before_{};
  bool was_pending_ = false;
};

} // namespace fletcher::tool
