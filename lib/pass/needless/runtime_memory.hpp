// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory through which clang's code for OpenMP talks with the runtime: the number of a thread, a task's block with its
// private variables and the addresses of what it shares, lists of dependences, bounds of loops, a thread's copies for a
// reduction. Nobody can race for it, as long as no pointer into it goes elsewhere. Relies on the layout of a task that
// clang and the runtime agree on (kmp_task_t): the address of the shared variables' addresses comes first.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/IR/Value.h>

namespace fletcher::pass {

/// The local variable's address is known to its function and to calls of the OpenMP runtime that do not keep it.
/// Complexity: that of a search for captures.
bool stays_with_runtime(const llvm::Value* local);

/// `object` is part of a task's block: of one that its creator fills before anybody else sees it, or of the one that a
/// task's function was called with, where no pointer into it went elsewhere. For accesses of the shared variables'
/// addresses, `object` is the load of their place. Complexity: that of a search for captures for each construct that
/// makes such tasks.
bool is_task_memory(const llvm::Value* object);

/// `object` is the number of the thread or of its team, by which the runtime calls a region's function: in variables of
/// its own, on the thread's stack. Complexity: that of a look at the function's uses.
bool is_thread_number(const llvm::Value* object);

/// Marks (checked.hpp) the accesses of such memory that the compiler's own instrumentation would call the library for.
class RuntimeMemory : public llvm::PassInfoMixin<RuntimeMemory> {
public:
  /// Also without optimisation: what a thread notes in memory of its own would count as such (units of work).
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
