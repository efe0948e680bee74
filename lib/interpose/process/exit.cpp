// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a process. Those that run no exit handler are _exit, _Exit, quick_exit: findings are reported before.

#include "lib/tool/process/ending.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace {

[[noreturn]] void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/// Process and thread that run the exit handlers. A child does not inherit the parent's.
constinit std::atomic<std::uint64_t> leaving{0};

/// Found when the library is loaded: a program's own _start may call exit with a stack that the loader cannot work on.
using Exit = void (*)(int);
constinit Exit original_exit = nullptr;
[[gnu::constructor]] void find_exit() { original_exit = reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "exit")); }

/// Returns on one thread only, however often it asks.
void leave_first() noexcept {
  const auto process = static_cast<std::uint32_t>(getpid());
  const std::uint64_t self = (std::uint64_t{process} << 32) | static_cast<std::uint32_t>(syscall(SYS_gettid));
  for (;;) {
    std::uint64_t first = leaving.load();
    if (first == self) return;
    if (first >> 32 == process)
      pause();
    else if (leaving.compare_exchange_strong(first, self))
      return;
  }
}

} // namespace

extern "C" {

// Of several threads that call exit the first one ends the process, and the others wait (POSIX.1-2024). Older C
// libraries let the second one end it at once, in the midst of the first one's handlers, ours among them.
[[gnu::visibility("default")]] void exit(int status) noexcept {
  leave_first();
  if (original_exit != nullptr) original_exit(status);
  end_process(status);
}

[[gnu::visibility("default")]] void _exit(int status) { end_process(fletcher::tool::finish(status)); }

[[gnu::visibility("default")]] void _Exit(int status) noexcept { end_process(fletcher::tool::finish(status)); }

[[gnu::visibility("default")]] void quick_exit(int status) noexcept {
  using QuickExit = void (*)(int);
  const auto original = reinterpret_cast<QuickExit>(dlsym(RTLD_NEXT, "quick_exit"));
  if (original != nullptr) original(fletcher::tool::finish(status));
  end_process(status);
}
}
