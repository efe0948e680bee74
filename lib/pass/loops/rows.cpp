// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/rows.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/loops/remainders.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace fletcher::pass {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A counter of a loop, divided by what does not change there.
struct Division {
  Value* counter = nullptr;
  Value* length = nullptr; ///< of a row
  bool is_signed = false;
  bool may_wrap = false;       ///< the counter, to the least number of its type
  const SCEV* first = nullptr; ///< the counter in the first iteration
  SmallVector<Instruction*, 2> quotients;
  SmallVector<Remainder, 2> remainders;
};

class Splitter {
public:
  Splitter(Function& function, FunctionAnalysisManager& analyses)
      : function_(function), loops_(analyses.getResult<LoopAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)) {}

  /// Splits one loop, if there is one to split: no analysis is valid any more then.
  bool split_one();

private:
  std::optional<Division> division_of(const Loop& loop) const;
  bool is_counter(const Loop& loop, const Value& value) const;
  void split(Loop& loop, const Division& division);

  Function& function_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
};

constexpr std::uint64_t shortest_row = 64; ///< of those whose length is known: a check for each row has to pay

bool Splitter::is_counter(const Loop& loop, const Value& value) const {
  if (!value.getType()->isIntegerTy() || value.getType()->getIntegerBitWidth() > 64 ||
      !evolution_.isSCEVable(value.getType()))
    return false;
  const auto* const recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Value*>(&value)));
  return recurrence != nullptr && recurrence->getLoop() == &loop && recurrence->isAffine() &&
         recurrence->getStepRecurrence(evolution_)->isOne();
}

/// Something in the loop is accessed at a place that follows from one of these.
bool leads_to_address(const Loop& loop, const Division& division) {
  SmallSetVector<const Instruction*, 16> follows;
  follows.insert(division.quotients.begin(), division.quotients.end());
  for (const Remainder& remainder : division.remainders) follows.insert(remainder.result);
  for (unsigned i = 0; i < follows.size(); ++i)
    for (const User* user : follows[i]->users()) {
      auto* const instruction = const_cast<Instruction*>(cast<Instruction>(user));
      if (!loop.contains(instruction)) continue;
      if (const auto access = plain_access_of(*instruction); access && access->pointer == follows[i]) return true;
      follows.insert(instruction);
    }
  return false;
}

/// The loop's own blocks divide something so, and access something at a place that follows from it.
std::optional<Division> Splitter::division_of(const Loop& loop) const {
  SimpleLoopSafetyInfo safety;
  safety.computeLoopSafetyInfo(&loop);
  MapVector<std::pair<Value*, Value*>, Division> found[2]; // unsigned and signed ones
  for (BasicBlock* const block : loop.blocks()) {
    if (loops_.getLoopFor(block) != &loop) continue;
    for (Instruction& instruction : *block) {
      Value *counter = nullptr, *length = nullptr;
      const bool divides = match(&instruction, m_IDiv(m_Value(counter), m_Value(length)));
      if (!divides && !match(&instruction, m_IRem(m_Value(counter), m_Value(length)))) continue;
      const bool is_signed =
          instruction.getOpcode() == Instruction::SDiv || instruction.getOpcode() == Instruction::SRem;
      Division& division = found[is_signed][{counter, length}];
      if (division.counter == nullptr) {
        const auto* const known = dyn_cast<ConstantInt>(length);
        if (known != nullptr && known->getValue().slt(shortest_row)) continue;
        if (!loop.isLoopInvariant(length) || !is_counter(loop, *counter) ||
            (known == nullptr && !safety.isGuaranteedToExecute(instruction, &dominators_, &loop)))
          continue;
        division.counter = counter, division.length = length, division.is_signed = is_signed;
        const auto* const recurrence = cast<SCEVAddRecExpr>(evolution_.getSCEV(counter));
        division.first = recurrence->getStart();
        division.may_wrap = is_signed ? !recurrence->hasNoSignedWrap() : !recurrence->hasNoUnsignedWrap();
      }
      if (!divides) {
        division.remainders.push_back({&instruction, 0});
        continue;
      }
      division.quotients.push_back(&instruction);
      find_remainders(loop, {instruction, *counter, *length}, division.remainders);
    }
  }
  for (auto& kind : found)
    for (auto& [operands, division] : kind)
      if (division.counter != nullptr && leads_to_address(loop, division)) return std::move(division);
  return std::nullopt;
}

