// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does that could tell it where to write (its number, an atomic operation's result, what it reads under a
// lock, memory of its own), but goes nowhere that matters: the library is told, so that the thread's units of work, and
// its tasks, stay judged (docs/design/units.md). Relies on flow.hpp.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Numbers of threads that are only printed, or compared to decide who prints: the library does not hear of them. One
/// that is stored is heard of after that. Locks whose sections only bring variables up to date by their own values: the
/// library hears so. Thread-local variables of which the same is true are not checked. The address of one that is kept
/// or compared is a number, too.
class Doubts : public llvm::PassInfoMixin<Doubts> {
public:
  explicit Doubts(bool optimised) : optimised_(optimised) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  bool optimised_;
};

/// Makes calls that say so of atomic updates whose result is used for nothing but the update. To be run last of all.
class UnusedResults : public llvm::PassInfoMixin<UnusedResults> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
