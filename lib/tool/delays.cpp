// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/delays.hpp"

#include "checker/memory/hash.hpp"

#include <ctime>

namespace fletcher::tool {

namespace {

/// Of the thread: how many events it had, the state of a generator (Marsaglia's xorshift; 0: not begun), and until
/// which event it is held back.
struct Chance {
  std::uint64_t events, state, held_until;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Chance chance{};

std::uint64_t next(std::uint64_t& state) noexcept {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

constexpr std::uint64_t longest = 300'000; ///< nanoseconds
constexpr std::uint64_t rarer_every = 16;  ///< events
constexpr std::uint64_t stretch = 32;      ///< events; in each of them the thread is held back or not
constexpr std::uint64_t held_back_one_of = 4;
constexpr unsigned held_back_doublings = 7; ///< by which a delay is longer then: 40 ms at most

/// Evenly distributed in its logarithm: whatever the others do takes as long as some delays.
std::uint64_t longer(std::uint64_t span, std::uint64_t drawn) noexcept {
  return span << drawn % (held_back_doublings + 1);
}

} // namespace

// Each second event waits at first, later ones ever more rarely: a million events have some 200 delays. What needs one
// thread to be far behind the others needs more than chance at each event: PCT (Burckhardt et al., A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010) gives threads priorities that change at few
// points. Here a thread of low priority is one that is held back for a stretch of its events.
void Delays::wait(ThreadId thread) const noexcept {
  if (chance.state == 0) chance.state = memory::spread(std::uint64_t{seed_} << 32 | number(thread)) | 1;
  const std::uint64_t drawn = next(chance.state);
  const std::uint64_t event = chance.events++;
  if (event % stretch == 0 && (drawn >> 40) % held_back_one_of == 0) chance.held_until = event + stretch;
  if (drawn % (2 + event / rarer_every) != 0) return;
  std::uint64_t nanoseconds = (drawn >> 20) % longest;
  if (event < chance.held_until) nanoseconds = longer(nanoseconds, drawn >> 50);
  const timespec span{0, static_cast<long>(nanoseconds)};
  nanosleep(&span, nullptr);
}

} // namespace fletcher::tool
