// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/walkers.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdlib>

namespace fletcher::pass {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned most_depth = 8;
constexpr std::int64_t most_bytes = std::int64_t{1} << 30; ///< of a step: products of two are no problem

std::optional<std::int64_t> small(const Value* value) {
  const auto* number = dyn_cast<ConstantInt>(value);
  if (number == nullptr || number->getValue().getSignificantBits() > 31) return std::nullopt;
  return number->getSExtValue();
}

/// 1 or -1 where a truth value is all that is added.
std::int64_t by_truth(const Value& value) {
  const auto* cast = dyn_cast<CastInst>(&value);
  if (cast == nullptr || !cast->getSrcTy()->isIntegerTy(1)) return 0;
  return isa<ZExtInst>(cast) ? 1 : isa<SExtInst>(cast) ? -1 : 0;
}

} // namespace

/// A value as walker * factor + something that does not change. A number of fewer bits than an address must not wrap.
struct Walkers::Linear {
  PHINode* walker = nullptr; ///< null: it does not change
  std::int64_t factor = 0;
  bool no_signed_wrap = true, no_unsigned_wrap = true; ///< on the way from the walker to here
  bool signed_walker = false, unsigned_walker = false; ///< the walker itself must not wrap as such a number
};

/// All ways in which a walker goes on.
struct Walkers::Advance {
  std::int64_t step = 0;
  bool stays = false;
  bool no_signed_wrap = true, no_unsigned_wrap = true;

  bool also(std::int64_t by) {
    if (step == 0) step = by;
    return by != 0 && by == step && std::abs(by) <= most_bytes;
  }
};

std::optional<Walkers::Linear> Walkers::linear(Value& value, unsigned depth) const {
  if (loop_.isLoopInvariant(&value)) return Linear{};
  if (auto* const phi = dyn_cast<PHINode>(&value)) {
    if (phi->getParent() != loop_.getHeader()) return std::nullopt;
    return Linear{phi, 1};
  }
  auto* const instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == most_depth) return std::nullopt;
  const auto sum = [](std::optional<Linear> a, const std::optional<Linear>& b, std::int64_t times) {
    if (!a || !b || (a->walker != nullptr && b->walker != nullptr && a->walker != b->walker)) a.reset();
    if (!a || b->walker == nullptr) return a;
    a->walker = b->walker;
    a->factor += b->factor * times;
    a->no_signed_wrap &= b->no_signed_wrap;
    a->no_unsigned_wrap &= b->no_unsigned_wrap;
    a->signed_walker |= b->signed_walker;
    a->unsigned_walker |= b->unsigned_walker;
    if (std::abs(a->factor) > most_bytes) a.reset();
    return a;
  };
  const auto widened = [&](std::optional<Linear> from, bool as_signed) {
    if (!from || from->walker == nullptr) return from;
    if (!(as_signed ? from->no_signed_wrap : from->no_unsigned_wrap)) return std::optional<Linear>();
    (as_signed ? from->signed_walker : from->unsigned_walker) = true;
    from->no_signed_wrap = from->no_unsigned_wrap = true;
    return from;
  };
  const auto operand = [&](unsigned i) { return linear(*instruction->getOperand(i), depth + 1); };
  if (isa<SExtInst>(instruction)) return widened(operand(0), true);
  if (isa<ZExtInst>(instruction)) return widened(operand(0), is_of_non_negative(*instruction));
  if (auto* const address = dyn_cast<GetElementPtrInst>(instruction)) {
    if (address->getType()->isVectorTy()) return std::nullopt;
    const DataLayout& layout = instruction->getModule()->getDataLayout();
    std::optional<Linear> result = operand(0);
    for (auto part = gep_type_begin(address), end = gep_type_end(address); part != end && result; ++part) {
      if (part.isStruct()) continue;
      std::optional<Linear> index = linear(*part.getOperand(), depth + 1);
      if (part.getOperand()->getType()->getIntegerBitWidth() != layout.getIndexTypeSizeInBits(address->getType()))
        index = widened(index, true);
      const TypeSize size = stride(part, layout);
      if (size.isScalable() || size.getFixedValue() > std::uint64_t{most_bytes}) return std::nullopt;
      result = sum(result, index, static_cast<std::int64_t>(size.getFixedValue()));
    }
    return result;
  }
  std::optional<Linear> result;
  if (is_disjoint_or(*instruction)) {
    return sum(operand(0), operand(1), 1);
  } else if (instruction->getOpcode() == Instruction::Add) {
    result = sum(operand(0), operand(1), 1);
  } else if (instruction->getOpcode() == Instruction::Sub) {
    result = sum(operand(0), operand(1), -1);
  } else if (instruction->getOpcode() == Instruction::Mul || instruction->getOpcode() == Instruction::Shl) {
    const auto by = small(instruction->getOperand(1));
    if (!by || *by < 0 || (instruction->getOpcode() == Instruction::Shl && *by > 30)) return std::nullopt;
    result = sum(Linear{}, operand(0), instruction->getOpcode() == Instruction::Shl ? std::int64_t{1} << *by : *by);
  }
  if (!result) return std::nullopt;
  result->no_signed_wrap &= instruction->hasNoSignedWrap();
  result->no_unsigned_wrap &= instruction->hasNoUnsignedWrap();
  return result;
}

