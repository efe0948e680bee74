// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/static_pieces.hpp"

#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/own_values.hpp"
#include "lib/pass/loops/static_loops.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace fletcher::pass {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Inserts the calls of the library (lib/interpose/openmp/loop_pieces), with the place of the loop.
class Splitter {
public:
  explicit Splitter(Function& function) : function_(function), module_(*function.getParent()) {}

  void split(const StaticLoop& loop) {
    // What is left: of iterations and pieces, or which chunk comes next.
    IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    builder.SetCurrentDebugLocation(DebugLoc());
    Value* const left = builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), 2), nullptr, "fletcher.left");
    if (loop.chunked)
      split_at_chunks(loop, left);
    else
      split_iterations(loop, left);
  }

private:
  FunctionCallee function(StringRef name, Type* result, ArrayRef<Type*> parameters) {
    return module_.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  }

  void split_at_chunks(const StaticLoop& loop, Value* left);
  void split_iterations(const StaticLoop& loop, Value* left);

  Function& function_;
  Module& module_;
};

// after init:  if (n = begin_chunks(left, size of a chunk)) high = low + n - 1, stride = n        at each:
// next_chunk(left)
void Splitter::split_at_chunks(const StaticLoop& loop, Value* left) {
  IRBuilder<> builder(loop.init->getNextNode());
  builder.SetCurrentDebugLocation(loop.init->getDebugLoc());
  Type* const type = loop.low->getAllocatedType();
  Type* const wide = builder.getInt64Ty();
  Value* const own = builder.CreateCall(function("__fletcher_begin_chunks", wide, {left->getType(), wide}),
                                        {left, builder.CreateSExt(loop.chunk, wide)});
  Value* const is_own = builder.CreateICmpNE(own, builder.getInt64(0));
  Value* const size = builder.CreateTrunc(own, type);
  Value* const end =
      builder.CreateAdd(builder.CreateLoad(type, loop.low), builder.CreateSub(size, ConstantInt::get(type, 1)));
  builder.CreateStore(builder.CreateSelect(is_own, end, builder.CreateLoad(type, loop.high)), loop.high);
  builder.CreateStore(builder.CreateSelect(is_own, size, builder.CreateLoad(type, loop.stride)), loop.stride);
  BasicBlock* const body = cast<BranchInst>(loop.start->getParent()->getTerminator())->getSuccessor(0);
  builder.SetInsertPoint(body, body->getFirstInsertionPt());
  builder.CreateCall(function("__fletcher_next_chunk", builder.getVoidTy(), {left->getType()}), {left});
}

// before:  high = low + first_piece(left, iterations) - 1        start:  counter = low, and the loop
// at its end:  if (n = next_piece(left)) low = high + 1, high += n, back to start
void Splitter::split_iterations(const StaticLoop& loop, Value* left) {
  BasicBlock* const header = loop.loop->getHeader();
  auto* const copied = cast<LoadInst>(loop.start->getValueOperand());
  BasicBlock* const before = copied->getParent();
  BasicBlock* const start = SplitBlock(before, copied);
  IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(loop.init->getDebugLoc());
  Type* const type = loop.low->getAllocatedType();
  Type* const wide = builder.getInt64Ty();
  Value* const none = builder.getInt64(0);
  Value* const low = builder.CreateLoad(type, loop.low);
  Value* const high = builder.CreateLoad(type, loop.high);
  Value* const any = loop.is_signed ? builder.CreateICmpSLE(low, high) : builder.CreateICmpULE(low, high);
  Value* const distance = builder.CreateZExt(builder.CreateSub(high, low), wide);
  Value* const iterations = builder.CreateSelect(any, builder.CreateAdd(distance, builder.getInt64(1)), none);
  Value* const first = builder.CreateCall(function("__fletcher_first_piece", wide, {left->getType(), wide, wide}),
                                          {left, iterations, builder.getInt64(loop.sections ? 1 : 0)});
  Value* const end = builder.CreateAdd(low, builder.CreateTrunc(builder.CreateSub(first, builder.getInt64(1)), type));
  builder.CreateStore(builder.CreateSelect(any, end, high), loop.high);

  LLVMContext& context = function_.getContext();
  BasicBlock* const over = BasicBlock::Create(context, "fletcher.piece.end", &function_, loop.exit);
  BasicBlock* const next = BasicBlock::Create(context, "fletcher.piece.next", &function_, loop.exit);
  header->getTerminator()->replaceSuccessorWith(loop.exit, over);
  loop.exit->replacePhiUsesWith(header, over);
  builder.SetInsertPoint(over);
  Value* const more = builder.CreateCall(function("__fletcher_next_piece", wide, {left->getType()}), {left});
  builder.CreateCondBr(builder.CreateICmpNE(more, none), next, loop.exit);
  builder.SetInsertPoint(next);
  Value* const reached = builder.CreateLoad(type, loop.high);
  builder.CreateStore(builder.CreateAdd(reached, ConstantInt::get(type, 1)), loop.low);
  builder.CreateStore(builder.CreateAdd(reached, builder.CreateTrunc(more, type)), loop.high);
  builder.CreateBr(start);
}

/// Before the call that begins a region: the program itself says how large the team is that comes next (one thread,
/// where an if clause is false), or it does not.
bool tell_team(Instruction& begin) {
  const StringRef name = called_name(begin);
  const bool sized = name == "__kmpc_serialized_parallel";
  if (!sized && name != "__kmpc_fork_call") return false;
  IRBuilder<> builder(&begin);
  builder.CreateCall(begin.getModule()->getOrInsertFunction(
      sized ? "__fletcher_team_is_sized" : "__fletcher_team_is_open", builder.getVoidTy()));
  return true;
}

/// OpenMP counts iterations from zero on, in a type that their number fits. Where the counter might wrap around, nobody
/// could tell how often the loop is executed.
void tell_increment(const StaticLoop& loop) {
  Value* const counter = loop.start->getPointerOperand();
  for (User* const user : counter->users())
    if (Value* increment = nullptr; match(user, m_Store(m_Value(increment), m_Specific(counter))) &&
                                    match(increment, m_c_Add(m_Load(m_Specific(counter)), m_One())))
      cast<Instruction>(increment)->setHasNoUnsignedWrap();
}

} // namespace

PreservedAnalyses StaticPieces::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& instruction : instructions(function)) changed |= tell_team(instruction);
  const LoopInfo& all_loops = analyses.getResult<LoopAnalysis>(function);
  const auto loops = static_loops(function, all_loops);
  for_each(loops, tell_increment);
  SmallVector<StaticLoop, 4> divisible;
  for (const StaticLoop& loop : loops)
    if (!carries_values(*loop.loop, optimises_)) divisible.push_back(loop);
  changed |= tell_own_values(function, analyses, loops);
  changed |= tell_carrying_loops(function, all_loops, optimises_);
  Splitter splitter(function);
  for (const StaticLoop& loop : divisible) splitter.split(loop);
  return changed || !divisible.empty() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
