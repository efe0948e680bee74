// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread keeps in variables of its own from one iteration, or one worksharing construct, to the next: by that it
// may know which one it is and what it has done, and choose accordingly what it accesses. Such variables may be in
// registers when the program runs, so it is read off the code. Relies on flow.hpp and static_loops.hpp, and on code as
// clang makes it, with all variables in memory.
#pragma once

#include "lib/pass/loops/static_loops.hpp"

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// An iteration may find in the thread's own variables what an earlier one left there, and use it for more than to
/// bring them up to date: the iterations belong together. `optimises`: variables that other functions are given the
/// addresses of may become registers, too; where they stay in memory, the library sees what is done to them.
/// Complexity: O(variables * size of the loop).
bool carries_values(const llvm::Loop& loop, bool optimises);

/// Before a dynamic or guided loop of which that is so the library is told that the thread may know who it is: it may
/// have a place by its first iteration.
bool tell_carrying_loops(llvm::Function& function, const llvm::LoopInfo& loops, bool optimises);

/// The same of what a worksharing construct leaves to what follows it: the library is told at the construct's end that
/// the thread may know who it is. Complexity: O(constructs * variables * size of the function).
bool tell_own_values(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                     llvm::ArrayRef<StaticLoop> loops);

} // namespace fletcher::pass
