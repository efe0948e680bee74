// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/ranges.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

bool invariant(const SCEV* expression, const Loop& loop, ScalarEvolution& evolution) {
  return expression == nullptr || evolution.isLoopInvariant(expression, &loop);
}

/// One piece, moved on by `step` in every iteration.
Range moved(const Range& piece, const SCEV* first, const SCEV* step, const SCEV* times, bool may_be_zero,
            ScalarEvolution& evolution) {
  Range range{first, piece.size, step, times};
  if (step == piece.size) return {first, evolution.getMulExpr(step, times)};
  const auto* distance = dyn_cast<SCEVConstant>(step);
  const auto* size = dyn_cast<SCEVConstant>(piece.size);
  if (distance == nullptr || size == nullptr || may_be_zero) return range;
  // Pieces that touch or overlap are one.
  if (distance->getAPInt().abs().ugt(size->getAPInt())) return range;
  const SCEV* const last =
      evolution.getMulExpr(step, evolution.getMinusSCEV(times, evolution.getOne(times->getType())));
  const bool backwards = distance->getAPInt().isNegative();
  range.first = backwards ? evolution.getAddExpr(first, last) : first;
  range.size = evolution.getAddExpr(backwards ? evolution.getNegativeSCEV(last) : last, size);
  range.stride = range.count = nullptr;
  return range;
}

} // namespace

bool Range::is_invariant(const Loop& loop, ScalarEvolution& evolution) const {
  return invariant(first, loop, evolution) && invariant(size, loop, evolution) && invariant(stride, loop, evolution) &&
         invariant(count, loop, evolution);
}

std::optional<Range> repeated(const Range& range, const Loop& loop, const SCEV* times, bool may_be_zero,
                              ScalarEvolution& evolution) {
  if (!invariant(range.size, loop, evolution) || !invariant(range.stride, loop, evolution) ||
      !invariant(range.count, loop, evolution))
    return std::nullopt;
  const auto* moving = dyn_cast<SCEVAddRecExpr>(range.first);
  if (moving == nullptr || moving->getLoop() != &loop || !moving->isAffine()) return std::nullopt;
  const SCEV* const first = moving->getStart();
  const SCEV* const step = moving->getStepRecurrence(evolution);
  if (range.count == nullptr) return moved(range, first, step, times, may_be_zero, evolution);
  // Pieces that go on where those of the iteration before ended.
  if (step != evolution.getMulExpr(range.stride, range.count)) return std::nullopt;
  return Range{first, range.size, range.stride, evolution.getMulExpr(range.count, times)};
}

} // namespace fletcher::pass
