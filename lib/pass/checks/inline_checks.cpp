// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/checks/inline_checks.hpp"

#include "checker/access/cells/cell.hpp"
#include "checker/access/glance.hpp"
#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace fletcher::pass {

using namespace llvm;
using access::Cell;
using access::Glance;

namespace {

/// Of a flag: compilers say that it is 0 or 1.
bool is_bool(const Access& access) {
  return access.size == 1 && access.instruction->hasMetadata(LLVMContext::MD_range);
}

/// Aligned, and of 4, 8 or 16 bytes, or of a flag. Of other small accesses there are several in a granule, of which its
/// first cell records one kind only: the look would often be in vain.
bool is_worth_a_look(const Access& access) {
  const std::uint64_t alignment = getLoadStoreAlignment(access.instruction).value();
  return (access.size >= 4 || is_bool(access)) && access.size <= 16 && isPowerOf2_64(access.size) &&
         alignment >= std::min<std::uint64_t>(access.size, 8);
}

class Inserter {
public:
  explicit Inserter(Function& function)
      : module_(*function.getParent()), wide_(Type::getInt64Ty(function.getContext())), glance_(variable(module_)) {}

  void insert(const Access& access) {
    const DebugLoc place = access.instruction->getDebugLoc();
    IRBuilder<> builder(access.instruction);
    const auto unless = [&](Value* told, Instruction* before) {
      builder.SetInsertPoint(
          SplitBlockAndInsertIfThen(builder.CreateNot(told), before, false, unlikely(module_.getContext())));
    };
    const Look look = look_at(builder, access);
    unless(look.told, access.instruction);
    // A call costs the loop its registers. And there are loops where nearly all that is read is recorded so: chunks
    // that read what those before them did, threads that read what others do.
    if (!access.writes) {
      unless(is_told_jointly(builder, look, access), &*builder.GetInsertPoint());
      unless(is_told_of_twin(builder, look, access), &*builder.GetInsertPoint());
      unless(is_told_by_second(builder, look, access), &*builder.GetInsertPoint());
    }
    Check check{access.pointer, builder.getInt64(access.size), nullptr, nullptr, nullptr, access.writes};
    check.is_aligned = check.is_untold = true;
    insert_check(builder, check, place);
  }

private:
  static GlobalVariable* variable(Module& module) {
    constexpr const char* name = "__fletcher_glance_5";
    if (GlobalVariable* const known = module.getNamedGlobal(name)) return known;
    return new GlobalVariable(module, PointerType::getUnqual(module.getContext()), false, GlobalValue::ExternalLinkage,
                              nullptr, name, nullptr, GlobalValue::InitialExecTLSModel);
  }

  /// Other threads may change a cell meanwhile.
  LoadInst* load(IRBuilder<>& builder, Type* type, Value* from, std::uint64_t alignment) {
    LoadInst* const value = builder.CreateAlignedLoad(type, from, Align(alignment));
    value->setAtomic(AtomicOrdering::Unordered);
    leave_alone(*value);
    return value;
  }

