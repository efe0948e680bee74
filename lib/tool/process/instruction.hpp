// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one instruction does with registers, of those that compilers put between a load and the use of its value. For
// x86-64; others are not decoded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace fletcher::tool {

constexpr std::size_t longest_instruction = 15;
using InstructionBytes = std::array<std::uint8_t, longest_instruction>;

/// A bit for each: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15, then xmm0 to xmm15.
using Registers = std::uint32_t;
/// rbx, rbp, r12 to r15.
constexpr Registers kept_by_calls = 1u << 3 | 1u << 5 | 0xfu << 12;

struct Instruction {
  enum class Does : std::uint8_t {
    other,    ///< computes, compares
    load,     ///< a register from memory
    copy,     ///< a register from another one
    constant, ///< into a register
    choice,   ///< a register from another one or from memory, under a condition
    call,
    jump,
    branch, ///< under a condition
  } does = Does::other;
  bool reads_memory = false;
  std::size_t length = 0;
  Registers sets = 0, uses = 0; ///< `uses`: with those in `addresses`
  Registers addresses = 0;      ///< of memory
  std::int32_t distance = 0;    ///< of a jump or branch, from its end
};

/// Nothing for an instruction that is not known.
std::optional<Instruction> decode(const InstructionBytes& code) noexcept;

} // namespace fletcher::tool
