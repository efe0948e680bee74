// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/inline_checks.hpp"

#include "checker/access/cell.hpp"
#include "checker/access/glance.hpp"
#include "lib/pass/accesses.hpp"
#include "lib/pass/checked.hpp"
#include "lib/pass/entry_points.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace fletcher::pass {

using namespace llvm;
using access::Cell;
using access::Glance;

namespace {

/// Aligned, and of 4, 8 or 16 bytes. Of smaller accesses there are several in a granule, of which its first cell tells
/// of one kind only: the look would often be in vain.
bool is_worth_a_look(const Access& access) {
  const std::uint64_t alignment = getLoadStoreAlignment(access.instruction).value();
  return access.size >= 4 && access.size <= 16 && isPowerOf2_64(access.size) &&
         alignment >= std::min<std::uint64_t>(access.size, 8);
}

class Inserter {
public:
  explicit Inserter(Function& function)
      : module_(*function.getParent()), wide_(Type::getInt64Ty(function.getContext())), glance_(variable(module_)) {}

  void insert(const Access& access) {
    const DebugLoc place = access.instruction->getDebugLoc();
    IRBuilder<> builder(access.instruction);
    Value* const told = is_told(builder, access);
    MDNode* const unlikely = MDBuilder(module_.getContext()).createUnlikelyBranchWeights();
    Instruction* const end =
        SplitBlockAndInsertIfThen(builder.CreateNot(told), access.instruction->getIterator(), false, unlikely);
    builder.SetInsertPoint(end);
    Check check{access.pointer, builder.getInt64(access.size), nullptr, nullptr, nullptr, access.writes};
    check.is_aligned = true;
    insert_check(builder, check, place);
  }

private:
  static GlobalVariable* variable(Module& module) {
    constexpr const char* name = "__fletcher_glance_2";
    if (GlobalVariable* const known = module.getNamedGlobal(name)) return known;
    return new GlobalVariable(module, PointerType::getUnqual(module.getContext()), false, GlobalValue::ExternalLinkage,
                              nullptr, name, nullptr, GlobalValue::InitialExecTLSModel);
  }

  /// Other threads may change a cell meanwhile.
  LoadInst* load(IRBuilder<>& builder, Type* type, Value* from, std::uint64_t alignment) {
    LoadInst* const value = builder.CreateAlignedLoad(type, from, Align(alignment));
    value->setAtomic(AtomicOrdering::Unordered);
    value->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(module_.getContext(), {}));
    return value;
  }

  Value* field(IRBuilder<>& builder, Type* type, Value* of, std::uint64_t offset) {
    return load(builder, type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), of, offset), 8);
  }

  /// As access::check does it.
  Value* is_told(IRBuilder<>& builder, const Access& access) {
    Value* const thread = load(builder, builder.getPtrTy(), builder.CreateThreadLocalAddress(glance_), 8);
    Value* const shadow = field(builder, builder.getPtrTy(), thread, offsetof(Glance, shadow));
    Value* const mask = field(builder, wide_, thread, offsetof(Glance, shadow_mask));
    Value* const address = builder.CreatePtrToInt(access.pointer, wide_);
    Value* const cell = builder.CreateGEP(builder.getInt8Ty(), shadow, builder.CreateAnd(address, mask));
    const access::Kind kind = access.writes ? access::Kind::write : access::Kind::read;
    const std::uint64_t bytes = access.size >= 8 ? 0xff : (1U << access.size) - 1;
    Value* need = builder.getInt64(Cell::need(kind, static_cast<std::uint8_t>(bytes)));
    if (access.size < 8) {
      Value* const offset = builder.CreateAnd(address, 8 - access.size);
      need = builder.CreateOr(builder.CreateShl(builder.getInt64(bytes), offset), Cell::need(kind, 0));
    }
    Value* const care = builder.CreateOr(need, Cell::strand_mask);
    const auto differs = [&](unsigned granule) { // in nothing that matters: it is of the strand and has all of `need`
      Value* const at = builder.CreateConstInBoundsGEP1_64(wide_, cell, granule);
      return builder.CreateXor(
          load(builder, wide_, at, 8),
          field(builder, wide_, thread, offsetof(Glance, mine) + granule * sizeof(Glance::mine[0])));
    };
    Value* const any = access.size == 16 ? builder.CreateOr(differs(0), differs(1)) : differs(0);
    return builder.CreateICmpEQ(builder.CreateAnd(any, care), builder.getInt64(0));
  }

  Module& module_;
  Type* wide_;
  GlobalVariable* glance_;
};

} // namespace

PreservedAnalyses InlineChecks::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.hasOptSize()) return PreservedAnalyses::all();
  const Marks marks(*function.getParent());
  SmallVector<Access> accesses;
  for (Instruction& instruction : instructions(function))
    if (!marks.is_marked(instruction))
      if (const auto access = access_of(instruction); access && is_worth_a_look(*access)) accesses.push_back(*access);
  if (accesses.empty()) return PreservedAnalyses::all();
  Inserter inserter(function);
  for (const Access& access : accesses) {
    inserter.insert(access);
    marks.mark(*access.instruction);
  }
  return PreservedAnalyses::none();
}

} // namespace fletcher::pass
