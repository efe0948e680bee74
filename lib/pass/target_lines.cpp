// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/target_lines.hpp"

#include "lib/pass/accesses.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// The line of a target construct, by the name of its region: ".__omp_offloading_<file>_<function>_l<line>.region_id".
unsigned line_of_region(StringRef name) {
  const std::size_t at = name.consume_back(".region_id") ? name.rfind("_l") : StringRef::npos;
  unsigned line = 0;
  return at == StringRef::npos || name.substr(at + 2).take_while(isDigit).getAsInteger(10, line) ? 0 : line;
}

void give_line(CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  DISubprogram* const scope = call.getFunction()->getSubprogram();
  if (callee == nullptr || scope == nullptr || callee->getName() != "__tgt_target_kernel") return;
  constexpr unsigned region = 4;
  if (call.arg_size() <= region) return;
  if (const unsigned line = line_of_region(call.getArgOperand(region)->stripPointerCasts()->getName()); line != 0)
    call.setDebugLoc(DILocation::get(call.getContext(), line, 0, scope));
}

} // namespace

PreservedAnalyses TargetLines::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  for (Instruction& instruction : instructions(function))
    if (auto* const call = dyn_cast<CallBase>(&instruction); call != nullptr && !has_line(*call)) give_line(*call);
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
