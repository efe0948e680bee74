// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/predict/prediction.hpp"

#include "checker/memory/hash.hpp"

#include <bit>
#include <utility>

namespace fletcher::predict {

namespace {
constexpr std::uint64_t most_steps = std::uint64_t{1} << 28; // seconds of a run
constexpr std::size_t most_pairs = 1u << 16;
constexpr std::uint32_t asked_each_time = 8;

std::uint64_t hash(Place place) noexcept { return memory::spread(place.pc ^ std::rotl(place.caller, 32)); }
/// The same whichever comes first. Unique except for collisions of 64 bits.
std::uint64_t key(Place a, Place b) noexcept {
  const std::uint64_t x = hash(a), y = hash(b);
  return (x + y) ^ std::rotl(x ^ y, 17);
}
} // namespace

bool Prediction::race(const Question& question, Place place, Place earlier_place) {
  if (!log_.complete() || steps_.load(std::memory_order_relaxed) > most_steps) return false;
  const std::uint64_t pair = key(place, earlier_place);
  {
    const memory::SpinGuard guard(lock_);
    if (pairs_.size() >= most_pairs && !pairs_.contains(pair)) return false;
    Pair& p = pairs_[pair];
    // A pair that was held is asked about less and less often.
    if (p.told || (++p.asked > asked_each_time && !std::has_single_bit(p.asked))) return false;
  }
  const Decision decision = sync_preserving_race(tables_, log_, question);
  steps_.fetch_add(decision.steps, std::memory_order_relaxed);
  if (decision.answer != Answer::reached) return false;
  const memory::SpinGuard guard(lock_);
  Pair& p = pairs_[pair];
  return !std::exchange(p.told, true);
}

} // namespace fletcher::predict
