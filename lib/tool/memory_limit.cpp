// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/memory_limit.hpp"

#include "checker/checker.hpp"
#include "lib/tool/gate.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/session.hpp"

#include <time.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

namespace fletcher::tool {

namespace {

std::int64_t now(clockid_t clock = CLOCK_MONOTONIC) noexcept { // in milliseconds
  timespec t{};
  clock_gettime(clock, &t);
  return std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

std::string limit_reached(Session& the) {
  return "memory_limit=" + std::to_string(the.options().memory_limit) + " is reached: ";
}

} // namespace

MemoryLimit::MemoryLimit(Session& the)
    : the_(the), limit_(the.checker().checks_accesses() ? std::uint64_t{the.options().memory_limit} << 20 : 0) {}

/// What the system has filled of the reserved ranges. The kernel may have made one mapping of two that are neighbours.
std::uint64_t MemoryLimit::used() const {
  const auto ranges = the_.checker().reserved();
  std::FILE* const maps = std::fopen("/proc/self/smaps", "re");
  if (maps == nullptr) return 0;
  std::uint64_t kilobytes = 0;
  bool ours = false;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    std::uint64_t begin = 0, end = 0, size = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &begin, &end) == 2) {
      ours = std::any_of(ranges.begin(), ranges.end(), [&](std::span<const std::byte> range) {
        const auto from = reinterpret_cast<std::uintptr_t>(range.data());
        return begin < from + range.size() && from < end;
      });
    } else if (ours && std::sscanf(line, "Rss: %" SCNu64, &size) == 1) {
      kilobytes += size;
    }
  }
  std::fclose(maps);
  return kilobytes << 10;
}

void MemoryLimit::look() {
  const std::int64_t begin = now();
  if (limit_ == 0 || begin < next_look_) return;
  if (asked_ > 0 && !the_.checker().is_memory_asked_for()) {
    asked_ = 0;
    if (!std::exchange(said_given_back_, true))
      say(limit_reached(the_) + "memory that is not needed any more is freed; no race is missed because of it");
  }
  constexpr unsigned patience = 3; // looks, as long as it is not twice as much
  const std::int64_t worked = now(CLOCK_THREAD_CPUTIME_ID);
  const std::uint64_t memory = used();
  if (memory > limit_ && asked_ == 0) the_.checker().ask_for_memory();
  if (memory > limit_ && asked_ > (memory > 2 * limit_ ? 0 : patience)) forget();
  if (memory > limit_ || asked_ > 0) ++asked_;
  constexpr std::int64_t share = 10; // of the time, at most one part
  next_look_ = now() + share * (now(CLOCK_THREAD_CPUTIME_ID) - worked);
}

void MemoryLimit::forget() {
  if (!gate::close(std::chrono::milliseconds(100))) return;
  the_.checker().forget_accesses();
  gate::open();
  if (!the_.accesses_forgotten.exchange(true))
    say(limit_reached(the_) + "shadow memory is freed from time to time; races with earlier accesses may be missed");
}

} // namespace fletcher::tool
