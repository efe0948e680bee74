// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/locked_updates.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/entry_points.hpp"
#include "lib/pass/runtime_memory.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// What an address is made of: where it was kept in a local variable, what that was given.
struct Place {
  const Value* base = nullptr;
  APInt offset;
  friend bool operator==(const Place&, const Place&) = default;
};

const Value* given_once(const Value& base) {
  const auto* load = dyn_cast<LoadInst>(&base);
  if (load == nullptr || !is_plain_local(load->getPointerOperand())) return &base;
  const Value* given = nullptr;
  for (const User* user : load->getPointerOperand()->users())
    if (const auto* store = dyn_cast<StoreInst>(user)) {
      if (given != nullptr) return &base;
      given = store->getValueOperand();
    }
  return given != nullptr ? given : &base;
}

Place place_of(const Value& pointer, const DataLayout& layout) {
  Place place{nullptr, APInt(layout.getIndexTypeSizeInBits(pointer.getType()), 0)};
  place.base = given_once(*pointer.stripAndAccumulateConstantOffsets(layout, place.offset, true));
  if (const auto* more = dyn_cast<LoadInst>(place.base); more != nullptr) place.base = given_once(*more);
  return place;
}

struct Locking {
  StringRef take, leave;
  unsigned lock; ///< which argument
};
constexpr Locking lockings[]{{"__kmpc_critical", "__kmpc_end_critical", 2},
                             {"__kmpc_critical_with_hint", "__kmpc_end_critical", 2},
                             {"omp_set_lock", "omp_unset_lock", 0},
                             {"pthread_mutex_lock", "pthread_mutex_unlock", 0}};

class Section {
public:
  Section(CallInst& take, const Locking& locking)
      : take_(take), locking_(locking), layout_(take.getModule()->getDataLayout()),
        lock_(place_of(*take.getArgOperand(locking.lock), layout_)) {}

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

  bool is_end(const Instruction& i) const {
    return called_name(i) == locking_.leave &&
           place_of(*cast<CallInst>(i).getArgOperand(locking_.lock), layout_) == lock_;
  }

  /// False where something else than arithmetic, reading and writing is done, or where the section has several ends.
  bool collect() {
    const Instruction* end = nullptr;
    SmallPtrSet<BasicBlock*, 8> seen;
    SmallVector<Instruction*, 8> work{take_.getNextNode()};
    while (!work.empty()) {
      for (Instruction* i = work.pop_back_val();; i = i->getNextNode()) {
        if (is_end(*i)) {
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
      return isa<CallInst>(call) && (is_check(*call) || call->doesNotAccessMemory() || call->isLifetimeStartOrEnd());
    return !i.mayReadOrWriteMemory() && !isa<ReturnInst, UnreachableInst>(i);
  }

  static constexpr std::size_t most = 300;
  CallInst& take_;
  const Locking& locking_;
  const DataLayout& layout_;
  Place lock_;
  SmallPtrSet<const Instruction*, 32> inside_;
  SmallVector<LoadInst*, 8> loads_;
};

const Locking* locking_of(const CallInst& call) {
  const StringRef name = called_name(call);
  const auto* found = find_if(lockings, [&](const Locking& locking) { return locking.take == name; });
  return found == std::end(lockings) || call.arg_size() <= found->lock ? nullptr : found;
}

} // namespace

bool takes_lock(const CallInst& call) { return locking_of(call) != nullptr; }

bool only_updates(CallInst& lock) { return Section(lock, *locking_of(lock)).only_updates(); }

} // namespace fletcher::pass
