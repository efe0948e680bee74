// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks on accesses that need no check of their own. A mark has to survive the vectorisers, and must be gone where an
// access is merged with one that has none. LLVM treats `noalias` so, a list of alias scopes, and a scope that no access
// is in has no other meaning. At the end of the pipeline marks become what the compiler's own instrumentation
// leaves alone.
#pragma once

#include <llvm/IR/Module.h>

namespace fletcher::pass {

/// The module's mark; made with the first use.
class Marks {
public:
  explicit Marks(llvm::Module& module);

  void mark(llvm::Instruction& instruction) const;
  bool is_marked(const llvm::Instruction& instruction) const;
  /// Has the compiler's instrumentation leave alone all that is marked in the function.
  void settle(llvm::Function& function) const;
  /// Forgets the mark itself, after the last function was settled.
  static void remove(llvm::Module& module);

private:
  llvm::MDNode* scope_;
};

} // namespace fletcher::pass
