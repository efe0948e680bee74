// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DWARF's expressions, as far as compilers write them for variables in memory: evaluated for a frame by what the
// checked process reported of its registers and memory.
#pragma once

#include "tools/frames/frame.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/DebugInfo/DWARF/DWARFExpression.h>

namespace fletcher::frames {

using Address = std::uint64_t;

constexpr std::uint32_t rbx = 3, rbp = 6, rsp = 7, r12 = 12, r15 = 15; // DWARF's numbers for x86-64
constexpr std::uint8_t pointer_size = 8;

/// What the caller's register held; nothing for one that a call need not preserve, or that was not reported.
std::optional<Address> register_of(const Call& call, std::uint32_t number);

/// Nothing where an expression needs what is not known.
class Evaluator {
public:
  Evaluator(const Call& call, Address cfa) : call_(call), cfa_(cfa) {}

  /// The same frame with other registers.
  Evaluator with(const Call& call) const {
    Evaluator other = *this;
    other.call_ = call;
    return other;
  }
  void set_frame_base(llvm::ArrayRef<std::uint8_t> expression);
  /// Where a variable is.
  std::optional<Address> place(llvm::ArrayRef<std::uint8_t> expression) const;
  /// What a variable of `size` bytes holds.
  std::optional<Address> content(llvm::ArrayRef<std::uint8_t> expression, std::uint64_t size) const;
  /// What an attribute's expression computes.
  std::optional<Address> number(llvm::ArrayRef<std::uint8_t> expression) const;

private:
  struct Result {
    enum Kind : std::uint8_t { address, in_register, value } kind;
    Address number;
  };
  using Stack = std::vector<Address>;

  std::optional<Result> result(llvm::ArrayRef<std::uint8_t> bytes) const;
  /// One operation; false for what is not known.
  bool step(const llvm::DWARFExpression::Operation& op, Stack& stack) const;
  /// What an operation pushes without looking at the stack.
  std::optional<Address> operand(const llvm::DWARFExpression::Operation& op) const;

  Call call_;
  Address cfa_;
  std::optional<Address> frame_base_;
};

} // namespace fletcher::frames