/// Collects how the walker becomes `next`; false where that is something else than staying or one step, or a step that
/// may be made without the access. It is made only where `chosen`, the end of a block, is passed.
bool Walkers::goes_on(const Value& next, const PHINode& walker, const BasicBlock& access, const BasicBlock& chosen,
                      unsigned depth, Advance& all) const {
  if (&next == &walker) {
    all.stays = true;
    return true;
  }
  const auto* instruction = dyn_cast<Instruction>(&next);
  if (instruction == nullptr || depth == most_depth || loops_.getLoopFor(instruction->getParent()) != &loop_)
    return false;
  if (const auto* phi = dyn_cast<PHINode>(instruction)) {
    if (phi->getParent() == loop_.getHeader()) return false;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (!goes_on(*phi->getIncomingValue(i), walker, access, *phi->getIncomingBlock(i), depth + 1, all)) return false;
    return true;
  }
  const BasicBlock& here = *instruction->getParent();
  // In the iterations that come to a block the access was made, if each way to the block leads past it.
  const bool accessed = dominators_.dominates(&access, &chosen);
  if (const auto* select = dyn_cast<SelectInst>(instruction)) {
    const BasicBlock& where = accessed ? chosen : here;
    return goes_on(*select->getTrueValue(), walker, access, where, depth + 1, all) &&
           goes_on(*select->getFalseValue(), walker, access, where, depth + 1, all);
  }
  if (const auto* address = dyn_cast<GetElementPtrInst>(instruction)) {
    if (!accessed || address->getPointerOperand() != &walker) return false;
    const DataLayout& layout = address->getModule()->getDataLayout();
    APInt bytes(layout.getIndexTypeSizeInBits(address->getType()), 0);
    if (address->accumulateConstantOffset(layout, bytes))
      return bytes.getSignificantBits() <= 31 && all.also(bytes.getSExtValue());
    if (address->getNumIndices() != 1) return false;
    const TypeSize size = layout.getTypeAllocSize(address->getSourceElementType());
    if (size.isScalable() || size.getFixedValue() > std::uint64_t{most_bytes}) return false;
    all.stays = true;
    return all.also(by_truth(*address->getOperand(1)) * static_cast<std::int64_t>(size.getFixedValue()));
  }
  Value *from = nullptr, *by = nullptr;
  const bool added = match(instruction, m_c_Add(m_Specific(&walker), m_Value(by)));
  if (!added && !match(instruction, m_Sub(m_Value(from), m_Value(by)))) return false;
  if (!added && from != &walker) return false;
  all.no_signed_wrap &= instruction->hasNoSignedWrap();
  all.no_unsigned_wrap &= instruction->hasNoUnsignedWrap();
  const int sign = added ? 1 : -1;
  if (const auto number = small(by)) return accessed && all.also(sign * *number);
  all.stays = true;
  return (accessed || dominators_.dominates(&access, &here)) && all.also(sign * by_truth(*by));
}

std::optional<Course> Walkers::course(Value& address, const BasicBlock& block) const {
  const BasicBlock* const latch = loop_.getLoopLatch();
  if (latch == nullptr) return std::nullopt;
  const auto place = linear(address, 0);
  if (!place || place->walker == nullptr || place->factor == 0) return std::nullopt;
  const PHINode& walker = *place->walker;
  Advance all;
  if (!goes_on(*walker.getIncomingValueForBlock(latch), walker, block, *latch, 0, all) || all.step == 0)
    return std::nullopt;
  if ((place->signed_walker && !all.no_signed_wrap) || (place->unsigned_walker && !all.no_unsigned_wrap))
    return std::nullopt;
  const std::int64_t step = place->factor * all.step;
  if (std::abs(step) > most_bytes) return std::nullopt;
  return Course{place->walker, step, !all.stays};
}

Value* Walkers::at_start(Value& address, const PHINode& walker, const Loop& loop, IRBuilder<>& builder) {
  if (&address == &walker) return walker.getIncomingValueForBlock(loop.getLoopPreheader());
  if (loop.isLoopInvariant(&address)) return &address;
  Instruction* const copy = cast<Instruction>(address).clone();
  copy->dropPoisonGeneratingFlags();
  for (Use& operand : copy->operands()) operand.set(at_start(*operand.get(), walker, loop, builder));
  return builder.Insert(copy);
}

} // namespace fletcher::pass
