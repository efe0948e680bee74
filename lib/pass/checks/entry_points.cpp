// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <string>

namespace fletcher::pass {

using namespace llvm;

namespace {

// The optimiser may go on as if the call were not there, except that it stays where it is among other calls.
AttributeList attributes(LLVMContext& context) {
  AttrBuilder function(context);
  function.addAttribute(Attribute::NoUnwind);
  function.addAttribute(Attribute::WillReturn);
  function.addAttribute(Attribute::NoFree);
  function.addAttribute(Attribute::NoSync);
  function.addAttribute(Attribute::NoCallback);
  function.addMemoryAttr(MemoryEffects::inaccessibleMemOnly());
  AttrBuilder pointer(context);
  add_no_capture(pointer);
  pointer.addAttribute(Attribute::ReadNone);
  return AttributeList().addFnAttributes(context, function).addParamAttributes(context, 0, pointer);
}

constexpr StringRef prefixes[]{"__tsan_read",      "__tsan_write",      "__tsan_unaligned_",
                               "__fletcher_read_", "__fletcher_write_", "__fletcher_untold_"};

bool has_function_of_its_own(std::uint64_t size) { return size <= 16 && isPowerOf2_64(size); }

CallInst* insert_call(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments, const DebugLoc& location,
                      Type* result = nullptr) {
  Module& module = *builder.GetInsertBlock()->getModule();
  LLVMContext& context = module.getContext();
  SmallVector<Type*, 4> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  const FunctionCallee function = module.getOrInsertFunction(
      name, FunctionType::get(result != nullptr ? result : builder.getVoidTy(), types, false), attributes(context));
  CallInst* const call = builder.CreateCall(function, arguments);
  DebugLoc place = location;
  DISubprogram* const subprogram = builder.GetInsertBlock()->getParent()->getSubprogram();
  if (!place && subprogram != nullptr) place = DILocation::get(context, 0, 0, subprogram);
  call->setDebugLoc(place);
  return call;
}

} // namespace

bool is_check(const CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() &&
         any_of(prefixes, [&](StringRef prefix) { return callee->getName().starts_with(prefix); });
}

void insert_check(IRBuilder<>& builder, const Check& check, const DebugLoc& location) {
  const std::string kind = check.writes ? "write" : "read";
  std::string name = "__tsan_" + kind + "_range";
  SmallVector<Value*, 4> arguments{check.first, check.size};
  if (check.count != nullptr) {
    name = "__fletcher_" + kind + "_strided";
    arguments = {check.first, check.stride, check.size, check.count};
  } else if (check.lanes != nullptr) {
    name = "__fletcher_" + kind + "_masked";
    arguments = {check.first, check.size, check.lanes};
  } else if (const auto* size = dyn_cast<ConstantInt>(check.size);
             size != nullptr && has_function_of_its_own(size->getZExtValue())) {
    const bool is_aligned = size->isOne() || check.is_aligned;
    name = std::string(check.is_untold ? "__fletcher_untold_"
                       : is_aligned    ? "__tsan_"
                                       : "__tsan_unaligned_") +
           kind + std::to_string(size->getZExtValue());
    arguments = {check.first};
  }
  insert_call(builder, name, arguments, location);
}

Value* insert_question(IRBuilder<>& builder, Value* first, std::uint64_t count) {
  CallInst* const call =
      insert_call(builder, "__fletcher_read_told", {first, builder.getInt64(count)}, DebugLoc(), builder.getInt1Ty());
  call->addRetAttr(Attribute::ZExt);
  return call;
}

void insert_lanes(IRBuilder<>& builder, const Lanes& lanes, const DebugLoc& earlier, const DebugLoc& later) {
  const auto flag = [&](bool set) { return builder.getInt64(set ? 1 : 0); };
  insert_call(builder, "__fletcher_lane_earlier",
              {lanes.address, lanes.size, flag(lanes.earlier_writes), lanes.iterations, lanes.distance}, earlier);
  insert_call(builder, "__fletcher_lane_later", {lanes.address, flag(lanes.later_writes)}, later);
}

} // namespace fletcher::pass
