// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/target_lines.hpp"

#include "lib/pass/accesses.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
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

/// What clang tells the runtime of the place of a construct: ";file;function;line;column;;".
StringRef source_of(const Value& location) {
  constexpr unsigned text = 4; // the member of the structure
  const auto* const structure = dyn_cast<GlobalVariable>(location.stripPointerCasts());
  if (structure == nullptr || !structure->hasInitializer()) return {};
  const auto* const members = dyn_cast<ConstantStruct>(structure->getInitializer());
  if (members == nullptr || members->getNumOperands() <= text) return {};
  const auto* const string = dyn_cast<GlobalVariable>(members->getOperand(text)->stripPointerCasts());
  const auto* const characters = string != nullptr && string->hasInitializer()
                                     ? dyn_cast<ConstantDataSequential>(string->getInitializer())
                                     : nullptr;
  return characters != nullptr && characters->isString() ? characters->getAsString() : StringRef();
}

struct Place {
  unsigned line = 0, column = 0;
};

/// Of a construct in this file.
Place place_of(StringRef source, StringRef file) {
  SmallVector<StringRef, 8> parts;
  source.split(parts, ';');
  constexpr std::size_t name = 1, line = 3, column = 4;
  Place out;
  if (parts.size() <= column || file.take_back(parts[name].size()) != parts[name] ||
      parts[line].getAsInteger(10, out.line) || parts[column].getAsInteger(10, out.column))
    return {};
  return out;
}

void give_line(CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  DISubprogram* const scope = call.getFunction()->getSubprogram();
  if (callee == nullptr || scope == nullptr) return;
  const StringRef name = callee->getName();
  Place place;
  constexpr unsigned region = 4;
  if (name == "__tgt_target_kernel" && call.arg_size() > region)
    place.line = line_of_region(call.getArgOperand(region)->stripPointerCasts()->getName());
  else if (name.find("__tgt_target_data_") == 0 && call.arg_size() > 0)
    place = place_of(source_of(*call.getArgOperand(0)), scope->getFilename());
  if (place.line != 0) call.setDebugLoc(DILocation::get(call.getContext(), place.line, place.column, scope));
}

} // namespace

PreservedAnalyses TargetLines::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  for (Instruction& instruction : instructions(function))
    if (auto* const call = dyn_cast<CallBase>(&instruction); call != nullptr && !has_line(*call)) give_line(*call);
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
