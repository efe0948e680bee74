// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In modules with target regions it matters in which order memory is read and written, also within one strand: a write
// makes valid what is read after it (docs/rules/mapping-bug.md). So checks may be moved there only past accesses to
// other memory.
#pragma once

#include "lib/pass/accesses.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>

namespace fletcher::pass {

/// The module has target regions or variables of devices, or is the image for a device.
bool offloads(const llvm::Module& module);

class ProgramOrder {
public:
  ProgramOrder(const llvm::Function& function, const llvm::LoopInfo& loops);
  /// The access's check may be made before the loops around it. O(1) after the first question about a nest of loops.
  bool may_leave_loops(const Access& access);

private:
  struct Nest {
    llvm::DenseSet<const llvm::Value*> read, written;
    bool writes_unknown = false;
  };
  const Nest& nest(const llvm::Loop& outermost);

  const llvm::LoopInfo& loops_;
  bool matters_;
  llvm::DenseMap<const llvm::Loop*, Nest> nests_;
};

} // namespace fletcher::pass
