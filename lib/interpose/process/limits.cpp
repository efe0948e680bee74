// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setrlimit() and prlimit(): a program that limits its own address space means what it uses itself, and would not get a
// byte more where the checker's tables have reserved far more than that already. So the system is asked for a limit
// that has room for them, and the program hears of its own. Relies on how reserved.cpp marks what it reserves.
#include "lib/interpose/process/limits.hpp"

#include "checker/memory/spin_lock.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace {

/// Of this process.
int limit_of_system(int resource, const rlimit* set, rlimit* before) noexcept {
  return static_cast<int>(syscall(SYS_prlimit64, 0, resource, set, before));
}

/// What tables and threads of the checker's need later, and beyond which a limit is left to the system.
constexpr rlim_t later = rlim_t{2} << 30, far = rlim_t{1} << 47;

/// What the program has asked for, and what the system was asked for in its place.
struct Limit {
  int resource;
  rlimit asked{}, set{};
  bool is_set = false;
};
constinit std::array<Limit, 2> limits{Limit{RLIMIT_AS}, Limit{RLIMIT_DATA}};
constinit fletcher::memory::SpinLock changing;

Limit* limit_of(int resource) noexcept {
  Limit* const found = std::ranges::find(limits, resource, &Limit::resource);
  return found == limits.end() ? nullptr : found;
}
bool is_in_force(const Limit& limit, const rlimit& now) noexcept {
  return limit.is_set && now.rlim_cur == limit.set.rlim_cur && now.rlim_max == limit.set.rlim_max;
}
rlim_t sum(rlim_t a, rlim_t b) noexcept { return a > RLIM_INFINITY - b ? RLIM_INFINITY : a + b; }

/// Adds up ranges in the kernel's list of them (smaps), a line at a time.
class Reserved {
public:
  void line(std::string_view text) noexcept {
    if (std::uint64_t begin = 0, end = 0; range(text, begin, end)) {
      last_ = end - begin;
    } else if (text.starts_with("VmFlags:") && text.find(" dd") != text.npos && text.find(" nh") != text.npos) {
      bytes_ += last_; // neither in core files nor in huge pages: Reservation
    }
  }
  rlim_t bytes() const noexcept { return bytes_; }

private:
  static bool range(std::string_view text, std::uint64_t& begin, std::uint64_t& end) noexcept {
    const char* const last = text.data() + text.size();
    const auto [dash, error] = std::from_chars(text.data(), last, begin, 16);
    return error == std::errc{} && dash != last && *dash == '-' &&
           std::from_chars(dash + 1, last, end, 16).ec == std::errc{};
  }
  rlim_t last_ = 0, bytes_ = 0;
};

/// Allocates nothing: it may be called between fork and exec.
rlim_t reserved() noexcept {
  const int file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  Reserved all;
  std::array<char, 4096> text;
  std::size_t kept = 0;
  while (true) {
    const ssize_t more = read(file, text.data() + kept, text.size() - kept);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    std::string_view rest(text.data(), kept + static_cast<std::size_t>(more));
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      all.line(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    kept = rest.size() < text.size() ? rest.size() : 0; // a name can be longer: no line of interest
    std::memmove(text.data(), rest.data(), kept);
  }
  close(file);
  return all.bytes();
}

/// The system's limit for what the program asks for.
rlimit with_room(const rlimit& asked, const rlimit& now, rlim_t own) noexcept {
  rlimit set{sum(asked.rlim_cur, own + later), sum(asked.rlim_max, far)};
  set.rlim_max = std::min(set.rlim_max, std::max(now.rlim_max, asked.rlim_max)); // the system refuses more
  set.rlim_cur = std::min(set.rlim_cur, set.rlim_max);
  return set;
}

int change(pid_t process, int resource, const rlimit* asked, rlimit* before) noexcept {
  Limit* const limit = process == 0 || process == getpid() ? limit_of(resource) : nullptr;
  if (limit == nullptr) return static_cast<int>(syscall(SYS_prlimit64, process, resource, asked, before));
  const fletcher::memory::SpinGuard guard(changing);
  rlimit now;
  if (const int failed = limit_of_system(resource, nullptr, &now); failed != 0) return failed;
  const bool in_force = is_in_force(*limit, now);
  const rlimit told = in_force ? limit->asked : now;
  if (asked != nullptr) {
    rlimit set = *asked;
    const rlim_t own = asked->rlim_cur <= asked->rlim_max ? reserved() : 0;
    if (own != 0) set = with_room(*asked, now, own);
    if (const int failed = limit_of_system(resource, &set, nullptr); failed != 0) return failed;
    limit->is_set = own != 0;
    limit->asked = *asked;
    limit->set = set;
  }
  if (before != nullptr) *before = told;
  return 0;
}

} // namespace

namespace fletcher::interpose {

RoomForTables::RoomForTables() noexcept {
  const memory::SpinGuard guard(changing);
  for (Limit& limit : limits) {
    rlimit now;
    if (!limit.is_set || limit_of_system(limit.resource, nullptr, &now) != 0) continue;
    limit.is_set = is_in_force(limit, now);
    const rlimit all{now.rlim_max, now.rlim_max};
    if (limit.is_set) limit_of_system(limit.resource, &all, nullptr);
  }
}

RoomForTables::~RoomForTables() {
  const memory::SpinGuard guard(changing);
  for (Limit& limit : limits) {
    rlimit now;
    if (!limit.is_set || limit_of_system(limit.resource, nullptr, &now) != 0) continue;
    limit.set = with_room(limit.asked, now, reserved());
    limit_of_system(limit.resource, &limit.set, nullptr);
  }
}

} // namespace fletcher::interpose

#pragma GCC visibility push(default)
extern "C" {

int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  return change(0, static_cast<int>(resource), limit, nullptr);
}
int setrlimit64(__rlimit_resource_t resource, const rlimit64* limit) noexcept {
  return change(0, static_cast<int>(resource), reinterpret_cast<const rlimit*>(limit), nullptr);
}
int getrlimit(__rlimit_resource_t resource, rlimit* limit) noexcept {
  return change(0, static_cast<int>(resource), nullptr, limit);
}
int getrlimit64(__rlimit_resource_t resource, rlimit64* limit) noexcept {
  return change(0, static_cast<int>(resource), nullptr, reinterpret_cast<rlimit*>(limit));
}
int prlimit(pid_t process, __rlimit_resource resource, const rlimit* limit, rlimit* before) noexcept {
  return change(process, static_cast<int>(resource), limit, before);
}
int prlimit64(pid_t process, __rlimit_resource resource, const rlimit64* limit, rlimit64* before) noexcept {
  return change(process, static_cast<int>(resource), reinterpret_cast<const rlimit*>(limit),
                reinterpret_cast<rlimit*>(before));
}
}
#pragma GCC visibility pop
