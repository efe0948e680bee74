// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracer is a copy of the process with one thread, made without libc's knowledge. It shares one page with it, and
// calls nothing but the system: any lock may be held in its memory forever.

#include "lib/interpose/takeover/standstill.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/ptrace.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

namespace fletcher::interpose {

struct Standstill::Shared {
  enum : std::uint32_t { starting, allowed, stopped, refused, over };
  static constexpr std::size_t most = 4096;

  std::atomic<std::uint32_t> state{starting};
  std::uint32_t count = 0;
  std::array<StoppedThread, most> threads;
  std::array<int, most> signals; ///< that a thread was about to get when it was stopped; 0: none
};

#if defined(__x86_64__)

namespace {

/// Milliseconds. Where many others want the processors, a thread may have to wait for one before it can be stopped.
constexpr long patience_with_thread = 5000, patience = 4 * patience_with_thread;

long in_milliseconds() noexcept {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void sleep_a_little() noexcept {
  const timespec time{0, 50'000};
  syscall(SYS_nanosleep, &time, nullptr);
}

/// False: it did not become anything else in time.
bool wait_until_not(std::atomic<std::uint32_t>& state, std::uint32_t value, long milliseconds) noexcept {
  const long end = in_milliseconds() + milliseconds;
  while (state.load(std::memory_order_acquire) == value) {
    const timespec time{0, 100'000'000};
    if (in_milliseconds() > end) return false;
    syscall(SYS_futex, &state, FUTEX_WAIT, value, &time, nullptr, 0);
  }
  return true;
}
void become(std::atomic<std::uint32_t>& state, std::uint32_t value) noexcept {
  state.store(value, std::memory_order_release);
  syscall(SYS_futex, &state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// "/proc/<process>/task", and of a thread in it.
class Path {
public:
  explicit Path(pid_t process, std::string_view thread = {}, std::string_view file = {}) noexcept {
    append("/proc/");
    append(process);
    append("/task");
    if (thread.empty()) return;
    append("/");
    append(thread);
    append(file);
  }
  const char* text() const noexcept { return text_.data(); }

private:
  void append(std::string_view word) noexcept {
    for (const char c : word)
      if (size_ + 1 < text_.size()) text_[size_++] = c;
  }
  void append(pid_t number) noexcept {
    std::array<char, 12> digits{};
    std::size_t at = digits.size();
    for (; number > 0; number /= 10) digits[--at] = static_cast<char>('0' + number % 10);
    append({digits.data() + at, digits.size() - at});
  }
  std::array<char, 64> text_{};
  std::size_t size_ = 0;
};

/// It has ended, and nobody has asked for it yet: the process's first thread stays so.
bool is_dead(pid_t process, std::string_view thread) noexcept {
  const long file = syscall(SYS_openat, AT_FDCWD, Path(process, thread, "/stat").text(), O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return true;
  std::array<char, 256> text{};
  const long size = syscall(SYS_read, file, text.data(), text.size());
  syscall(SYS_close, file);
  const std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const auto name_end = line.rfind(')');
  return name_end == std::string_view::npos || name_end + 2 >= line.size() || line[name_end + 2] == 'Z' ||
         line[name_end + 2] == 'X';
}

enum class Outcome : std::uint8_t { stopped, gone, refused };

class Tracer {
public:
  Tracer(pid_t process, pid_t asker, const Narrows& narrows, std::span<StoppedThread> threads,
         std::span<int> signals) noexcept
      : process_(process), asker_(asker), narrows_(narrows), threads_(threads), signals_(signals) {}

  /// All threads but the asker's, and those that they start meanwhile.
  bool stop_all() noexcept {
    for (bool found = true; found;) {
      found = false;
      if (!stop_new(found)) return false;
    }
    return true;
  }
  void let_go() noexcept {
    for (std::size_t i = 0; i < count_; ++i) ask(PTRACE_DETACH, threads_[i].thread, signals_[i]);
  }
  std::size_t count() const noexcept { return count_; }

private:
  static long ask(long request, pid_t thread, long data = 0) noexcept {
    return syscall(SYS_ptrace, request, thread, 0, data);
  }

  bool stop_new(bool& found) noexcept {
    const long folder = syscall(SYS_openat, AT_FDCWD, Path(process_).text(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0) return false;
    bool good = true;
    alignas(8) std::array<char, 4096> entries;
    for (long size; good && (size = syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0;)
      for (long at = 0; good && at < size;) {
        // struct linux_dirent64, which no header has
        const char* const entry = entries.data() + at;
        at += *reinterpret_cast<const std::uint16_t*>(entry + 16);
        good = look_at(std::string_view(entry + 19), found);
      }
    syscall(SYS_close, folder);
    return good;
  }

  bool look_at(std::string_view name, bool& found) noexcept {
    pid_t thread = 0;
    for (const char digit : name) thread = digit >= '0' && digit <= '9' ? thread * 10 + (digit - '0') : 0;
    if (thread == 0 || thread == asker_ || is_known(thread)) return true;
    if (count_ == threads_.size()) return false;
    switch (stop(thread)) {
    case Outcome::stopped:
      found = true;
      return true;
    case Outcome::gone:
      return true;
    case Outcome::refused:
      return is_dead(process_, name);
    }
    return false;
  }

  bool is_known(pid_t thread) const noexcept {
    for (std::size_t i = 0; i < count_; ++i)
      if (threads_[i].thread == thread) return true;
    return false;
  }

  Outcome stop(pid_t thread) noexcept {
    if (ask(PTRACE_SEIZE, thread) != 0) return errno == ESRCH ? Outcome::gone : Outcome::refused;
    ask(PTRACE_INTERRUPT, thread);
    int status = 0;
    if (!wait_for(thread, status)) return Outcome::refused;
    if (!WIFSTOPPED(status)) return Outcome::gone;
    user_regs_struct registers{};
    if (ask(PTRACE_GETREGS, thread, reinterpret_cast<long>(&registers)) != 0) return Outcome::refused;
    int signal = is_by_tracer(status) ? 0 : WSTOPSIG(status);
    constexpr int most_steps = 20;
    for (int i = 0; i < most_steps && signal == 0 && narrows_.hold(registers.rip); ++i) {
      if (ask(PTRACE_SINGLESTEP, thread) != 0 || !wait_for(thread, status)) return Outcome::refused;
      if (!WIFSTOPPED(status)) return Outcome::gone;
      if (!is_by_tracer(status) && WSTOPSIG(status) != SIGTRAP) signal = WSTOPSIG(status);
      if (ask(PTRACE_GETREGS, thread, reinterpret_cast<long>(&registers)) != 0) return Outcome::refused;
    }
    threads_[count_] = {thread, registers.rip};
    signals_[count_++] = signal;
    return Outcome::stopped;
  }

  static bool is_by_tracer(int status) noexcept { return (status >> 16) != 0; }

  /// False: nothing was heard of it in time. A thread that is no more counts as one that has exited.
  static bool wait_for(pid_t thread, int& status) noexcept {
    for (const long end = in_milliseconds() + patience_with_thread; in_milliseconds() < end; sleep_a_little()) {
      const long waited = syscall(SYS_wait4, thread, &status, __WALL | WNOHANG, nullptr);
      if (waited < 0) status = 0;
      if (waited != 0) return true;
    }
    return false;
  }

  pid_t process_, asker_;
  const Narrows& narrows_;
  std::span<StoppedThread> threads_;
  std::span<int> signals_;
  std::size_t count_ = 0;
};

[[noreturn]] void end_process() noexcept {
  for (;;) syscall(SYS_exit_group, 0); // threads that are still traced go on
}

constexpr std::size_t signal_set_size = 8; ///< the kernel's

} // namespace

Standstill::Standstill(const Narrows& narrows) noexcept {
  const long made =
      syscall(SYS_mmap, nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (made < 0 && made > -4096) return;
  shared_ = new (reinterpret_cast<void*>(made)) Shared;
  const unsigned long all = ~0ul;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &signals_, signal_set_size);
  const auto process = static_cast<pid_t>(syscall(SYS_getpid)), asker = static_cast<pid_t>(syscall(SYS_gettid));
  tracer_ = static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
  if (tracer_ == 0) {
    syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (!wait_until_not(shared_->state, Shared::starting, patience)) end_process();
    Tracer tracer(process, asker, narrows, shared_->threads, shared_->signals);
    const bool stopped = tracer.stop_all();
    shared_->count = static_cast<std::uint32_t>(tracer.count());
    become(shared_->state, stopped ? Shared::stopped : Shared::refused);
    if (stopped && wait_until_not(shared_->state, Shared::stopped, 2 * patience)) tracer.let_go();
    end_process();
  }
  if (tracer_ < 0) {
    end();
    return;
  }
  syscall(SYS_prctl, PR_SET_PTRACER, tracer_, 0, 0, 0); // where a process may trace its descendants only
  become(shared_->state, Shared::allowed);
  reached_ = wait_until_not(shared_->state, Shared::allowed, patience) &&
             shared_->state.load(std::memory_order_acquire) == Shared::stopped;
  if (!reached_) end();
}

Standstill::~Standstill() { end(); }

void Standstill::end() noexcept {
  if (shared_ == nullptr) return;
  if (tracer_ > 0) {
    if (reached_)
      become(shared_->state, Shared::over);
    else
      syscall(SYS_kill, tracer_, SIGKILL);
    while (syscall(SYS_wait4, tracer_, nullptr, __WALL, nullptr) < 0 && errno == EINTR) {
    }
    syscall(SYS_prctl, PR_SET_PTRACER, 0, 0, 0, 0);
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &signals_, nullptr, signal_set_size);
  syscall(SYS_munmap, shared_, sizeof(Shared));
  shared_ = nullptr;
  reached_ = false;
}

std::span<const StoppedThread> Standstill::threads() const noexcept {
  return reached_ ? std::span<const StoppedThread>(shared_->threads.data(), shared_->count)
                  : std::span<const StoppedThread>();
}

#else

Standstill::Standstill(const Narrows&) noexcept {}
Standstill::~Standstill() = default;
std::span<const StoppedThread> Standstill::threads() const noexcept { return {}; }

#endif

bool Narrows::hold(Address at) const noexcept {
  for (const Address entry : entries)
    if (at > entry && at < entry + size) return true;
  return false;
}

} // namespace fletcher::interpose
