// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/quotients.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

template <typename Find> class Replacement : public SCEVRewriteVisitor<Replacement<Find>> {
public:
  Replacement(ScalarEvolution& evolution, Find find)
      : SCEVRewriteVisitor<Replacement>(evolution), find_(std::move(find)) {}

  const SCEV* visitUDivExpr(const SCEVUDivExpr* division) {
    Instruction* const result = find_(division);
    return result == nullptr ? SCEVRewriteVisitor<Replacement>::visitUDivExpr(division) : this->SE.getUnknown(result);
  }

private:
  Find find_;
};

} // namespace

Quotients::Quotients(Function& function, ScalarEvolution& evolution, DominatorTree& dominators)
    : evolution_(evolution), dominators_(dominators) {
  for (Instruction& instruction : instructions(function)) {
    const bool may_be = instruction.isIntDivRem() || isa<CastInst>(instruction); // widened, it is a division of its own
    if (!may_be || !evolution.isSCEVable(instruction.getType())) continue;
    const auto* const division = dyn_cast<SCEVUDivExpr>(evolution.getSCEV(&instruction));
    if (division != nullptr && !evolution.isKnownNonZero(division->getRHS()))
      results_[division].push_back(&instruction);
  }
}

const SCEV* Quotients::replaced(const SCEV* expression, const Instruction& place) const {
  if (results_.empty()) return expression;
  const auto find = [&](const SCEV* division) -> Instruction* {
    const auto results = results_.find(division);
    if (results == results_.end()) return nullptr;
    const auto known = find_if(results->second, [&](Instruction* one) { return dominators_.dominates(one, &place); });
    return known == results->second.end() ? nullptr : *known;
  };
  return Replacement(evolution_, find).visit(expression);
}

} // namespace fletcher::pass
