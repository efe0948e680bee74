// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/own_values.hpp"

#include "checker/constructs/strand.hpp"
#include "checker/constructs/teams/team.hpp"
#include "checker/memory/hash.hpp"
#include "lib/interpose/binding/called_names.hpp"
#include "lib/ompt/local.hpp"
#include "lib/tool/carried/carried_values.hpp"
#include "lib/tool/process/function_extent.hpp"
#include "lib/tool/thread.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fletcher::ompt {

namespace {

using interpose::CalledNames;
using tool::function_around;

/// A construct.
struct Begin {
  enum class By : std::uint8_t {
    call,     ///< which returns there
    region,   ///< in which it begins: by the call that returns there
    body,     ///< of the region in which it begins
    function, ///< one of those in that which the address is in
  } by;
  Address at;
};

bool may_carry_itself(Begin begin) {
  using tool::carried::doubts_of;
  const auto function = function_around(begin.at);
  if (!function) return true;
  const CalledNames names(begin.at);
  const std::string_view called = names.of_call(begin.at);
  switch (begin.by) {
  case Begin::By::body:
    return doubts_of(*function, names).has(0);
  case Begin::By::function: {
    const tool::carried::Doubts doubts = doubts_of(*function, names);
    return doubts.of_all || !doubts.constructs.empty();
  }
  default:
    if (called.starts_with("GOMP_parallel_")) {
      const auto body = function_around(tool::carried::first_argument(*function, names, begin.at));
      return !body || doubts_of(*body, names).has(0);
    }
    return begin.by == Begin::By::region || doubts_of(*function, names).has(begin.at);
  }
}

/// `callers`: the calls of the region that it is in, as the places that they return to, outermost first.
bool may_carry(Begin begin, std::span<const access::Frame> callers) {
  return may_carry_itself(begin) || std::ranges::any_of(callers, [](const access::Frame& caller) {
           const auto around = function_around(caller.pc);
           return !around || tool::carried::doubts_of(*around, CalledNames(caller.pc), caller.pc).has(caller.pc);
         });
}

/// Direct-mapped; what was asked, and in the lowest bit the answer.
std::array<std::atomic<std::uint64_t>, 1024> answers;

bool may_carry_known(Begin begin, std::span<const access::Frame> callers) {
  std::uint64_t key = memory::spread(begin.at << 2 | static_cast<std::uint64_t>(begin.by));
  for (const access::Frame& caller : callers) key = memory::spread(key ^ caller.pc);
  std::atomic<std::uint64_t>& answer = answers[key >> 54];
  key |= 1;
  const std::uint64_t known = answer.load(std::memory_order_relaxed);
  if ((known | 1) == key) return (known & 1) != 0;
  const bool carries = may_carry(begin, callers);
  answer.store(carries ? key : key & ~std::uint64_t{1}, std::memory_order_relaxed);
  return carries;
}

} // namespace

// For sections LLVM's runtime does not tell gcc's call, nor on workers that of the region that begins with a construct.
void doubt_own_values(Address pc) {
  access::ThreadState* const thread = tool::this_thread.attached;
  if (thread == nullptr || thread->task == nullptr || thread->task->kind != TaskKind::implicit) return;
  const constructs::Team* const team = thread->task->team();
  if (team == nullptr || team->own_values_are_told || (team->size < 2 && !team->open)) return;
  if (constructs::is_identified(*thread) || thread->task->now().asked_thread_number.load(std::memory_order_relaxed))
    return;
  using By = Begin::By;
  const std::span calls(thread->stack.base(), thread->stack.top());
  const Begin begin = local.loop_body != 0 ? Begin{By::body, local.loop_body}
                      : pc != 0            ? Begin{By::call, pc}
                      : calls.empty()      ? Begin{By::region, team->call.pc}
                                           : Begin{By::function, calls.back().body};
  const std::span callers = calls.empty() ? calls : calls.subspan(1); // the first one is the runtime's
  constexpr std::size_t deep = 32;
  if (begin.at == 0 || callers.size() > deep || may_carry_known(begin, callers)) constructs::identify(*thread);
}

} // namespace fletcher::ompt
