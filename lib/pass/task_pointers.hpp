// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a task's own copies (firstprivate) are pointers, or have some, through which the task accesses memory: what
// those point to has to outlive the task. Read off the task's function as clang's front end leaves it.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include <cstdint>

namespace fletcher::pass {

/// The copies of the tasks that have one function.
class TaskPointers {
public:
  /// `entry`: the function that the runtime calls for such a task.
  explicit TaskPointers(llvm::Function& entry);
  /// The task goes where the copy at this offset in its memory points, or to memory that it passes on to who may.
  bool are_used(std::uint64_t offset) const { return used_.lookup(offset); }

private:
  llvm::DenseMap<std::uint64_t, bool> used_;
};

} // namespace fletcher::pass
