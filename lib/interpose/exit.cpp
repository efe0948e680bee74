// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a process that run no exit handler: _exit, _Exit, quick_exit. Findings are told before.

#include "lib/tool/ending.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

namespace {

[[noreturn]] void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] void _exit(int status) { end_process(fletcher::tool::finish(status)); }

[[gnu::visibility("default")]] void _Exit(int status) noexcept { end_process(fletcher::tool::finish(status)); }

[[gnu::visibility("default")]] void quick_exit(int status) noexcept {
  using QuickExit = void (*)(int);
  const auto original = reinterpret_cast<QuickExit>(dlsym(RTLD_NEXT, "quick_exit"));
  if (original != nullptr) original(fletcher::tool::finish(status));
  end_process(status);
}
}
