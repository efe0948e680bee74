// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/needless/redundancy.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/needless/checked.hpp"
#include "lib/pass/program_order.hpp"
#include "lib/pass/synchronisation.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>

#include <map>
#include <tuple>

namespace fletcher::pass {

using namespace llvm;

namespace {

class Availability {
public:
  explicit Availability(Function& function) : function_(function), marks_(*function.getParent()) {}

  void run() {
    collect();
    constexpr std::size_t most = std::size_t{1} << 25; // bits
    if (keys_.size() < 2 || keys_.size() * (keys_.size() + function_.size()) > most) return;
    relate();
    solve();
    if (!offloads(*function_.getParent()))
      for (BasicBlock& block : function_) mark_reads_before_writes(block);
    for (BasicBlock& block : function_)
      if (const auto at_begin = available_.find(&block); at_begin != available_.end()) {
        BitVector available = at_begin->second;
        go_through(block, available, true);
      }
  }

private:
  using Key = std::tuple<Value*, std::int64_t, std::int64_t, bool>; ///< base, begin, end, writes

  void collect();
  void relate();
  void solve();
  void go_through(BasicBlock& block, BitVector& available, bool mark);
  void mark_reads_before_writes(BasicBlock& block);

  Function& function_;
  Marks marks_;
  std::map<Key, unsigned> keys_;
  DenseMap<const Instruction*, unsigned> accesses_; ///< their keys
  DenseMap<const Value*, BitVector> based_on_;      ///< the keys of a base
  std::vector<BitVector> covering_;                 ///< for each key those whose access makes its own one needless
  DenseMap<const BasicBlock*, BitVector> available_;
};

void Availability::collect() {
  const DataLayout& layout = function_.getParent()->getDataLayout();
  for (BasicBlock& block : function_)
    for (Instruction& instruction : block) {
      const auto access = access_of(instruction);
      if (!access) continue;
      APInt offset(layout.getIndexTypeSizeInBits(access->pointer->getType()), 0);
      Value* const base = access->pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
      const std::int64_t begin = offset.getSExtValue();
      const Key key{base, begin, begin + static_cast<std::int64_t>(access->size), access->writes};
      accesses_[&instruction] = keys_.try_emplace(key, keys_.size()).first->second;
    }
}

void Availability::relate() {
  covering_.assign(keys_.size(), BitVector(static_cast<unsigned>(keys_.size())));
  // Keys of one base stand next to each other.
  for (auto first = keys_.begin(); first != keys_.end();) {
    Value* const base = std::get<0>(first->first);
    const auto last = std::find_if(first, keys_.end(), [&](const auto& key) { return std::get<0>(key.first) != base; });
    BitVector& all = based_on_.try_emplace(base, BitVector(static_cast<unsigned>(keys_.size()))).first->second;
    for (auto key = first; key != last; ++key) {
      all.set(key->second);
      const auto& [of, begin, end, writes] = key->first;
      for (auto other = first; other != last; ++other) {
        const auto& [same, other_begin, other_end, other_writes] = other->first;
        if (other_begin <= begin && other_end >= end && (other_writes || !writes))
          covering_[key->second].set(other->second);
      }
    }
    first = last;
  }
}

/// So does the compiler's own instrumentation, as long as no call comes between, be it one that was inserted here. What
/// comes before a read-modify-write operation is not judged as what comes after it.
void Availability::mark_reads_before_writes(BasicBlock& block) {
  BitVector written(static_cast<unsigned>(keys_.size()));
  for (Instruction& instruction : reverse(block)) {
    if (may_synchronise(instruction) || is_read_modify_write(instruction) ||
        !isGuaranteedToTransferExecutionToSuccessor(&instruction))
      written.reset();
    const auto access = accesses_.find(&instruction);
    if (access == accesses_.end()) continue;
    if (isa<StoreInst>(instruction))
      written.set(access->second);
    else if (!marks_.is_marked(instruction) && written.anyCommon(covering_[access->second]))
      marks_.mark(instruction);
  }
}

void Availability::go_through(BasicBlock& block, BitVector& available, bool mark) {
  for (Instruction& instruction : block) {
    if (may_synchronise(instruction)) available.reset();
    // The base is another one from here on.
    if (const auto based = based_on_.find(&instruction); based != based_on_.end()) available.reset(based->second);
    const auto access = accesses_.find(&instruction);
    if (access == accesses_.end()) continue;
    if (mark && !marks_.is_marked(instruction) && available.anyCommon(covering_[access->second]))
      marks_.mark(instruction);
    available.set(access->second);
  }
}

void Availability::solve() {
  const auto size = static_cast<unsigned>(keys_.size());
  const ReversePostOrderTraversal<Function*> order(&function_);
  for (const BasicBlock* block : order) available_[block] = BitVector(size, block != &function_.getEntryBlock());
  DenseMap<const BasicBlock*, BitVector> at_end;
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : order) {
      BitVector& begin = available_[block];
      for (const BasicBlock* before : predecessors(block))
        if (const auto end = at_end.find(before); end != at_end.end()) begin &= end->second;
      BitVector end = begin;
      go_through(*block, end, false);
      BitVector& known = at_end.try_emplace(block, BitVector(size, true)).first->second;
      changed |= known != end;
      known = std::move(end);
    }
  }
}

} // namespace

PreservedAnalyses Redundancy::run(Function& function, FunctionAnalysisManager&) {
  if (function.hasFnAttribute(Attribute::SanitizeThread)) Availability(function).run();
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
