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
/// rdi, rsi, rdx, rcx, r8, r9, xmm0 to xmm7.
constexpr Registers arguments_of_calls = 1u << 7 | 1u << 6 | 1u << 2 | 1u << 1 | 3u << 8 | 0xffu << 16;
constexpr Registers first_argument = 1u << 7, third_argument = 1u << 2, fourth_argument = 1u << 1;
constexpr Registers vector_registers = 0xffffu << 16;
/// rax, rdx, xmm0, xmm1.
constexpr Registers results = 1u << 0 | 1u << 2 | 3u << 16;
constexpr Registers stack_pointer = 1u << 4, frame_pointer = 1u << 5;

struct Instruction {
  enum class Does : std::uint8_t {
    other,    ///< computes, compares
    load,     ///< a register from memory
    copy,     ///< a register from another one
    constant, ///< into a register
    choice,   ///< a register from another one or from memory, under a condition
    call,
    jump,
    branch,  ///< under a condition
    jump_to, ///< an address that it computes
    leave,   ///< the function
  } does = Does::other;
  bool reads_memory = false, writes_memory = false;
  bool sets_flags = false, uses_flags = false; ///< those that branches go by
  bool joins_bits = false;                     ///< by "and" or "or": the one operand may make the other one not matter
  bool locks = false;                          ///< no other thread comes between what it reads and what it writes
  bool takes_address = false;                  ///< computes the one that it names, and does not access it
  bool keeps_rest = false;                     ///< of what it sets it changes a part
  std::size_t length = 0;
  Registers sets = 0, uses = 0; ///< `uses`: with those in `addresses`
  Registers addresses = 0;      ///< of memory
  std::int32_t distance = 0;    ///< of a jump or branch, or of memory by no register, from its end
  std::uint8_t width = 0;       ///< bytes of memory that it accesses, where that is known
  std::int64_t constant = 0;    ///< of Does::constant
  /// What it adds to rsp, besides what a call or a return does.
  std::int32_t stack_change = 0;
  std::optional<std::int32_t> from_rsp = std::nullopt; ///< of memory whose address is rsp and this
  std::optional<std::int32_t> from_rbp = std::nullopt; ///< the same
  /// What is added to the registers in `addresses`, and to the end of the instruction where there are none.
  std::int32_t displacement = 0;
};

/// Nothing for an instruction that is not known.
std::optional<Instruction> decode(const InstructionBytes& code) noexcept;

} // namespace fletcher::tool
