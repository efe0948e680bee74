// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/lane_dependences.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// An access whose address goes on by `step` bytes in each iteration; 0 where it stays.
struct Course {
  Access access;
  const SCEV* address;
  std::int64_t step;
};

/// `source` in one iteration has to come before `sink` in the one that is `distance` later.
struct Dependence {
  const Course* source;
  const Course* sink;
  std::uint64_t distance;
};

/// Counts the iterations: its value at the start, and what each adds.
struct Counter {
  PHINode* phi;
  Value* start;
  std::int64_t step;
};

/// Addresses as the program means them: the index of a loop of OpenMP's does not overflow, nor do signed sums with it,
/// although the optimiser cannot know that before it has turned the loop around; and a pointer that each iteration
/// reads again is one.
class Meant : public SCEVRewriteVisitor<Meant> {
public:
  Meant(ScalarEvolution& evolution, const Loop& loop, const ValueToSCEVMapTy& steady)
      : SCEVRewriteVisitor(evolution), loop_(loop), steady_(steady) {}

  const SCEV* visitUnknown(const SCEVUnknown* value) {
    const auto found = steady_.find(value->getValue());
    return found == steady_.end() ? value : found->second;
  }
  const SCEV* visitSignExtendExpr(const SCEVSignExtendExpr* extended) {
    const SCEV* const narrow = visit(extended->getOperand());
    const auto* const moving = dyn_cast<SCEVAddRecExpr>(narrow);
    return moving != nullptr && moving->getLoop() == &loop_ ? widened(narrow, extended->getType())
                                                            : SE.getSignExtendExpr(narrow, extended->getType());
  }

private:
  const SCEV* widened(const SCEV* narrow, Type* type) {
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(narrow); moving != nullptr && moving->isAffine())
      return SE.getAddRecExpr(widened(moving->getStart(), type), widened(moving->getStepRecurrence(SE), type),
                              moving->getLoop(), SCEV::FlagAnyWrap);
    const auto* const sum = dyn_cast<SCEVAddExpr>(narrow);
    if (sum == nullptr) return SE.getSignExtendExpr(narrow, type);
    SmallVector<const SCEV*> parts;
    for (const SCEV* part : sum->operands()) parts.push_back(widened(part, type));
    return SE.getAddExpr(parts);
  }

  const Loop& loop_;
  const ValueToSCEVMapTy& steady_;
};

