// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/delays.hpp"

#include <ctime>

namespace fletcher::tool {

namespace {

/// Of the thread: how many events it has told, and the state of a generator (Marsaglia's xorshift); 0: not begun.
struct Chance {
  std::uint64_t events, state;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Chance chance{};

std::uint64_t next(std::uint64_t& state) noexcept {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

constexpr std::uint64_t longest = 300'000; ///< nanoseconds
constexpr std::uint64_t rarer_every = 16;  ///< events

} // namespace

// Each second event waits at first, later ones ever more rarely: a million events have some 200 delays.
void Delays::wait(ThreadId thread) const noexcept {
  if (chance.state == 0) chance.state = (std::uint64_t{seed_} << 32 | number(thread)) * 0x9e37'79b9'7f4a'7c15u | 1;
  const std::uint64_t drawn = next(chance.state);
  if (drawn % (2 + chance.events++ / rarer_every) != 0) return;
  const timespec span{0, static_cast<long>((drawn >> 20) % longest)};
  nanosleep(&span, nullptr);
}

} // namespace fletcher::tool
