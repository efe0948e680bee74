// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/gomp/single_end.hpp"

#include "lib/interpose/binding/called_names.hpp"
#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"
#include "lib/tool/thread.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fletcher::interpose {

namespace {

using tool::Instruction;
using Does = Instruction::Does;
constexpr int far_enough = 24; ///< instructions

enum class Behind : std::uint8_t { something, barrier, end_of_function };

std::optional<Instruction> instruction_at(Address at) {
  const auto code = tool::peek<tool::InstructionBytes>(at);
  return code ? tool::decode(*code) : std::nullopt;
}

/// What a way comes to first that does not part.
Behind behind(Address at, const CalledNames& names) {
  for (int left = far_enough; left > 0; --left) {
    const auto is = instruction_at(at);
    if (!is || is->does == Does::branch || is->does == Does::jump_to) break;
    if (is->does == Does::leave) return Behind::end_of_function;
    at += is->length;
    if (is->does == Does::jump) at += static_cast<Address>(std::int64_t{is->distance});
    if (is->does != Does::call) continue;
    const std::string_view called = names.of_call(at);
    if (called == "GOMP_barrier") return Behind::barrier;
    if (called != "__tsan_func_exit") break;
  }
  return Behind::something;
}

// One of the two ways is that of who does not execute the construct.
Behind find(Address at) {
  for (int left = far_enough; left > 0; --left) {
    const auto is = instruction_at(at);
    if (!is || is->does == Does::call) break;
    at += is->length;
    if (is->does != Does::branch) continue;
    const CalledNames names(at);
    const Behind next = behind(at, names);
    const Behind elsewhere = behind(at + static_cast<Address>(std::int64_t{is->distance}), names);
    if (next == Behind::barrier || elsewhere == Behind::barrier) return Behind::barrier;
    return next == Behind::end_of_function ? next : elsewhere;
  }
  return Behind::something;
}

/// Direct-mapped; a place, and in the top bits the answer.
std::array<std::atomic<std::uint64_t>, 256> answers;
constexpr unsigned answer_at = 62;

} // namespace

bool ends_at_barrier(Address return_address, bool in_body) noexcept {
  constexpr std::uint64_t place = (std::uint64_t{1} << answer_at) - 1;
  std::atomic<std::uint64_t>& answer = answers[(return_address ^ return_address >> 8) % answers.size()];
  std::uint64_t known = answer.load(std::memory_order_relaxed);
  if ((known & place) != return_address) {
    const tool::InsideTool inside;
    known = return_address | static_cast<std::uint64_t>(find(return_address)) << answer_at;
    answer.store(known, std::memory_order_relaxed);
  }
  const auto found = static_cast<Behind>(known >> answer_at);
  return found == Behind::barrier || (found == Behind::end_of_function && in_body);
}

} // namespace fletcher::interpose