bool Splitter::split_one() {
  for (Loop* const loop : loops_.getLoopsInPreorder()) {
    if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr ||
        loop->getExitingBlock() != loop->getLoopLatch() || loop->getExitBlock() == nullptr)
      continue;
    const SCEV* const repeated = evolution_.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(repeated) || !isa<BranchInst>(loop->getLoopLatch()->getTerminator())) continue;
    const auto division = division_of(*loop);
    if (!division ||
        evolution_.getTypeSizeInBits(repeated->getType()) > division->counter->getType()->getIntegerBitWidth())
      continue;
    const Instruction& before = *loop->getLoopPreheader()->getTerminator();
    SCEVExpander expands = expander(evolution_, function_.getParent()->getDataLayout(), "row");
    if (!expands.isSafeToExpandAt(repeated, &before) || !expands.isSafeToExpandAt(division->first, &before)) continue;
    split(*loop, *division);
    return true;
  }
  return false;
}

/// A variable of the loop that begins with `begin` and grows by one.
PHINode* count_from(Value* begin, const Loop& loop, const Twine& name) {
  BasicBlock* const latch = loop.getLoopLatch();
  IRBuilder<> builder(&loop.getHeader()->front());
  PHINode* const count = builder.CreatePHI(begin->getType(), 2, name);
  builder.SetInsertPoint(latch->getTerminator());
  count->addIncoming(builder.CreateAdd(count, ConstantInt::get(begin->getType(), 1), name + ".next", true, true),
                     latch);
  return count;
}

