// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/remainders.hpp"

#include <llvm/IR/PatternMatch.h>

#include <cstdlib>
#include <optional>

namespace fletcher::pass {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// `product` is of the quotient and the length of a row, shifted by so much.
std::optional<unsigned> shift_of_product(const Value& product, const Value& quotient, const Value& length) {
  if (match(&product, m_c_Mul(m_Specific(&quotient), m_Specific(&length)))) return 0;
  const APInt *row = nullptr, *factor = nullptr;
  if (!match(&length, m_APInt(row)) || !row->isStrictlyPositive()) return std::nullopt;
  const unsigned bits = row->getBitWidth();
  APInt times(bits, 0);
  if (match(&product, m_Shl(m_Specific(&quotient), m_APInt(factor))) && factor->ult(bits))
    times = APInt::getOneBitSet(bits, static_cast<unsigned>(factor->getZExtValue()));
  else if (match(&product, m_c_Mul(m_Specific(&quotient), m_APInt(factor))))
    times = *factor;
  for (unsigned shift = 0; shift + 2 < bits; ++shift)
    if (times == row->shl(shift) && times.lshr(shift) == *row) return shift;
  return std::nullopt;
}

/// Programs count in integers narrower than addresses. The optimiser writes what makes them wide again as a shift to
/// the left and one back, of which nobody can tell any more that it changes nothing.
void follow(const Instruction& result, unsigned shift, std::int64_t added, SmallVectorImpl<Narrowed>& found) {
  const unsigned width = result.getType()->getIntegerBitWidth();
  for (const User* const user : result.users()) {
    auto* const next = const_cast<Instruction*>(cast<Instruction>(user));
    const APInt* number = nullptr;
    if (isa<TruncInst>(next) && shift == 0 && added == 0) {
      found.push_back({next, next->getType()->getIntegerBitWidth(), 0, 0});
    } else if (shift == 0 && match(next, m_Shl(m_Specific(&result), m_APInt(number))) && number->ult(width - 2)) {
      follow(*next, static_cast<unsigned>(number->getZExtValue()), added, found);
    } else if (shift > 0 && match(next, m_AShr(m_Specific(&result), m_APInt(number))) && number->ule(shift)) {
      found.push_back({next, width - shift, added, shift - static_cast<unsigned>(number->getZExtValue())});
    } else if (shift > 0 && added == 0 && match(next, m_c_Add(m_Specific(&result), m_APInt(number)))) {
      const std::int64_t more = number->getSExtValue() >> shift;
      const bool is_whole = number->getSExtValue() == more * (std::int64_t{1} << shift);
      if (is_whole && std::abs(more) <= std::int64_t{1} << (width - shift - 2)) follow(*next, shift, more, found);
    }
  }
}

} // namespace

void find_remainders(const Loop& loop, const Quotient& quotient, SmallVectorImpl<Remainder>& found) {
  for (const User* const product : quotient.result.users()) {
    const auto shift = shift_of_product(*product, quotient.result, quotient.length);
    if (!shift) continue;
    for (const User* const user : product->users()) {
      auto* const difference = const_cast<Instruction*>(cast<Instruction>(user));
      const bool is_remainder =
          *shift == 0 ? match(difference, m_Sub(m_Specific(&quotient.counter), m_Specific(product)))
                      : match(difference,
                              m_Sub(m_Shl(m_Specific(&quotient.counter), m_SpecificInt(*shift)), m_Specific(product)));
      if (is_remainder && loop.contains(difference)) found.push_back({difference, *shift});
    }
  }
}

void find_narrowed(const Remainder& remainder, SmallVectorImpl<Narrowed>& found) {
  follow(*remainder.result, remainder.shift, 0, found);
}

} // namespace fletcher::pass
