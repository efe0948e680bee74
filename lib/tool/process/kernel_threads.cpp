// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading /proc/self/task and threads' processor clocks.

#include "lib/tool/process/kernel_threads.hpp"

#include "lib/tool/gate.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::tool::kernel {

namespace {

constinit std::atomic<pid_t> watcher{0}, helper{0};

/// 'R', 'S', 'Z'…; 0 where there is no such thread.
char state_of(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  if (size <= 0) return 0;
  const std::string_view line(text, static_cast<std::size_t>(size));
  const auto name_end = line.rfind(')'); // the name may hold anything
  return name_end == std::string_view::npos || name_end + 2 >= line.size() ? '\0' : line[name_end + 2];
}

/// Empty where the kernel does not tell.
std::vector<pid_t> living_threads() {
  std::vector<pid_t> result;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return result;
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread); // not by a function that is looked up
    if (thread <= 0 || thread == watcher || thread == helper) continue;
    if (const char state = state_of(thread); state != 'Z' && state != 'X' && state != 0) result.push_back(thread);
  }
  closedir(folder);
  return result;
}

bool tells_events(pid_t thread) {
  const auto slots = gate::slots();
  return std::any_of(slots.begin(), slots.end(), [&](const gate::Slot& slot) { return slot.thread == thread; });
}

} // namespace

void note_watcher() noexcept { watcher = static_cast<pid_t>(syscall(SYS_gettid)); }

void note_helper() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  for (const pid_t thread : living_threads())
    if (thread != self && thread != getpid() && (helper == 0 || thread < helper)) helper = thread;
}

std::vector<pid_t> others() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  std::vector<pid_t> result = living_threads();
  std::erase(result, self);
  return result;
}

bool has_strangers() {
  const std::vector<pid_t> threads = living_threads();
  return threads.empty() || !std::all_of(threads.begin(), threads.end(), tells_events);
}

bool alone() {
  // The main thread stays as a zombie until the last one ends; while it lives, nothing else needs to be asked.
  return state_of(getpid()) == 'Z' && living_threads().empty();
}

Progress progress(pid_t thread) {
  // The clock that clock_getcpuclockid would name, for a thread of this process.
  constexpr clockid_t per_thread_scheduler_clock = 6;
  const clockid_t clock = (~static_cast<clockid_t>(thread) << 3) | per_thread_scheduler_clock;
  Progress result;
  if (timespec time{}; clock_gettime(clock, &time) == 0)
    result.processor_time = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  const char state = state_of(thread);
  result.may_fault = state == 'D';
  result.sleeps = state == 'S' || result.may_fault;
  return result;
}

bool had_its_chance(const Progress& after, const Progress& before) noexcept {
  return after.processor_time >= 0 && (after.sleeps || after.processor_time > before.processor_time);
}

} // namespace fletcher::tool::kernel
