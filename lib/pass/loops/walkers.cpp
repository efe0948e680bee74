// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/walkers.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
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

/// Each way from where `from` is made anew to the end of `to` leads through one of `blocks`.
bool passes_on_all_ways(ArrayRef<const BasicBlock*> blocks, const PHINode& from, const BasicBlock& to) {
  SmallVector<const BasicBlock*, 8> ahead{&to};
  SmallPtrSet<const BasicBlock*, 8> seen;
  while (!ahead.empty()) {
    const BasicBlock* const block = ahead.pop_back_val();
    if (is_contained(blocks, block) || !seen.insert(block).second) continue;
    if (block == from.getParent()) return false;
    ahead.append(pred_begin(block), pred_end(block));
  }
  return true;
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
  const PHINode& walker;
  const PHINode& outer;
  ArrayRef<const BasicBlock*> accesses;
  SmallPtrSet<const PHINode*, 4> seen{};
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
    if (!loop_.contains(phi) || !loops_.isLoopHeader(phi->getParent())) return std::nullopt;
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
bool Walkers::goes_on(const Value& next, const BasicBlock& chosen, unsigned depth, Advance& all) const {
  if (&next == &all.outer) {
    all.stays = true;
    return true;
  }
  const auto* instruction = dyn_cast<Instruction>(&next);
  if (instruction == nullptr || depth == most_depth || !loop_.contains(instruction)) return false;
  if (const auto* phi = dyn_cast<PHINode>(instruction)) {
    if (phi->getParent() == loop_.getHeader()) return false;
    if (!all.seen.insert(phi).second) return true;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (!goes_on(*phi->getIncomingValue(i), *phi->getIncomingBlock(i), depth + 1, all)) return false;
    return true;
  }
  if (const auto* select = dyn_cast<SelectInst>(instruction))
    return goes_on(*select->getTrueValue(), chosen, depth + 1, all) &&
           goes_on(*select->getFalseValue(), chosen, depth + 1, all);
  if (!passes_on_all_ways(all.accesses, all.walker, chosen)) return false;
  if (const auto* address = dyn_cast<GetElementPtrInst>(instruction)) {
    if (address->getPointerOperand() != &all.walker) return false;
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
  Value* by = nullptr;
  const bool added = match(instruction, m_c_Add(m_Specific(&all.walker), m_Value(by)));
  if (!added && !match(instruction, m_Sub(m_Specific(&all.walker), m_Value(by)))) return false;
  all.no_signed_wrap &= instruction->hasNoSignedWrap();
  all.no_unsigned_wrap &= instruction->hasNoUnsignedWrap();
  const int sign = added ? 1 : -1;
  if (const auto number = small(by)) return all.also(sign * *number);
  all.stays = true;
  return all.also(sign * by_truth(*by));
}

/// Null where it begins each time with something else.
PHINode* Walkers::outer(PHINode& walker) const {
  Value* from = &walker;
  for (unsigned depth = 0; depth < most_depth; ++depth) {
    if (auto* const phi = dyn_cast<PHINode>(from)) {
      const Loop* const inside = loops_.getLoopFor(phi->getParent());
      if (inside == nullptr || inside->getHeader() != phi->getParent()) return nullptr;
      if (inside == &loop_) return phi;
      const BasicBlock* const before = inside->getLoopPreheader();
      if (before == nullptr) return nullptr;
      from = phi->getIncomingValueForBlock(before);
    } else if (auto* const instruction = dyn_cast<Instruction>(from);
               instruction != nullptr &&
               (isa<GetElementPtrInst>(instruction) || instruction->getOpcode() == Instruction::Add)) {
      from = instruction->getOperand(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

std::optional<Course> Walkers::course(Value& address, ArrayRef<const BasicBlock*> blocks) const {
  const BasicBlock* const latch = loop_.getLoopLatch();
  if (latch == nullptr) return std::nullopt;
  const auto place = linear(address, 0);
  if (!place || place->walker == nullptr || place->factor == 0) return std::nullopt;
  PHINode* const known = outer(*place->walker);
  if (known == nullptr) return std::nullopt;
  Advance all{*place->walker, *known, blocks};
  if (!goes_on(*known->getIncomingValueForBlock(latch), *latch, 0, all) || all.step == 0) return std::nullopt;
  if (place->walker != known && !all.seen.contains(place->walker)) return std::nullopt;
  if ((place->signed_walker && !all.no_signed_wrap) || (place->unsigned_walker && !all.no_unsigned_wrap))
    return std::nullopt;
  const std::int64_t step = place->factor * all.step;
  if (std::abs(step) > most_bytes) return std::nullopt;
  return Course{place->walker, known, step, !all.stays};
}

Value* Walkers::at_start(Value& address, const Course& course, const Loop& loop, IRBuilder<>& builder) {
  if (&address == course.walker) return course.outer->getIncomingValueForBlock(loop.getLoopPreheader());
  if (loop.isLoopInvariant(&address)) return &address;
  Instruction* const copy = cast<Instruction>(address).clone();
  copy->dropPoisonGeneratingFlags();
  for (Use& operand : copy->operands()) operand.set(at_start(*operand.get(), course, loop, builder));
  return builder.Insert(copy);
}

bool Walkers::takes_pointers_on(const Loop& loop) {
  const BasicBlock* const latch = loop.getLoopLatch();
  if (latch == nullptr) return false;
  const auto goes_on = [&](const PHINode& phi) {
    const auto* const next = dyn_cast<GetElementPtrInst>(phi.getIncomingValueForBlock(latch));
    return next != nullptr && next->hasAllConstantIndices() && !next->hasAllZeroIndices() &&
           isa<PHINode>(next->getPointerOperand()) && loop.contains(next);
  };
  return any_of(loop.getHeader()->phis(), goes_on) &&
         all_of(loop, [](const Loop* inside) { return isMustProgress(inside) || takes_pointers_on(*inside); });
}

} // namespace fletcher::pass
