// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/instrument/result_uses.hpp"

#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::instrument {

namespace {

constexpr tool::Registers result = 1; ///< rax
constexpr int far_enough = 24;        ///< instructions

/// On every way that goes on at `next`, somebody sets the register or calls a function before its value is used.
bool is_overwritten(Address next, int& left) noexcept {
  using Does = tool::Instruction::Does;
  for (; left > 0; --left) {
    const auto code = tool::peek<tool::InstructionBytes>(next);
    const auto is = code ? tool::decode(*code) : std::nullopt;
    if (!is || (is->uses & result) != 0) return false;
    if (is->does == Does::call || (is->sets & result) != 0) return true;
    next += is->length;
    const Address elsewhere = next + static_cast<Address>(is->distance);
    if (is->does == Does::branch && !is_overwritten(elsewhere, left)) return false;
    if (is->does == Does::jump) next = elsewhere;
  }
  return false;
}

/// Direct-mapped; a place, and in the top bit the answer.
std::array<std::atomic<std::uint64_t>, 1024> answers;
constexpr std::uint64_t yes = std::uint64_t{1} << 63;

} // namespace

bool leaves_result(Address pc) noexcept {
  std::atomic<std::uint64_t>& answer = answers[(pc ^ pc >> 10) % answers.size()];
  if (const std::uint64_t known = answer.load(std::memory_order_relaxed); (known & ~yes) == pc)
    return (known & yes) != 0;
  int left = far_enough;
  const bool leaves = is_overwritten(pc + 1, left);
  answer.store(pc | (leaves ? yes : 0), std::memory_order_relaxed);
  return leaves;
}

} // namespace fletcher::instrument
