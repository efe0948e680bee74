// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/checks/unseen.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// LLVM 19 asks whether the address of the element is known elsewhere, not that of the array.
bool is_seen(const Access& access) {
  if (access.size > 16 || !isPowerOf2_64(access.size)) return false;
  return !isa<AllocaInst>(getUnderlyingObject(access.pointer)) || may_be_captured(*access.pointer);
}

void check_plain(const Access& access) {
  IRBuilder<> builder(access.instruction);
  insert_check(builder, {access.pointer, builder.getInt64(access.size), nullptr, nullptr, nullptr, access.writes},
               access.instruction->getDebugLoc());
}

/// An intrinsic that accesses the lanes of a vector that a mask chooses.
struct Masked {
  Value* pointer; ///< of the first lane, or one for each
  Value* mask;
  VectorType* type;
  bool writes;
  bool packed; ///< the chosen lanes lie next to each other
};

std::optional<Masked> masked_access(const IntrinsicInst& call) {
  const auto of = [&](unsigned pointer, unsigned mask, bool writes, bool packed) {
    Type* const type = writes ? call.getArgOperand(0)->getType() : call.getType();
    return Masked{call.getArgOperand(pointer), call.getArgOperand(mask), cast<VectorType>(type), writes, packed};
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    return of(0, 2, false, false);
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    return of(1, 3, true, false);
  case Intrinsic::masked_expandload:
    return of(0, 1, false, true);
  case Intrinsic::masked_compressstore:
    return of(1, 2, true, true);
  default:
    return std::nullopt;
  }
}

/// The mask as a number; lanes from the lowest bit on.
Value* bits_of(IRBuilder<>& builder, Value* mask, unsigned lanes) {
  return builder.CreateZExt(builder.CreateBitCast(mask, builder.getIntNTy(lanes)), builder.getInt64Ty());
}

void check_masked(IntrinsicInst& call, const Masked& masked) {
  const auto* type = dyn_cast<FixedVectorType>(masked.type);
  if (type == nullptr || masked.pointer->getType()->getPointerAddressSpace() != 0) return;
  IRBuilder<> builder(&call);
  const unsigned lanes = type->getNumElements();
  if (lanes > 64) return;
  Value* const size = builder.getInt64(call.getModule()->getDataLayout().getTypeStoreSize(type->getElementType()));
  Check check{masked.pointer, size, nullptr, nullptr, nullptr, masked.writes};
  if (masked.pointer->getType()->isVectorTy()) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      check.first = builder.CreateExtractElement(masked.pointer, lane);
      check.lanes = builder.CreateZExt(builder.CreateExtractElement(masked.mask, lane), builder.getInt64Ty());
      insert_check(builder, check, call.getDebugLoc());
    }
    return;
  }
  check.lanes = bits_of(builder, masked.mask, lanes);
  if (masked.packed) {
    Value* const chosen = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, check.lanes);
    check.size = builder.CreateMul(chosen, size);
    check.lanes = nullptr;
  }
  insert_check(builder, check, call.getDebugLoc());
}

/// As a loop around a compare-exchange, which is what the processor does.
void make_compare_exchange(AtomicRMWInst& update) {
  BasicBlock* const before = update.getParent();
  BasicBlock* const after = before->splitBasicBlock(&update);
  BasicBlock* const loop = BasicBlock::Create(update.getContext(), "", before->getParent(), after);
  IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  Type* const type = update.getType();
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  Type* const integer = builder.getIntNTy(bits);
  LoadInst* const first = builder.CreateAlignedLoad(integer, update.getPointerOperand(), update.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, update.getSyncScopeID());
  before->getTerminator()->setSuccessor(0, loop);
  builder.SetInsertPoint(loop);
  PHINode* const expected = builder.CreatePHI(integer, 2);
  Value* const old = builder.CreateBitCast(expected, type);
  Value* const desired = buildAtomicRMWValue(update.getOperation(), builder, old, update.getValOperand());
  AtomicCmpXchgInst* const exchange = builder.CreateAtomicCmpXchg(
      update.getPointerOperand(), expected, builder.CreateBitCast(desired, integer), update.getAlign(),
      update.getOrdering(), AtomicCmpXchgInst::getStrongestFailureOrdering(update.getOrdering()),
      update.getSyncScopeID());
  expected->addIncoming(first, before);
  expected->addIncoming(builder.CreateExtractValue(exchange, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

/// There are no calls for updates of floating-point numbers, nor for the larger or smaller one of two integers.
bool is_unseen_update(const AtomicRMWInst& update) {
  const std::uint64_t bits = update.getType()->getPrimitiveSizeInBits().getFixedValue();
  if (update.isVolatile()) return false;
  switch (update.getOperation()) {
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return bits >= 8 && bits <= 64;
  default:
    return update.isFloatingPointOperation() && (bits == 32 || bits == 64);
  }
}

} // namespace

PreservedAnalyses Unseen::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<AtomicRMWInst*> updates;
  for (Instruction& instruction : instructions(function))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update != nullptr && is_unseen_update(*update))
      updates.push_back(update);
  for (AtomicRMWInst* update : updates) make_compare_exchange(*update); // also where plain accesses are not checked
  if (function.hasFnAttribute(Attribute::SanitizeThread)) {
    const Marks marks(*function.getParent());
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (marks.is_marked(instruction)) continue;
      if (const auto access = access_of(instruction)) {
        if (is_seen(*access)) continue;
        check_plain(*access);
        marks.mark(instruction);
      } else if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
        if (const auto masked = masked_access(*call); masked && !nobody_else_sees(masked->pointer, masked->writes))
          check_masked(*call, *masked);
      }
    }
  }
  return updates.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace fletcher::pass
