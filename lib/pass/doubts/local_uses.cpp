// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/local_uses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace fletcher::pass {

using namespace llvm;

namespace {

std::uint64_t size_of(const AllocaInst& local) {
  const auto size = local.getAllocationSize(local.getModule()->getDataLayout());
  return size && !size->isScalable() ? size->getFixedValue() : 0;
}

bool is_size(const Value& length, const AllocaInst& local) {
  const auto* constant = dyn_cast<ConstantInt>(&length);
  return constant != nullptr && size_of(local) != 0 && constant->getZExtValue() >= size_of(local);
}

/// None: the use has nothing to do with what is in the variable.
std::optional<LocalUse> use_of(const Use& use, const AllocaInst& local, bool whole) {
  const auto* const user = cast<Instruction>(use.getUser());
  if (const auto* load = dyn_cast<LoadInst>(user)) return load->isSimple() ? LocalUse::reads : LocalUse::given;
  if (const auto* store = dyn_cast<StoreInst>(user)) {
    if (!store->isSimple() || use.getOperandNo() != StoreInst::getPointerOperandIndex()) return LocalUse::given;
    const DataLayout& layout = local.getModule()->getDataLayout();
    const TypeSize size = layout.getTypeStoreSize(store->getValueOperand()->getType());
    return whole && !size.isScalable() && size.getFixedValue() == size_of(local) ? LocalUse::fills : LocalUse::changes;
  }
  if (const auto* call = dyn_cast<IntrinsicInst>(user)) {
    if (isa<DbgInfoIntrinsic, AssumeInst>(call)) return std::nullopt;
    if (call->isLifetimeStartOrEnd()) return LocalUse::begins;
    const auto* filled = dyn_cast<MemIntrinsic>(call);
    if (filled != nullptr && use.getOperandNo() == 0)
      return whole && is_size(*filled->getLength(), local) ? LocalUse::fills : LocalUse::changes;
    if (isa<MemTransferInst>(call) && use.getOperandNo() == 1) return LocalUse::reads;
  }
  const auto* call = dyn_cast<CallBase>(user);
  const bool is_result = call != nullptr && call->isArgOperand(&use) &&
                         call->paramHasAttr(call->getArgOperandNo(&use), Attribute::StructRet);
  return whole && is_result ? LocalUse::fills : LocalUse::given;
}

} // namespace

LocalUses::LocalUses(const AllocaInst& local) : local_(local) {
  add(const_cast<AllocaInst&>(local), true);
  for (auto& [block, uses] : blocks_)
    sort(uses, [](const At& a, const At& b) { return a.instruction->comesBefore(b.instruction); });
}

namespace {
/// The address of the first element is that of all.
bool is_begin(const Instruction& address) {
  const auto* element = dyn_cast<GetElementPtrInst>(&address);
  return element == nullptr || element->hasAllZeroIndices();
}
} // namespace

void LocalUses::add(Value& pointer, bool whole) {
  for (Use& use : pointer.uses()) {
    auto* const user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(user))
      add(*user, whole && is_begin(*user));
    else if (const auto what = use_of(use, local_, whole))
      blocks_[user->getParent()].push_back({user, *what});
  }
}

bool LocalUses::any(function_ref<bool(const At&)> holds) const {
  return any_of(blocks_, [&](const auto& block) { return any_of(block.second, holds); });
}

namespace {

/// What the block's uses make of what is in the variable. True where it is still there at the end.
bool pass(ArrayRef<LocalUses::At> uses, function_ref<void(const LocalUses::At&)> found) {
  for (const LocalUses::At& at : uses) {
    if (at.use == LocalUse::reads || at.use == LocalUse::given) found(at);
    if (at.use == LocalUse::fills || at.use == LocalUse::begins) return false;
  }
  return true;
}

} // namespace

void LocalUses::follow(SmallVectorImpl<const BasicBlock*>& work, function_ref<bool(const BasicBlock&)> inside,
                       function_ref<void(const At&)> found) const {
  SmallPtrSet<const BasicBlock*, 16> seen(work.begin(), work.end());
  while (!work.empty()) {
    const BasicBlock* const block = work.pop_back_val();
    if (!pass(in(*block), found)) continue;
    for (const BasicBlock* next : successors(block))
      if (inside(*next) && seen.insert(next).second) work.push_back(next);
  }
}

void LocalUses::reached_from(const BasicBlock& from, function_ref<bool(const BasicBlock&)> inside,
                             function_ref<void(const At&)> found) const {
  SmallVector<const BasicBlock*, 16> work{&from};
  follow(work, inside, found);
}

void LocalUses::reached_from(ArrayRef<const Instruction*> writers, function_ref<void(const At&)> found) const {
  SmallVector<const BasicBlock*, 16> work;
  for (const Instruction* writer : writers) {
    const ArrayRef<At> uses = in(*writer->getParent());
    const auto* const at = find_if(uses, [writer](const At& use) { return use.instruction == writer; });
    if (pass({std::next(at), uses.end()}, found)) append_range(work, successors(writer->getParent()));
  }
  follow(work, [](const BasicBlock&) { return true; }, found);
}

} // namespace fletcher::pass
