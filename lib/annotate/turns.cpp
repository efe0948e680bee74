// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/turns.hpp"

#include "lib/annotate/sleep.hpp"

#include <utility>

namespace fletcher::annotate {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr auto longest = 200ms;       ///< for one loop
constexpr nanoseconds in_all = 500ms; ///< then nobody waits any more

constexpr std::uint32_t chunks_in_turn = 8;

/// Returns for how long.
nanoseconds wait(const Execution& in, const std::atomic<std::uint32_t>& count, std::uint32_t enough) noexcept {
  const auto begin = Clock::now();
  auto now = begin;
  for (; count.load(std::memory_order_relaxed) < enough && now < in.until; now = Clock::now()) sleep(50us);
  return now - begin;
}

} // namespace

void Turns::come(const Work& loop, Member& member) {
  const bool in_turn = loop.kind == WorkKind::loop_static;
  if (!in_turn && loop.kind != WorkKind::loop_dynamic && loop.kind != WorkKind::loop_guided) return;
  if (nanoseconds(waited_.load(std::memory_order_relaxed)) > in_all) return;
  const auto execution = first_execution(loop, member.loops++);
  if (!execution) return;
  member.execution = execution;
  member.chunks = in_turn ? 0 : chunks_in_turn;
  members_.fetch_add(1, std::memory_order_relaxed);
  if (!in_turn) return;
  const auto waited = wait(*execution, execution->through, member.index);
  if (member.index + 1 == member.size) waited_.fetch_add(waited.count(), std::memory_order_relaxed);
}

void Turns::take_chunk(Member& member) {
  if (!member.execution || member.chunks == 0) return;
  const std::uint32_t by_each = chunks_in_turn - member.chunks--;
  member.execution->taken.fetch_add(1, std::memory_order_relaxed);
  const auto waited = wait(*member.execution, member.execution->taken, by_each * member.size + 1);
  waited_.fetch_add(waited.count(), std::memory_order_relaxed);
}

void Turns::leave(Member& member) {
  const auto execution = std::exchange(member.execution, nullptr);
  if (!execution) return;
  members_.fetch_sub(1, std::memory_order_relaxed);
  execution->taken.fetch_add(member.size * chunks_in_turn, std::memory_order_relaxed);
  execution->through.fetch_add(1, std::memory_order_relaxed);
  wait(*execution, execution->gone, member.size - 1 - member.index);
  if (member.index + 1 < member.size) sleep(200us); // those who have gone come to what follows
  execution->gone.fetch_add(1, std::memory_order_relaxed);
}

/// Null: it is a later one.
std::shared_ptr<Execution> Turns::first_execution(const Work& loop, unsigned number) {
  const memory::SpinGuard guard(lock_);
  const auto [at, is_new] = executions_.try_emplace(loop.pc);
  std::shared_ptr<Execution>& first = at->second;
  if (is_new) first = std::make_shared<Execution>(loop.team, number, Clock::now() + longest);
  return first->team == loop.team && first->number == number ? first : nullptr;
}

} // namespace fletcher::annotate
