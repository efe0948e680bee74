// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/needless/checked.hpp"

#include "lib/pass/llvm_versions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

namespace fletcher::pass {

using namespace llvm;

namespace {
constexpr const char* name_of_mark = "fletcher.checked";
}

Marks::Marks(Module& module) {
  NamedMDNode* const named = module.getOrInsertNamedMetadata(name_of_mark);
  if (named->getNumOperands() == 0) {
    MDBuilder builder(module.getContext());
    named->addOperand(
        builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain("fletcher"), "checked"));
  }
  scope_ = named->getOperand(0);
}

void Marks::mark(Instruction& instruction) const {
  MDNode* const scopes = instruction.getMetadata(LLVMContext::MD_noalias);
  MDNode* const own = MDNode::get(instruction.getContext(), {scope_});
  instruction.setMetadata(LLVMContext::MD_noalias, MDNode::concatenate(scopes, own));
}

bool Marks::is_marked(const Instruction& instruction) const {
  const MDNode* const scopes = instruction.getMetadata(LLVMContext::MD_noalias);
  return scopes != nullptr && is_contained(scopes->operands(), scope_);
}

void Marks::settle(Function& function) const {
  LLVMContext& context = function.getContext();
  for (Instruction& instruction : instructions(function)) {
    if (!is_marked(instruction)) continue;
    SmallVector<Metadata*> others;
    for (const MDOperand& scope : instruction.getMetadata(LLVMContext::MD_noalias)->operands())
      if (scope.get() != scope_) others.push_back(scope.get());
    instruction.setMetadata(LLVMContext::MD_noalias, others.empty() ? nullptr : MDNode::get(context, others));
    leave_alone(instruction);
  }
}

void Marks::remove(Module& module) {
  if (NamedMDNode* const named = module.getNamedMetadata(name_of_mark)) named->eraseFromParent();
}

} // namespace fletcher::pass
