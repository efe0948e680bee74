// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations that read and write, of which the program does not use what they read: `atomic update`, counters
// that are only added to; and the loads that such loops begin with. The library's function gets a bit more in its order
// (lib/instrument/atomics.hpp).
#include "lib/pass/doubts/doubts.hpp"
#include "lib/pass/doubts/flow.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <string>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr std::uint32_t unused_result = 1u << 30, exchange_follows = 1u << 29;

/// C11's number of the order, as the library's functions are given it.
std::uint32_t number_of(AtomicOrdering order) {
  return order == AtomicOrdering::Unordered ? 0 : static_cast<std::uint32_t>(toCABI(order));
}

StringRef name_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return "exchange";
  case AtomicRMWInst::Add:
    return "fetch_add";
  case AtomicRMWInst::Sub:
    return "fetch_sub";
  case AtomicRMWInst::And:
    return "fetch_and";
  case AtomicRMWInst::Or:
    return "fetch_or";
  case AtomicRMWInst::Xor:
    return "fetch_xor";
  case AtomicRMWInst::Nand:
    return "fetch_nand";
  default:
    return {};
  }
}

bool has_function(const Type& type) {
  return type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64);
}

Value* make_call(IRBuilder<>& builder, Type& type, StringRef name, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 5> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  const std::string whole = ("__tsan_atomic" + Twine(type.getIntegerBitWidth()) + "_" + name).str();
  Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(whole, FunctionType::get(&type, types, false)), arguments);
}

bool tell(AtomicRMWInst& update) {
  const StringRef name = name_of(update.getOperation());
  if (name.empty() || !has_function(*update.getType()) || update.getSyncScopeID() != SyncScope::System ||
      !flow_of(update).ends())
    return false;
  IRBuilder<> builder(&update);
  Value* const order = builder.getInt32(number_of(update.getOrdering()) | unused_result);
  update.replaceAllUsesWith(
      make_call(builder, *update.getType(), name, {update.getPointerOperand(), update.getValOperand(), order}));
  update.eraseFromParent();
  return true;
}

/// What was read decides only how often the loop is repeated that tries to write, and what it writes.
bool only_repeats(AtomicCmpXchgInst& exchange) {
  const Flow flow = flow_of(exchange);
  if (flow.leaves || !flow.stores.empty() || !flow.calls.empty()) return false;
  if (any_of(flow.exchanges, [&](const auto* other) { return other != &exchange; })) return false;
  return decides_only(flow, [&](const Instruction& i) { return &i == &exchange; });
}

bool tell(AtomicCmpXchgInst& exchange) {
  Type* const type = exchange.getNewValOperand()->getType();
  if (!has_function(*type) || exchange.getSyncScopeID() != SyncScope::System || !only_repeats(exchange)) return false;
  IRBuilder<> builder(&exchange);
  Value* const expected = exchange.getCompareOperand();
  Value* const success = builder.getInt32(number_of(exchange.getSuccessOrdering()) | unused_result);
  Value* const failure = builder.getInt32(number_of(exchange.getFailureOrdering()));
  Value* const found =
      make_call(builder, *type, "compare_exchange_val",
                {exchange.getPointerOperand(), expected, exchange.getNewValOperand(), success, failure});
  Value* const both = builder.CreateInsertValue(PoisonValue::get(exchange.getType()), found, 0);
  exchange.replaceAllUsesWith(builder.CreateInsertValue(both, builder.CreateICmpEQ(found, expected), 1));
  exchange.eraseFromParent();
  return true;
}

/// A thread that comes to `first`, which comes before, comes to `second`.
bool leads_to(const Instruction& first, const Instruction& second) {
  const BasicBlock* const from = first.getParent();
  return from == second.getParent() || from->getSingleSuccessor() == second.getParent();
}

/// What the loop around such an exchange expects the first time.
bool tell(LoadInst& load) {
  if (!load.isAtomic() || load.isVolatile() || !has_function(*load.getType()) ||
      load.getSyncScopeID() != SyncScope::System)
    return false;
  const Flow flow = flow_of(load);
  if (flow.leaves || !flow.stores.empty() || !flow.calls.empty() || flow.exchanges.empty()) return false;
  AtomicCmpXchgInst& exchange = *flow.exchanges.front();
  if (any_of(flow.exchanges, [&](const auto* other) { return other != &exchange; }) ||
      exchange.getPointerOperand() != load.getPointerOperand() || !only_repeats(exchange) ||
      !decides_only(flow, [&](const Instruction& i) { return &i == &exchange; }))
    return false;
  IRBuilder<> builder(&load);
  const std::uint32_t follows = leads_to(load, exchange) ? exchange_follows : 0;
  Value* const order = builder.getInt32(number_of(load.getOrdering()) | unused_result | follows);
  load.replaceAllUsesWith(make_call(builder, *load.getType(), "load", {load.getPointerOperand(), order}));
  load.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses UnusedResults::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* load = dyn_cast<LoadInst>(&instruction)) changed |= tell(*load);
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
      changed |= tell(*update);
    else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      changed |= tell(*exchange);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
