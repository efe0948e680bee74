// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/process/death.hpp"

#include "checker/checker.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace fletcher::tool {

namespace {

constexpr std::size_t most_frames = 64;

/// Of a signal that says that the program cannot go on; null for others.
const char* name_of_fault(int signal) noexcept {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE";
  case SIGILL:
    return "SIGILL";
  case SIGTRAP:
    return "SIGTRAP";
  case SIGSYS:
    return "SIGSYS";
  case SIGABRT:
    return "SIGABRT";
  default:
    return nullptr;
  }
}

/// Raised by the code that was interrupted, or by the process for itself (abort).
bool is_own_doing(const siginfo_t* info) noexcept {
  return info == nullptr || info->si_code > 0 || info->si_pid == getpid();
}

/// What a handler called is of no interest, so that the innermost frame is the outermost that a signal interrupted.
_Unwind_Reason_Code step(_Unwind_Context* context, void* stack_) {
  Stack& stack = *static_cast<Stack*>(stack_);
  int interrupted = 0;
  const Address pc = _Unwind_GetIPInfo(context, &interrupted);
  if (interrupted != 0) stack.clear();
  stack.push_back(pc + (interrupted != 0 ? 1 : 0)); // as if it were a return address
  return stack.size() < most_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// A call of a function that is nowhere has left the address to return to.
Address caller_of_nothing(const void* context) noexcept {
#if defined(__x86_64__)
  const auto* const registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  if (registers[REG_RIP] == 0) return *reinterpret_cast<const Address*>(registers[REG_RSP]);
#endif
  static_cast<void>(context);
  return 0;
}

constinit std::atomic<Step*> unfinished{nullptr};

bool is_of_a_construct(const TaskDescription& task) noexcept {
  return task.kind != TaskKind::initial && task.kind != TaskKind::foreign;
}

} // namespace

std::optional<Step> describe_death(int signal, const siginfo_t* info, const void* context) {
  const char* const name = name_of_fault(signal);
  Session* const the = session();
  if (name == nullptr || the == nullptr || InsideTool::here() || !is_own_doing(info)) return std::nullopt;
  if (this_thread.place.thread == ThreadId::none) return std::nullopt;
  const InsideTool inside;
  if (the->collector().size() != 0 || the->collector().left_out() != 0) return std::nullopt;
  std::vector<TaskDescription> tasks = the->checker().running(the->checker().thread(this_thread.place.thread));
  if (std::none_of(tasks.begin(), tasks.end(), is_of_a_construct)) return std::nullopt;
  const auto death = std::make_unique<Step>(Step{name, {}, std::nullopt, std::move(tasks)});
  death->stack.reserve(most_frames);
  unfinished = death.get();
  _Unwind_Backtrace(step, &death->stack);
  if (const Address caller = caller_of_nothing(context); caller != 0 && death->stack.size() == 1)
    death->stack.push_back(caller);
  unfinished = nullptr;
  return std::move(*death);
}

std::optional<Step> unfinished_death() {
  const Step* const death = unfinished.exchange(nullptr);
  return death != nullptr ? std::optional(*death) : std::nullopt;
}

} // namespace fletcher::tool