// Rows are counted as the first iteration that they have, and by how many more there are.
void Splitter::split(Loop& loop, const Division& division) {
  BasicBlock *const before = loop.getLoopPreheader(), *const header = loop.getHeader(),
                    *const latch = loop.getLoopLatch(), *const after = loop.getExitBlock();
  auto* const leaves = cast<BranchInst>(latch->getTerminator());
  Type* const type = division.counter->getType();
  const auto number = [&](std::uint64_t value) { return ConstantInt::get(type, value); };
  LLVMContext& context = function_.getContext();

  SCEVExpander expands = expander(evolution_, function_.getParent()->getDataLayout(), "row");
  const SCEV* const repeated = evolution_.getTruncateOrZeroExtend(evolution_.getBackedgeTakenCount(&loop), type);
  Value* const last = expands.expandCodeFor(repeated, type, before->getTerminator());
  Value* const first = expands.expandCodeFor(division.first, type, before->getTerminator());

  BasicBlock* const row = BasicBlock::Create(context, "row", &function_, header);
  BasicBlock* const next = BasicBlock::Create(context, "row.next", &function_, after);
  IRBuilder<> builder(row);
  builder.SetCurrentDebugLocation(leaves->getDebugLoc());
  PHINode* const done = builder.CreatePHI(type, 2, "row.done");
  SmallVector<std::pair<PHINode*, PHINode*>, 4> carried; // of the loop, and of the rows
  for (PHINode& phi : header->phis()) carried.emplace_back(&phi, builder.CreatePHI(phi.getType(), 2, phi.getName()));

  Value* const counter = builder.CreateAdd(first, done);
  const bool is_signed = division.is_signed;
  Value* const quotient =
      is_signed ? builder.CreateSDiv(counter, division.length) : builder.CreateUDiv(counter, division.length);
  Value* const remainder = builder.CreateSub(counter, builder.CreateMul(quotient, division.length));
  // Numbers below zero are divided otherwise, and what is counted must fit where the program puts it.
  SmallVector<Narrowed> narrowed;
  for (const Remainder& one : division.remainders) find_narrowed(one, narrowed);
  unsigned narrowest = type->getIntegerBitWidth();
  for (const Narrowed& one : narrowed) narrowest = std::min(narrowest, one.bits);
  const APInt longest = APInt::getLowBitsSet(type->getIntegerBitWidth(), std::max(narrowest, 2U) - 2);
  // What does not depend on the row is no condition in the loop, of which the optimiser would make two.
  builder.SetInsertPoint(before->getTerminator());
  Value* const fits = builder.CreateAnd(builder.CreateICmpSGT(division.length, number(0)),
                                        builder.CreateICmpSLE(division.length, ConstantInt::get(type, longest)));
  Value* const mask = builder.CreateSExt(fits, type);
  builder.SetInsertPoint(row);
  Value* const rest = builder.CreateSub(builder.CreateSub(division.length, number(1)), remainder);
  Value* const left = builder.CreateSub(last, done);
  Value* shorter = builder.CreateBinaryIntrinsic(Intrinsic::umin, rest, left);
  if (division.may_wrap) {
    const unsigned bits = type->getIntegerBitWidth();
    const APInt greatest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* const room = builder.CreateSub(ConstantInt::get(type, greatest), counter);
    shorter = builder.CreateBinaryIntrinsic(Intrinsic::umin, shorter, room);
  }
  Value* more = builder.CreateAnd(shorter, mask);
  if (is_signed) more = builder.CreateSelect(builder.CreateICmpSGE(counter, number(0)), more, number(0));
  more->setName("row.more");
  builder.CreateBr(header);

  builder.SetInsertPoint(next);
  builder.SetCurrentDebugLocation(leaves->getDebugLoc());
  Value* const now_done = builder.CreateAdd(done, builder.CreateAdd(more, number(1)));
  Instruction* const repeats = builder.CreateCondBr(builder.CreateICmpNE(left, more), row, after);
  if (MDNode* const known = leaves->getMetadata(LLVMContext::MD_loop);
      known != nullptr && any_of(known->operands(), [](const MDOperand& operand) {
        const auto* const property = dyn_cast_or_null<MDNode>(operand.get());
        const auto* const name = property == nullptr || property->getNumOperands() == 0
                                     ? nullptr
                                     : dyn_cast<MDString>(property->getOperand(0));
        return name != nullptr && name->getString() == "llvm.loop.mustprogress";
      })) {
    MDNode* const progresses = MDNode::get(context, {MDString::get(context, "llvm.loop.mustprogress")});
    MDNode* const name = MDNode::getDistinct(context, {nullptr, progresses});
    name->replaceOperandWith(0, name);
    repeats->setMetadata(LLVMContext::MD_loop, name);
  }
  done->addIncoming(number(0), before);
  done->addIncoming(now_done, next);
  for (const auto& [inner, outer] : carried) {
    outer->addIncoming(inner->getIncomingValueForBlock(before), before);
    outer->addIncoming(inner->getIncomingValueForBlock(latch), next);
    inner->setIncomingValue(static_cast<unsigned>(inner->getBasicBlockIndex(before)), outer);
    inner->setIncomingBlock(static_cast<unsigned>(inner->getBasicBlockIndex(before)), row);
  }
  before->getTerminator()->replaceSuccessorWith(header, row);
  after->replacePhiUsesWith(latch, next);

  const auto counted = [&](Value* begin, const Twine& name) {
    PHINode* const count = count_from(begin, loop, name);
    count->addIncoming(begin, row);
    return count;
  };
  PHINode* const iteration = counted(number(0), "row.iteration");
  builder.SetInsertPoint(leaves);
  Value* const goes_on = builder.CreateICmpNE(iteration, more);
  leaves->setCondition(goes_on);
  leaves->setSuccessor(0, header);
  leaves->setSuccessor(1, next);

  for (Instruction* const result : division.quotients) result->replaceAllUsesWith(quotient);
  PHINode* const place = counted(remainder, "row.place");
  DenseMap<Type*, PHINode*> counts;
  for (const Narrowed& one : narrowed) {
    builder.SetInsertPoint(row->getTerminator());
    if (one.result->getType() != type) {
      PHINode*& count = counts[one.result->getType()];
      if (count == nullptr) count = counted(builder.CreateTrunc(remainder, one.result->getType()), "row.place");
      for (User* const user : one.result->users())
        if (const APInt* added = nullptr; match(user, m_c_Add(m_Specific(one.result), m_APInt(added))) &&
                                          added->abs().ule(APInt::getOneBitSet(one.bits, one.bits - 2)))
          cast<Instruction>(user)->setHasNoSignedWrap();
      one.result->replaceAllUsesWith(count);
    } else {
      builder.SetInsertPoint(one.result);
      Value* const moved = builder.CreateAdd(place, ConstantInt::getSigned(type, one.added), "", false, true);
      one.result->replaceAllUsesWith(builder.CreateShl(moved, one.shift, "", false, true));
    }
  }
  for (const auto& [result, shift] : division.remainders) {
    builder.SetInsertPoint(result);
    result->replaceAllUsesWith(builder.CreateShl(place, shift));
  }
  SmallVector<WeakTrackingVH> dead(division.quotients.begin(), division.quotients.end());
  for (const Remainder& one : division.remainders) dead.emplace_back(one.result);
  for (const Narrowed& one : narrowed) dead.emplace_back(one.result);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace

PreservedAnalyses Rows::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  bool changed = false;
  constexpr unsigned most = 32; // loops that are split, each dimension of a table being one
  for (unsigned count = 0; count < most && Splitter(function, analyses).split_one(); ++count) {
    changed = true;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