  Value* field(IRBuilder<>& builder, Type* type, Value* of, std::uint64_t offset) {
    return load(builder, type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), of, offset), 8);
  }

  /// At an access's first cells.
  struct Look {
    Value* thread = nullptr;
    Value* cell = nullptr; ///< the address
    Value* held[2]{};      ///< what the cells of its one or two granules hold
    Value* need = nullptr; ///< as Cell::need
    Value* care = nullptr; ///< the strand's bits, and those of `need`
    Value* told = nullptr; ///< they are of the strand itself and have all of `need`
  };

  /// As access::told_first does it.
  Look look_at(IRBuilder<>& builder, const Access& access) {
    Look look;
    look.thread = load(builder, builder.getPtrTy(), builder.CreateThreadLocalAddress(glance_), 8);
    Value* const shadow = field(builder, builder.getPtrTy(), look.thread, offsetof(Glance, shadow));
    Value* const mask = field(builder, wide_, look.thread, offsetof(Glance, shadow_mask));
    Value* const address = builder.CreatePtrToInt(access.pointer, wide_);
    look.cell = builder.CreateGEP(builder.getInt8Ty(), shadow, builder.CreateAnd(address, mask));
    const access::Kind kind = access.writes ? access::Kind::write : access::Kind::read;
    const std::uint64_t bytes = access.size >= 8 ? 0xff : (1U << access.size) - 1;
    look.need = builder.getInt64(Cell::need(kind, static_cast<std::uint8_t>(bytes)));
    if (access.size < 8) {
      Value* const offset = builder.CreateAnd(address, 8 - access.size);
      look.need = builder.CreateOr(builder.CreateShl(builder.getInt64(bytes), offset), Cell::need(kind, 0));
    }
    Value* mine[2]{};
    for (unsigned granule = 0; granule < granules(access); ++granule) {
      look.held[granule] = load(builder, wide_, builder.CreateConstInBoundsGEP1_64(wide_, look.cell, granule), 8);
      mine[granule] = field(builder, wide_, look.thread, offsetof(Glance, mine) + granule * sizeof(Glance::mine[0]));
    }
    look.care = builder.CreateOr(look.need, Cell::strand_mask);
    look.told = agrees(builder, look, mine, access);
    return look;
  }

  /// What the cells hold is, in the bits that matter, the same as these.
  Value* agrees(IRBuilder<>& builder, const Look& look, Value* const (&with)[2], const Access& access) {
    Value* differs = builder.CreateXor(look.held[0], with[0]);
    if (granules(access) == 2) differs = builder.CreateOr(differs, builder.CreateXor(look.held[1], with[1]));
    return builder.CreateICmpEQ(builder.CreateAnd(differs, look.care), builder.getInt64(0));
  }

  /// What a thread's Alike says. Without a branch.
  class Tells {
  public:
    Tells(Inserter& inserter, IRBuilder<>& builder, const Look& look)
        : inserter_(inserter), builder_(builder), look_(look), since_(field(offsetof(access::Alike, since))),
          span_(field(offsetof(access::Alike, span))),
          care_(builder.CreateOr(look.need, field(offsetof(access::Alike, never)))) {}

    /// As access::Alike::told_jointly: the cell is of several strands' reads.
    Value* jointly(Value* cell) { return is_zero(builder_.CreateXor(cell, joint_of(cell)), look_.care); }
    /// It is of the strand's own, or of one of its twins.
    Value* by_twin(Value* cell) {
      return builder_.CreateAnd(builder_.CreateICmpULT(builder_.CreateSub(cell, since_), span_),
                                is_zero(builder_.CreateXor(cell, look_.need), care_));
    }
    /// As access::Alike::tells.
    Value* by(Value* cell) { return builder_.CreateOr(by_twin(cell), jointly(cell)); }

  private:
    Value* field(std::uint64_t offset) {
      return inserter_.field(builder_, inserter_.wide_, look_.thread, offsetof(Glance, alike) + offset);
    }
    Value* is_zero(Value* difference, Value* in) {
      return builder_.CreateICmpEQ(builder_.CreateAnd(difference, in), builder_.getInt64(0));
    }
    /// The joint strand that the thread keeps at the slot of the one in this cell.
    Value* joint_of(Value* cell) {
      Value* const joints = builder_.CreateConstInBoundsGEP1_64(
          builder_.getInt8Ty(), look_.thread, offsetof(Glance, alike) + offsetof(access::Alike, joints));
      Value* const slot =
          builder_.CreateAnd(builder_.CreateLShr(cell, access::Alike::slot_shift), access::Alike::slot_mask);
      return inserter_.load(builder_, inserter_.wide_, builder_.CreateGEP(builder_.getInt8Ty(), joints, slot), 8);
    }

    Inserter& inserter_;
    IRBuilder<>& builder_;
    const Look& look_;
    Value *since_, *span_, *care_;
  };

  /// The first cells are of reads by several strands, of which this is one.
  Value* is_told_jointly(IRBuilder<>& builder, const Look& look, const Access& access) {
    return of_all(builder, look, access, [](Tells& tells, Value* cell) { return tells.jointly(cell); });
  }
  /// The first cells record a read by a twin, which is as good.
  Value* is_told_of_twin(IRBuilder<>& builder, const Look& look, const Access& access) {
    return of_all(builder, look, access, [](Tells& tells, Value* cell) { return tells.by_twin(cell); });
  }
  template <class Told> Value* of_all(IRBuilder<>& builder, const Look& look, const Access& access, Told told) {
    Tells tells(*this, builder, look);
    Value* all = told(tells, look.held[0]);
    if (granules(access) == 2) all = builder.CreateAnd(all, told(tells, look.held[1]));
    return all;
  }

  /// The same, by the first cells or the second ones (access::told_of_read). The fields of a record that share a
  /// granule are read at several places: each has its readers.
  Value* is_told_by_second(IRBuilder<>& builder, const Look& look, const Access& access) {
    Tells tells(*this, builder, look);
    Value* const distance = field(builder, wide_, look.thread, offsetof(Glance, plane_distance));
    Value* all = nullptr;
    for (unsigned granule = 0; granule < granules(access); ++granule) {
      Value* const first = look.held[granule];
      // Where there is no second cell it is the first one again, so that pages which nobody used stay untouched.
      Value* const is_one = builder.CreateICmpEQ(builder.CreateAnd(first, Cell::further_mask), builder.getInt64(0));
      Value* const at = builder.CreateGEP(wide_, builder.CreateConstInBoundsGEP1_64(wide_, look.cell, granule),
                                          builder.CreateSelect(is_one, builder.getInt64(0), distance));
      Value* told = tells.by(load(builder, wide_, at, 8));
      if (granules(access) == 2) told = builder.CreateOr(told, tells.by(first)); // one is recorded by its first cell
      all = all == nullptr ? told : builder.CreateAnd(all, told);
    }
    return all;
  }

  static unsigned granules(const Access& access) { return access.size == 16 ? 2 : 1; }

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
