// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/narrow_indices.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Narrower ones wrap around in earnest: `table[i & 255]`.
constexpr unsigned width = 32;

class Widening : public SCEVRewriteVisitor<Widening> {
public:
  Widening(ScalarEvolution& evolution, const Loop& loop, SmallVectorImpl<Guard>& guards)
      : SCEVRewriteVisitor(evolution), loop_(loop), guards_(guards), repeated_(evolution.getBackedgeTakenCount(&loop)) {
  }

  const SCEV* visitZeroExtendExpr(const SCEVZeroExtendExpr* extended) {
    const SCEV* const wide = widened(*extended->getOperand(), extended->getType(), false);
    return wide != nullptr ? wide : SCEVRewriteVisitor::visitZeroExtendExpr(extended);
  }
  const SCEV* visitSignExtendExpr(const SCEVSignExtendExpr* extended) {
    const SCEV* const wide = widened(*extended->getOperand(), extended->getType(), true);
    return wide != nullptr ? wide : SCEVRewriteVisitor::visitSignExtendExpr(extended);
  }

private:
  const SCEV* widened(const SCEV& index, Type* type, bool is_signed) {
    const auto* const recurrence = dyn_cast<SCEVAddRecExpr>(&index);
    if (recurrence == nullptr || recurrence->getLoop() != &loop_ || !recurrence->isAffine() ||
        isa<SCEVCouldNotCompute>(repeated_) || SE.getTypeSizeInBits(index.getType()) != width ||
        SE.getTypeSizeInBits(repeated_->getType()) > 2 * width || SE.getTypeSizeInBits(type) != 2 * width)
      return nullptr;
    const SCEV* const start = recurrence->getStart();
    const SCEV* const first = is_signed ? SE.getSignExtendExpr(start, type) : SE.getZeroExtendExpr(start, type);
    const SCEV* const step = SE.getSignExtendExpr(recurrence->getStepRecurrence(SE), type);
    const SCEV* const times = SE.getTruncateOrZeroExtend(repeated_, type);
    const SCEV* const last = SE.getAddExpr(first, SE.getMulExpr(step, times));
    const SCEV* const end = SE.getConstant(APInt::getOneBitSet(2 * width, width));
    guards_.push_back({CmpInst::ICMP_ULT, times, end});
    // In between it moves one way only, so that it is the last one that tells.
    const APInt least = is_signed ? APInt::getSignedMinValue(width).sext(2 * width) : APInt(2 * width, 0);
    guards_.push_back({CmpInst::ICMP_ULT, SE.getMinusSCEV(last, SE.getConstant(least)), end});
    return SE.getAddRecExpr(first, step, &loop_, SCEV::FlagAnyWrap);
  }

  const Loop& loop_;
  SmallVectorImpl<Guard>& guards_;
  const SCEV* repeated_;
};

} // namespace

const SCEV* with_wide_indices(const SCEV* address, const Loop& loop, ScalarEvolution& evolution,
                              SmallVectorImpl<Guard>& guards) {
  return Widening(evolution, loop, guards).visit(address);
}

} // namespace fletcher::pass
