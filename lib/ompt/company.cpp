// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/company.hpp"

#include <array>
#include <atomic>
#include <ctime>

namespace fletcher::ompt {

namespace {

/// Of a team, how many parts its members have got or not got: its number, and behind that the count. Of teams that
/// share a slot the later one has it, and the earlier one has no company.
constinit std::array<std::atomic<std::uint64_t>, 64> slots{};

std::atomic<std::uint64_t>& slot(TeamId team) noexcept { return slots[number(team) % slots.size()]; }
std::uint64_t none_of(TeamId team) noexcept { return std::uint64_t{number(team)} << 32; }

constexpr long look_every = 50'000; ///< nanoseconds; with the time to wake up a look takes about 130 microseconds
constexpr unsigned most_looks = 40, most_looks_of_thread = 120;
[[gnu::tls_model("initial-exec")]] constinit thread_local unsigned looks_of_thread = 0;

} // namespace

void come(Frame& frame) noexcept {
  if (frame.size < 2 || looks_of_thread >= most_looks_of_thread) return;
  ++frame.begun_in_company;
  frame.coming = true;
}

void leave_company(Frame& frame) noexcept {
  if (!frame.coming) return;
  frame.coming = false;
  std::atomic<std::uint64_t>& there = slot(frame.team);
  std::uint64_t before = there.load(std::memory_order_relaxed), now = 0;
  do now = (before >> 32 == number(frame.team) ? before : none_of(frame.team)) + 1;
  while (!there.compare_exchange_weak(before, now, std::memory_order_relaxed));
}

void begin_in_company(Frame& frame) noexcept {
  if (!frame.coming) return;
  leave_company(frame);
  const std::uint64_t all = none_of(frame.team) + std::uint64_t{frame.begun_in_company} * frame.size;
  // Who comes last goes on while the others are still asleep, in every second region. Else it looks once more.
  const bool looks_again = (number(frame.team) + frame.begun_in_company) % 2 != 0;
  for (unsigned looks = 0; looks < most_looks && looks_of_thread < most_looks_of_thread; ++looks, ++looks_of_thread) {
    const std::uint64_t there = slot(frame.team).load(std::memory_order_relaxed);
    if ((there >= all && (looks > 0 || !looks_again)) || there >> 32 != number(frame.team)) return;
    const timespec span{0, look_every};
    nanosleep(&span, nullptr);
  }
}

} // namespace fletcher::ompt
