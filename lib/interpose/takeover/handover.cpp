// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/handover.hpp"

#include "lib/tool/process/ending.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fletcher::interpose::handover {

using Action = int(int, const struct sigaction*, struct sigaction*);

namespace {

using SetDescriptor = void(void*);

void silence(SetDescriptor* set_report_descriptor) {
  if (set_report_descriptor == nullptr) return;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  constexpr int out_of_the_way = 500; // the program's next file has the number that it would have without
  const int moved = fcntl(nowhere, F_DUPFD_CLOEXEC, out_of_the_way);
  if (moved >= 0) close(nowhere);
  set_report_descriptor(reinterpret_cast<void*>(std::intptr_t{moved >= 0 ? moved : nowhere}));
}

SetDescriptor* report_descriptor_of(const Module& runtime) noexcept {
  SetDescriptor* found = nullptr;
  find(runtime, "__sanitizer_set_report_fd", found);
  return found;
}

} // namespace

void give_signals_back(const Module& runtime, void* sigaction_of_process) {
  Action* of_program = nullptr;
  find(runtime, "__interceptor_sigaction", of_program);
  auto* const of_process = reinterpret_cast<Action*>(sigaction_of_process);
  if (of_program == nullptr || of_process == nullptr) return;
  constexpr std::array fatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction program{}, process{};
    if (of_program(signal, nullptr, &program) != 0 || of_process(signal, nullptr, &process) != 0) continue;
    const auto handler = reinterpret_cast<Address>(process.sa_handler);
    if (handler - runtime.code_begin >= runtime.code_end - runtime.code_begin) continue;
    // Where the program has a handler, one of the runtime's stands for it.
    if (program.sa_handler == process.sa_handler) {
      if (std::ranges::count(fatal, signal) == 0) continue;
      program = {};
      program.sa_handler = SIG_DFL;
    }
    of_process(signal, &program, nullptr);
  }
  // What it has kept until now comes at the end of any interceptor: this one is there for nothing else.
  int (*any)(timeval*, void*) = nullptr;
  find(runtime, "__interceptor_gettimeofday", any);
  timeval now{};
  if (any != nullptr) any(&now, nullptr);
}

bool replaces_conditions(const Module& runtime) noexcept {
  int (*initialise)(pthread_cond_t*, const pthread_condattr_t*) = nullptr;
  int (*destroy)(pthread_cond_t*) = nullptr;
  find(runtime, "__interceptor_pthread_cond_init", initialise);
  find(runtime, "__interceptor_pthread_cond_destroy", destroy);
  if (initialise == nullptr || destroy == nullptr) return false;
  pthread_cond_t condition{};
  initialise(&condition, nullptr);
  std::uint64_t first = 0;
  std::memcpy(&first, &condition, sizeof first);
  destroy(&condition);
  return first != 0;
}

void have_last_word(const Module& runtime) {
  void (*set_death_callback)(void (*)()) = nullptr;
  find(runtime, "__sanitizer_set_death_callback", set_death_callback);
  if (set_death_callback == nullptr) return;
  on_exit([](int, void* set) { silence(reinterpret_cast<SetDescriptor*>(set)); },
          reinterpret_cast<void*>(report_descriptor_of(runtime)));
  set_death_callback([] {
    if (tool::status_at_end() < 0) return;
    std::fflush(nullptr);
    syscall(SYS_exit_group, tool::status_at_end());
  });
}

void silence(const Module& runtime) { silence(report_descriptor_of(runtime)); }

} // namespace fletcher::interpose::handover
