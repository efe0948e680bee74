// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a value goes within its function: what is computed from it, and where that ends up. Local variables that only
// loads and stores know are followed, so that code without optimisation tells the same.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

struct Flow {
  llvm::SmallPtrSet<const llvm::Value*, 16> values;         ///< it, and what is computed from it
  llvm::SmallVector<llvm::StoreInst*, 4> stores;            ///< that put such a value into other memory
  llvm::SmallVector<llvm::CallBase*, 4> calls;              ///< that are given one
  llvm::SmallVector<llvm::Instruction*, 4> branches;        ///< that depend on one
  llvm::SmallVector<llvm::AtomicCmpXchgInst*, 1> exchanges; ///< that expect or write one
  bool leaves = false; ///< one is an address, part of one, or goes where it is not followed

  /// It goes nowhere.
  bool ends() const { return !leaves && stores.empty() && calls.empty() && branches.empty() && exchanges.empty(); }
};

/// Complexity: O(uses of all that depends on it).
Flow flow_of(llvm::Instruction& value);
/// The same as far as it goes by instructions of which `counts` is true.
Flow flow_of(llvm::Instruction& value, llvm::function_ref<bool(const llvm::Instruction&)> counts);
/// The same of another value as well.
void add_flow(Flow& flow, llvm::Instruction& value);

/// Inline assembler without an instruction: it keeps the compiler from moving or removing something, and does nothing.
bool is_compiler_barrier(const llvm::CallBase& call);

/// The function of another module that is called; empty where it is none.
llvm::StringRef called_name(const llvm::Instruction& instruction);

/// Prints what it is given, or tells something that is the same for the whole team.
bool only_prints(const llvm::Instruction& instruction);

/// A local variable of which only loads and stores know.
bool is_plain_local(const llvm::Value* pointer);

/// What is executed, or not, as one of the flow's branches decides is nothing but arithmetic and what `harmless`
/// allows, and no other value depends on it. Complexity: O(size of the function) for each branch.
bool decides_only(const Flow& flow, llvm::function_ref<bool(const llvm::Instruction&)> harmless);

} // namespace fletcher::pass
