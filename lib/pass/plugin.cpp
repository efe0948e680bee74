// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang loads with -fpass-plugin: where in its pipeline the passes run. Static loops are divided before anything
// else is done, and the returns of functions noted whose variables tasks use, and initializers of copies. Dependences
// between lanes are looked for when variables are in registers and nothing else has been done. Conditional stores are
// held while loops are optimised. Loops are looked at before the vectoriser takes them apart; the rest at the end,
// right before the compiler's own instrumentation, as plugins are asked before sanitizers. Relies on LLVM of the major
// version that it was compiled with.

#include "lib/pass/checks/inline_checks.hpp"
#include "lib/pass/checks/record_reads.hpp"
#include "lib/pass/checks/small_copies.hpp"
#include "lib/pass/checks/unseen.hpp"
#include "lib/pass/doubts/doubts.hpp"
#include "lib/pass/initialised_copies.hpp"
#include "lib/pass/known_functions.hpp"
#include "lib/pass/loops/conditional_stores.hpp"
#include "lib/pass/loops/consecutive_ranges.hpp"
#include "lib/pass/loops/lane_dependences.hpp"
#include "lib/pass/loops/loop_ranges.hpp"
#include "lib/pass/loops/rolled_loops.hpp"
#include "lib/pass/loops/rows.hpp"
#include "lib/pass/loops/static_pieces.hpp"
#include "lib/pass/loops/walks.hpp"
#include "lib/pass/lost_lines.hpp"
#include "lib/pass/needless/checked.hpp"
#include "lib/pass/needless/read_only_sharing.hpp"
#include "lib/pass/needless/redundancy.hpp"
#include "lib/pass/needless/runtime_memory.hpp"
#include "lib/pass/needless/silent_functions.hpp"
#include "lib/pass/returning_frames.hpp"
#include "lib/pass/target_lines.hpp"

#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace fletcher::pass {

namespace {

using namespace llvm;

class Settle : public PassInfoMixin<Settle> {
public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const Marks marks(module);
    for (Function& function : module) marks.settle(function);
    Marks::remove(module);
    return PreservedAnalyses::all();
  }
};

void at_start(ModulePassManager& passes, OptimizationLevel level) {
  passes.addPass(createModuleToFunctionPassAdaptor(StaticPieces(level != OptimizationLevel::O0)));
  passes.addPass(createModuleToFunctionPassAdaptor(ReturningFrames()));
  passes.addPass(InitialisedCopies());
  if (level == OptimizationLevel::O0) return;
  passes.addPass(KnownFunctions());
}

void early(ModulePassManager& passes, OptimizationLevel level) {
  if (level == OptimizationLevel::O0) return;
  passes.addPass(ReadOnlySharing());
  passes.addPass(createModuleToFunctionPassAdaptor(LaneDependences()));
  passes.addPass(createModuleToFunctionPassAdaptor(AwaitInlining()));
}

void before_loops(FunctionPassManager& passes, OptimizationLevel level) {
  if (level != OptimizationLevel::O0) passes.addPass(HoldConditionalStores());
}

void at_vectoriser(FunctionPassManager& passes, OptimizationLevel level) {
  if (level == OptimizationLevel::O0) return;
  passes.addPass(SmallCopies());
  passes.addPass(LoopSimplifyPass()); // rows need a place before the loop
  passes.addPass(Rows());
  // Conditions that do not change in a loop keep the compiler from moving out of it the loads of addresses that a
  // parallel region shares, as these must not be read where the program does not: loops are made two then, as with -O3.
  LoopPassManager loops;
  loops.addPass(SimpleLoopUnswitchPass(true));
  loops.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), true));
  passes.addPass(LostLines());
  passes.addPass(LoopRanges());
  passes.addPass(Walks());
  passes.addPass(ConsecutiveRanges());
  passes.addPass(RolledLoops());
}

void at_end(ModulePassManager& passes, OptimizationLevel level) {
  FunctionPassManager last;
  last.addPass(TargetLines());
  if (level == OptimizationLevel::O0) {
    last.addPass(RuntimeMemory());
    last.addPass(Unseen());
    last.addPass(UnusedResults());
  } else {
    // With link-time optimisation the vectoriser comes too late, and loops are looked at here; otherwise what is left.
    last.addPass(LostLines());
    last.addPass(LoopRanges());
    last.addPass(Walks());
    last.addPass(ConsecutiveRanges());
    last.addPass(RuntimeMemory());
    last.addPass(Redundancy());
    last.addPass(Unseen());
    last.addPass(RecordReads());
    last.addPass(InlineChecks());
    last.addPass(UnusedResults());
  }
  const bool optimised = level != OptimizationLevel::O0;
  // What a lock's section stores in a loop is held, too, and then nothing is known of it.
  if (optimised) passes.addPass(createModuleToFunctionPassAdaptor(ReleaseConditionalStores()));
  passes.addPass(Doubts(optimised));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(last)));
  passes.addPass(Settle());
  passes.addPass(SilentFunctions());
}

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(at_start);
  // From LLVM 20 on some also get whether the program is optimised when it is linked.
  builder.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager& passes, OptimizationLevel level, auto...) { early(passes, level); });
  builder.registerPeepholeEPCallback(before_loops);
  builder.registerVectorizerStartEPCallback(at_vectoriser);
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel level, auto...) { at_end(passes, level); });
}

} // namespace

} // namespace fletcher::pass

extern "C" [[gnu::visibility("default")]] llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "fletcher", FLETCHER_VERSION, fletcher::pass::register_passes};
}