class Planner {
public:
  Planner(Function& function, FunctionAnalysisManager& analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

  bool run() {
    bool changed = false;
    for (Loop* loop : loops_.getLoopsInPreorder()) changed = look_at(*loop) || changed;
    return changed;
  }

private:
  bool look_at(Loop& loop);
  SmallVector<Course> courses(const Loop& loop, const SmallPtrSetImpl<const MDNode*>& groups) const;
  std::optional<std::int64_t> step_of(const SCEV* address, const Loop& loop, const ValueToSCEVMapTy& steady) const;
  ValueToSCEVMapTy steady_pointers(const Loop& loop) const;
  bool is_lanes_own(const Course& course, const Loop& loop) const;
  std::optional<Dependence> dependence(const Course& a, const Course& b) const;
  std::optional<Counter> counter_of(const Loop& loop) const;
  void tell(Loop& loop, const Counter& counter, ArrayRef<Dependence> all);

  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
};

/// The groups of accesses that the loop's iterations make in parallel, if it is for vectors. clang says of loops with
/// a dynamic schedule, too, that their iterations are parallel, which those of one chunk are not.
SmallPtrSet<const MDNode*, 4> parallel_groups(const Loop& loop) {
  SmallPtrSet<const MDNode*, 4> groups;
  if (!getBooleanLoopAttribute(&loop, "llvm.loop.vectorize.enable")) return groups;
  if (const MDNode* const list = findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses"))
    for (const MDOperand& operand : drop_begin(list->operands())) groups.insert(cast<MDNode>(operand.get()));
  return groups;
}

bool is_in(const Instruction& instruction, const SmallPtrSetImpl<const MDNode*>& groups) {
  const MDNode* const of = instruction.getMetadata(LLVMContext::MD_access_group);
  if (of == nullptr) return false;
  if (of->getNumOperands() == 0) return groups.contains(of);
  return any_of(of->operands(), [&](const MDOperand& one) { return groups.contains(cast<MDNode>(one.get())); });
}

bool Planner::look_at(Loop& loop) {
  const auto groups = parallel_groups(loop);
  if (groups.empty() || loop.getLoopLatch() == nullptr || loop.getExitingBlock() != loop.getHeader()) return false;
  const auto counter = counter_of(loop);
  if (!counter) return false;
  const SmallVector<Course> all = courses(loop, groups);
  // simdlen is a wish only, but who states it has thought of no more lanes.
  const auto wish = getOptionalIntLoopAttribute(&loop, "llvm.loop.vectorize.width");
  const std::uint64_t lanes = wish && *wish > 0 ? static_cast<std::uint64_t>(*wish) : ~std::uint64_t{0};
  SmallVector<Dependence> found;
  for (const Course& a : all)
    for (const Course& b : all)
      if (const auto one = dependence(a, b); one && one->distance < lanes) found.push_back(*one);
  if (found.empty()) return false;
  tell(loop, *counter, found);
  return true;
}

SmallVector<Course> Planner::courses(const Loop& loop, const SmallPtrSetImpl<const MDNode*>& groups) const {
  const ValueToSCEVMapTy steady = steady_pointers(loop);
  SmallVector<Course> all;
  for (BasicBlock* block : loop.blocks()) {
    if (loops_.getLoopFor(block) != &loop || !dominators_.dominates(block, loop.getLoopLatch())) continue;
    if (block == loop.getHeader()) continue; // its condition, which is no part of an iteration
    for (Instruction& instruction : *block) {
      if (!is_in(instruction, groups)) continue;
      const auto access = plain_access_of(instruction); // lanes see each other's variables
      if (!access || access->pointer->getType()->getPointerAddressSpace() != 0) continue;
      const SCEV* const address = Meant(evolution_, loop, steady).visit(evolution_.getSCEV(access->pointer));
      const auto step = step_of(address, loop, steady);
      if (!step) continue;
      const Course course{*access, address, *step};
      if (!is_lanes_own(course, loop)) all.push_back(course);
    }
  }
  constexpr std::size_t most = 64;
  if (all.size() > most) all.truncate(most);
  return all;
}

std::optional<std::int64_t> Planner::step_of(const SCEV* address, const Loop& loop,
                                             const ValueToSCEVMapTy& steady) const {
  std::int64_t step = 0;
  const auto add = [&](const SCEV* part) {
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(part); moving != nullptr && moving->getLoop() == &loop) {
      const auto* constant = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_));
      if (!moving->isAffine() || constant == nullptr || constant->getAPInt().getSignificantBits() > 32) return false;
      step += constant->getAPInt().getSExtValue();
      return true;
    }
    const auto* const unknown = dyn_cast<SCEVUnknown>(part);
    return evolution_.isLoopInvariant(part, &loop) || (unknown != nullptr && steady.count(unknown->getValue()) != 0);
  };
  if (const auto* sum = dyn_cast<SCEVAddExpr>(address)) {
    if (!all_of(sum->operands(), add)) return std::nullopt;
  } else if (!add(address)) {
    return std::nullopt;
  }
  return step;
}

/// Pointers that each iteration reads again, where nothing in the loop writes pointers: the first load stands for all.
ValueToSCEVMapTy Planner::steady_pointers(const Loop& loop) const {
  ValueToSCEVMapTy steady;
  DenseMap<const SCEV*, const SCEV*> first;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      if (instruction.mayWriteToMemory()) {
        const auto* store = dyn_cast<StoreInst>(&instruction);
        if (store == nullptr || store->getValueOperand()->getType()->isPtrOrPtrVectorTy()) return ValueToSCEVMapTy();
      }
      auto* const load = dyn_cast<LoadInst>(&instruction);
      if (load == nullptr || !load->isSimple() || !load->getType()->isPointerTy()) continue;
      const SCEV* const place = evolution_.getSCEV(load->getPointerOperand());
      if (evolution_.isLoopInvariant(place, &loop))
        steady[load] = first.try_emplace(place, evolution_.getUnknown(load)).first->second;
    }
  return steady;
}

/// A task's copy of what it takes part in reducing. Where the task executes a loop for vectors, each lane has one too.
bool is_reduction_copy(const Value& object) {
  const auto* const call = dyn_cast<CallBase>(&object);
  const Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == "__kmpc_task_reduction_get_th_data";
}

