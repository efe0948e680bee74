// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/checks/small_copies.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Words of 8 bytes stay apart: what is not initialised in one must not spoil the other.
Type* type_of(std::uint64_t bytes, LLVMContext& context) {
  if (bytes == 16) return FixedVectorType::get(Type::getInt64Ty(context), 2);
  return bytes <= 8 && isPowerOf2_64(bytes) ? Type::getIntNTy(context, static_cast<unsigned>(bytes * 8)) : nullptr;
}

/// The type that all members have for the rules of aliasing; null where they differ.
MDNode* common_type(const MDNode* members) {
  MDNode* common = nullptr;
  if (members == nullptr) return nullptr;
  for (unsigned i = 2; i < members->getNumOperands(); i += 3) { // offset, size, type
    auto* const type = dyn_cast_or_null<MDNode>(members->getOperand(i));
    if (type == nullptr || (common != nullptr && common != type)) return nullptr;
    common = type;
  }
  return common;
}

bool expand(MemTransferInst& copy) {
  const auto* length = dyn_cast<ConstantInt>(copy.getLength());
  if (length == nullptr || copy.isVolatile() || copy.getSourceAddressSpace() != 0 || copy.getDestAddressSpace() != 0)
    return false;
  Type* const type = type_of(length->getZExtValue(), copy.getContext());
  if (type == nullptr) return false;
  AAMDNodes aliases = copy.getAAMetadata();
  aliases.TBAA = common_type(aliases.TBAAStruct);
  aliases.TBAAStruct = nullptr;
  IRBuilder<> builder(&copy);
  LoadInst* const load = builder.CreateAlignedLoad(type, copy.getSource(), copy.getSourceAlign().valueOrOne());
  StoreInst* const store = builder.CreateAlignedStore(load, copy.getDest(), copy.getDestAlign().valueOrOne());
  load->setAAMetadata(aliases);
  store->setAAMetadata(aliases);
  copy.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses SmallCopies::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* const copy = dyn_cast<MemTransferInst>(&instruction)) changed |= expand(*copy);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace fletcher::pass
