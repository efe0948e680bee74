// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/local_uses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
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

using Offset = std::optional<std::uint64_t>; ///< nothing: not known

/// What an access of `size` bytes is to.
std::optional<Part> part_at(Offset offset, TypeSize size) {
  if (!offset || size.isScalable()) return std::nullopt;
  return Part{*offset, *offset + size.getFixedValue()};
}

std::optional<Part> part_of(const Use& use, Offset offset, const AllocaInst& local) {
  const auto* const user = cast<Instruction>(use.getUser());
  const DataLayout& layout = local.getModule()->getDataLayout();
  if (isa<LoadInst>(user)) return part_at(offset, layout.getTypeStoreSize(user->getType()));
  if (const auto* store = dyn_cast<StoreInst>(user))
    return part_at(offset, layout.getTypeStoreSize(store->getValueOperand()->getType()));
  if (const auto* moved = dyn_cast<MemIntrinsic>(user))
    if (const auto* length = dyn_cast<ConstantInt>(moved->getLength()))
      return part_at(offset, TypeSize::getFixed(length->getZExtValue()));
  return std::nullopt;
}

template <class Do> void for_each_use(Value& pointer, Offset offset, const AllocaInst& local, Do act) {
  for (Use& use : pointer.uses()) {
    auto* const user = cast<Instruction>(use.getUser());
    const auto* const element = dyn_cast<GetElementPtrInst>(user);
    if (element == nullptr && !isa<BitCastInst, AddrSpaceCastInst>(user)) {
      act(use, offset);
      continue;
    }
    Offset there = offset;
    const DataLayout& layout = local.getModule()->getDataLayout();
    APInt more(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    if (element != nullptr && offset)
      there = element->accumulateConstantOffset(layout, more) && !more.isNegative()
                  ? Offset(*offset + more.getZExtValue())
                  : std::nullopt;
    for_each_use(*user, there, local, act);
  }
}

/// None: the use has nothing to do with what is in the part.
std::optional<LocalUse> use_of(const Use& use, Offset offset, const AllocaInst& local, const Part& part) {
  const auto* const user = cast<Instruction>(use.getUser());
  const std::optional<Part> accessed = part_of(use, offset, local);
  const bool elsewhere = accessed && !accessed->meets(part);
  const LocalUse writes = accessed && accessed->covers(part) ? LocalUse::fills : LocalUse::changes;
  if (const auto* load = dyn_cast<LoadInst>(user)) {
    if (!load->isSimple()) return LocalUse::given;
    return elsewhere ? std::nullopt : std::optional(LocalUse::reads);
  }
  if (const auto* store = dyn_cast<StoreInst>(user)) {
    if (!store->isSimple() || use.getOperandNo() != StoreInst::getPointerOperandIndex()) return LocalUse::given;
    return elsewhere ? std::nullopt : std::optional(writes);
  }
  if (const auto* call = dyn_cast<IntrinsicInst>(user)) {
    if (isa<DbgInfoIntrinsic, AssumeInst>(call)) return std::nullopt;
    if (call->isLifetimeStartOrEnd()) return LocalUse::begins;
    const bool is_moved = isa<MemIntrinsic>(call) && use.getOperandNo() < 2;
    if (is_moved && elsewhere) return std::nullopt;
    if (is_moved && use.getOperandNo() == 0) return writes;
    if (is_moved) return LocalUse::reads;
  }
  const auto* call = dyn_cast<CallBase>(user);
  const bool is_result = call != nullptr && call->isArgOperand(&use) &&
                         call->paramHasAttr(call->getArgOperandNo(&use), Attribute::StructRet);
  return is_result && offset == 0u ? LocalUse::fills : LocalUse::given;
}

constexpr std::size_t most_parts = 16;

} // namespace

SmallVector<Part, 4> parts_of(const AllocaInst& local) {
  SmallVector<std::uint64_t, 8> bounds{0, size_of(local)};
  for_each_use(const_cast<AllocaInst&>(local), 0, local, [&](const Use& use, Offset offset) {
    if (const auto part = part_of(use, offset, local); part && part->end <= size_of(local))
      bounds.append({part->begin, part->end});
  });
  sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  SmallVector<Part, 4> parts;
  for (std::size_t i = 1; i < bounds.size(); ++i) parts.push_back({bounds[i - 1], bounds[i]});
  if (parts.empty() || parts.size() > most_parts) return {Part{0, std::max<std::uint64_t>(size_of(local), 1)}};
  return parts;
}

LocalUses::LocalUses(const AllocaInst& local, const Part& part) : local_(local), part_(part) {
  for_each_use(const_cast<AllocaInst&>(local), 0, local, [&](const Use& use, Offset offset) {
    auto* const user = cast<Instruction>(use.getUser());
    if (const auto what = use_of(use, offset, local, part)) blocks_[user->getParent()].push_back({user, *what});
  });
  for (auto& [block, uses] : blocks_)
    sort(uses, [](const At& a, const At& b) { return a.instruction->comesBefore(b.instruction); });
}

bool LocalUses::are_of(const StoreInst& store) const {
  const Value* const pointer = store.getPointerOperand();
  if (getUnderlyingObject(pointer) != &local_) return false;
  if (part_.begin == 0 && part_.end >= size_of(local_)) return true;
  const DataLayout& layout = local_.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) != &local_ || offset.isNegative()) return false;
  const auto accessed = part_at(offset.getZExtValue(), layout.getTypeStoreSize(store.getValueOperand()->getType()));
  return accessed && part_.covers(*accessed);
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
