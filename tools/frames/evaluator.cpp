// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/frames/evaluator.hpp"

namespace fletcher::frames {

namespace dwarf = llvm::dwarf;
using llvm::DWARFExpression;

namespace {

/// The `size` bytes at `address`, where the process has reported them.
std::optional<Address> memory_at(const Call& call, Address address, std::uint64_t size) {
  const Details& known = call.details;
  const Address offset = address - known.memory_begin;
  const std::size_t index = offset / pointer_size, shift = offset % pointer_size;
  if (size == 0 || index >= known.memory.size() || shift + size > pointer_size) return std::nullopt;
  const Address word = known.memory[index] >> (8 * shift);
  return size == pointer_size ? word : word & ((Address{1} << (8 * size)) - 1);
}

std::optional<Address> combined(std::uint8_t code, Address a, Address b) {
  switch (code) {
  case dwarf::DW_OP_plus:
    return a + b;
  case dwarf::DW_OP_minus:
    return a - b;
  case dwarf::DW_OP_mul:
    return a * b;
  case dwarf::DW_OP_and:
    return a & b;
  case dwarf::DW_OP_shl:
    return b < 64 ? std::optional(a << b) : std::nullopt;
  case dwarf::DW_OP_shr:
    return b < 64 ? std::optional(a >> b) : std::nullopt;
  case dwarf::DW_OP_shra:
    return b < 64 ? std::optional(static_cast<Address>(static_cast<std::int64_t>(a) >> b)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<Address> register_of(const Call& call, std::uint32_t number) {
  if (number == rsp) return call.stack_pointer;
  if (number == rbp) return call.frame_pointer;
  const std::vector<Address>& kept = call.details.registers;
  const std::size_t index = number == rbx ? 0 : number >= r12 && number <= r15 ? number - r12 + 1 : kept.size();
  return index < kept.size() ? std::optional(kept[index]) : std::nullopt; // others a call need not preserve
}

void Evaluator::set_frame_base(llvm::ArrayRef<std::uint8_t> expression) {
  const auto base = result(expression);
  frame_base_ = base && base->kind != Result::value ? std::optional(base->number) : std::nullopt;
}

std::optional<Address> Evaluator::place(llvm::ArrayRef<std::uint8_t> expression) const {
  const auto found = result(expression);
  return found && found->kind == Result::address ? std::optional(found->number) : std::nullopt;
}

std::optional<Address> Evaluator::content(llvm::ArrayRef<std::uint8_t> expression, std::uint64_t size) const {
  const auto found = result(expression);
  if (!found) return std::nullopt;
  return found->kind == Result::address ? memory_at(call_, found->number, size) : std::optional(found->number);
}

std::optional<Address> Evaluator::number(llvm::ArrayRef<std::uint8_t> expression) const {
  const auto found = result(expression);
  return found ? std::optional(found->number) : std::nullopt;
}

std::optional<Evaluator::Result> Evaluator::result(llvm::ArrayRef<std::uint8_t> bytes) const {
  const llvm::DataExtractor data(llvm::toStringRef(bytes), true, pointer_size);
  const DWARFExpression expression(data, pointer_size);
  std::vector<Address> stack;
  auto kind = Result::address;
  for (const auto& op : expression) {
    if (op.isError() || kind != Result::address) return std::nullopt; // the last one tells the kind
    const std::uint8_t code = op.getCode();
    if (code == dwarf::DW_OP_stack_value) {
      kind = Result::value;
    } else if (code >= dwarf::DW_OP_reg0 && code <= dwarf::DW_OP_reg31) {
      const auto content = register_of(call_, code - dwarf::DW_OP_reg0);
      if (!content || !stack.empty()) return std::nullopt;
      stack.push_back(*content);
      kind = Result::in_register;
    } else if (!step(op, stack)) {
      return std::nullopt;
    }
  }
  return stack.size() == 1 ? std::optional(Result{kind, stack.front()}) : std::nullopt;
}

bool Evaluator::step(const DWARFExpression::Operation& op, Stack& stack) const {
  const std::uint8_t code = op.getCode();
  if (const auto pushed = operand(op)) {
    stack.push_back(*pushed);
    return true;
  }
  if (stack.empty()) return false;
  const Address top = stack.back();
  stack.pop_back();
  std::optional<Address> result;
  if (code == dwarf::DW_OP_deref) {
    result = memory_at(call_, top, pointer_size);
  } else if (code == dwarf::DW_OP_deref_size) {
    result = memory_at(call_, top, op.getRawOperand(0));
  } else if (code == dwarf::DW_OP_plus_uconst) {
    result = top + op.getRawOperand(0);
  } else if (!stack.empty()) {
    result = combined(code, stack.back(), top);
    stack.pop_back();
  }
  if (result) stack.push_back(*result);
  return result.has_value();
}

std::optional<Address> Evaluator::operand(const DWARFExpression::Operation& op) const {
  const std::uint8_t code = op.getCode();
  if (code >= dwarf::DW_OP_lit0 && code <= dwarf::DW_OP_lit31) return code - dwarf::DW_OP_lit0;
  if (code >= dwarf::DW_OP_const1u && code <= dwarf::DW_OP_consts) return op.getRawOperand(0);
  if (code == dwarf::DW_OP_call_frame_cfa) return cfa_;
  if (code == dwarf::DW_OP_fbreg && frame_base_) return *frame_base_ + op.getRawOperand(0);
  if (code < dwarf::DW_OP_breg0 || code > dwarf::DW_OP_breg31) return std::nullopt;
  const auto base = register_of(call_, code - dwarf::DW_OP_breg0);
  return base ? std::optional(*base + op.getRawOperand(0)) : std::nullopt;
}

} // namespace fletcher::frames
