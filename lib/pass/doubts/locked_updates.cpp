// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/locked_updates.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/lock_sections.hpp"
#include "lib/pass/needless/runtime_memory.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

class Section {
public:
  explicit Section(CallInst& take) : take_(take), layout_(take.getModule()->getDataLayout()) {}

  /// What is read in it, and may be changed there, goes nowhere but into the place that it was read from.
  bool only_updates() {
    if (!collect()) return false;
    const auto is_inside = [&](const Instruction* i) { return inside_.contains(i); };
    bool decides = false;
    Flow all;
    for (LoadInst* load : loads_) {
      const Flow flow = flow_of(*load);
      if (flow.leaves || !flow.calls.empty() || !flow.exchanges.empty() || !all_of(flow.branches, is_inside))
        return false;
      decides = decides || !flow.branches.empty();
      const Place place = place_of(*load->getPointerOperand(), layout_);
      for (const StoreInst* store : flow.stores)
        if (!is_inside(store) || (place_of(*store->getPointerOperand(), layout_) != place && is_changed(place)))
          return false;
      all.values.insert(flow.values.begin(), flow.values.end());
    }
    // Which way was taken shows in what is written: only what is read there, too, may depend on it.
    return !decides || all_of(inside_, [&](const Instruction* i) {
      if (isa<PHINode>(i)) return all.values.contains(i);
      const auto* store = dyn_cast<StoreInst>(i);
      return store == nullptr || any_of(loads_, [&](const LoadInst* load) {
               return place_of(*load->getPointerOperand(), layout_) == place_of(*store->getPointerOperand(), layout_);
             });
    });
  }

  SectionBody& body() { return inside_; }

private:
  /// Something in the section may write what is read there. What it only reads is the same for others, too.
  bool is_changed(const Place& place) const {
    const Value* const read = getUnderlyingObject(place.base);
    return any_of(inside_, [&](const Instruction* i) {
      const auto* store = dyn_cast<StoreInst>(i);
      if (store == nullptr || is_plain_local(store->getPointerOperand())) return false;
      const Value* const written = getUnderlyingObject(place_of(*store->getPointerOperand(), layout_).base);
      const bool is_older = isa<AllocaInst>(read) && isa<Argument>(written); // than the local variable
      return !(is_older || (read != written && isIdentifiedObject(read) && isIdentifiedObject(written)));
    });
  }

  /// False where something else than arithmetic, reading and writing is done, or where the section has several ends.
  bool collect() {
    const Instruction* end = nullptr;
    SmallPtrSet<BasicBlock*, 8> seen;
    SmallVector<Instruction*, 8> work{take_.getNextNode()};
    while (!work.empty()) {
      for (Instruction* i = work.pop_back_val();; i = i->getNextNode()) {
        if (lets_go(*i, take_)) {
          if (end != nullptr && end != i) return false;
          end = i;
          break;
        }
        if (i->isDebugOrPseudoInst()) continue;
        if (!inside_.insert(i).second || inside_.size() > most || !allows(*i)) return false;
        if (!i->isTerminator()) continue;
        for (BasicBlock* next : successors(i->getParent()))
          if (seen.insert(next).second) work.push_back(&next->front());
        break;
      }
    }
    return end != nullptr;
  }

  bool allows(Instruction& i) {
    if (auto* load = dyn_cast<LoadInst>(&i)) {
      if (!load->isSimple()) return false;
      const Value* const pointer = load->getPointerOperand();
      const bool own = nobody_else_sees(pointer, false) || is_task_memory(getUnderlyingObject(pointer));
      if (!own) loads_.push_back(load);
      return true;
    }
    if (const auto* store = dyn_cast<StoreInst>(&i)) return store->isSimple();
    if (const auto* call = dyn_cast<CallBase>(&i))
      return isa<CallInst>(call) && (is_check(*call) || is_compiler_barrier(*call) || call->doesNotAccessMemory() ||
                                     call->isLifetimeStartOrEnd());
    return !i.mayReadOrWriteMemory() && !isa<ReturnInst, UnreachableInst>(i);
  }

  static constexpr std::size_t most = 300;
  CallInst& take_;
  const DataLayout& layout_;
  SectionBody inside_;
  SmallVector<LoadInst*, 8> loads_;
};

} // namespace

std::optional<SectionBody> only_updates(CallInst& lock) {
  Section section(lock);
  return section.only_updates() ? std::optional(std::move(section.body())) : std::nullopt;
}

} // namespace fletcher::pass