/// Maybe each lane has a copy: of what is reduced, of a local variable that stays where it is, or that only the loop
/// uses.
bool Planner::is_lanes_own(const Course& course, const Loop& loop) const {
  const Value* const object = getUnderlyingObject(course.access.pointer, 0);
  if (is_reduction_copy(*object)) return true;
  const auto* const variable = dyn_cast<AllocaInst>(object);
  if (variable == nullptr) return false;
  if (course.step == 0) return true;
  return none_of(variable->users(), [&](const User* user) {
    const auto* const instruction = dyn_cast<Instruction>(user);
    return instruction != nullptr && !loop.contains(instruction) && !instruction->isLifetimeStartOrEnd() &&
           !instruction->isDebugOrPseudoInst();
  });
}

/// Of `a` as the source and `b` as the sink.
std::optional<Dependence> Planner::dependence(const Course& a, const Course& b) const {
  if ((!a.access.writes && !b.access.writes) || a.step != b.step || a.access.size != b.access.size) return std::nullopt;
  if (a.access.instruction == b.access.instruction ||
      !dominators_.dominates(b.access.instruction, a.access.instruction))
    return std::nullopt;
  const auto* const apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(a.address, b.address));
  if (apart == nullptr || apart->getAPInt().getSignificantBits() > 62) return std::nullopt;
  const std::int64_t bytes = apart->getAPInt().getSExtValue();
  if (a.step == 0) // of a sum that is no reduction: the next iteration reads what this one writes
    return bytes == 0 && a.access.writes && !b.access.writes ? std::optional(Dependence{&a, &b, 1}) : std::nullopt;
  if (bytes % a.step != 0 || bytes / a.step <= 0) return std::nullopt;
  return Dependence{&a, &b, static_cast<std::uint64_t>(bytes / a.step)};
}

std::optional<Counter> Planner::counter_of(const Loop& loop) const {
  const BasicBlock* const latch = loop.getLoopLatch();
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64 || phi.getNumIncomingValues() != 2)
      continue;
    const auto* const course = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    if (course == nullptr || course->getLoop() != &loop || !course->isAffine()) continue;
    const auto* const step = dyn_cast<SCEVConstant>(course->getStepRecurrence(evolution_));
    if (step == nullptr || step->isZero() || step->getAPInt().getSignificantBits() > 32) continue;
    const unsigned entry = phi.getIncomingBlock(0) == latch ? 1 : 0;
    return Counter{&phi, phi.getIncomingValue(entry), step->getAPInt().getSExtValue()};
  }
  return std::nullopt;
}

/// Where the loop is left: how often it ran, and of each dependence both accesses, each by a call that has its line.
void Planner::tell(Loop& loop, const Counter& counter, ArrayRef<Dependence> all) {
  BasicBlock* exit = loop.getExitBlock();
  if (exit->getSinglePredecessor() == nullptr) exit = SplitEdge(loop.getHeader(), exit, &dominators_, &loops_);
  IRBuilder<> builder(exit, exit->getFirstInsertionPt());
  const bool down = counter.step < 0;
  Value* const from = down ? counter.phi : counter.start;
  Value* const to = down ? counter.start : static_cast<Value*>(counter.phi);
  Value* const passed = builder.CreateZExt(builder.CreateSub(to, from), builder.getInt64Ty());
  Value* const iterations =
      builder.CreateUDiv(passed, builder.getInt64(static_cast<std::uint64_t>(std::abs(counter.step))));
  SCEVExpander expander = pass::expander(evolution_, loop.getHeader()->getModule()->getDataLayout(), "fletcher.lane");
  for (const Dependence& one : all) {
    const SCEV* first = one.source->address;
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(first)) first = moving->getStart();
    Type* const pointer = one.source->access.pointer->getType();
    const bool known =
        evolution_.isLoopInvariant(first, &loop) && expander.isSafeToExpandAt(first, &*builder.GetInsertPoint());
    Value* const address = known ? expander.expandCodeFor(first, pointer, &*builder.GetInsertPoint())
                                 : static_cast<Value*>(Constant::getNullValue(pointer));
    insert_lanes(builder,
                 {address, builder.getInt64(one.source->access.size), iterations, builder.getInt64(one.distance),
                  one.source->access.writes, one.sink->access.writes},
                 one.source->access.instruction->getDebugLoc(), one.sink->access.instruction->getDebugLoc());
  }
}

} // namespace

PreservedAnalyses LaneDependences::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  if (analyses.getResult<LoopAnalysis>(function).empty() || !Planner(function, analyses).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace fletcher::pass
