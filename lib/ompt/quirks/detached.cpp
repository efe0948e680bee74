// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of detached tasks' memory.

#include "lib/ompt/quirks/detached.hpp"

#include "checker/memory/spin_lock.hpp"

#include <unordered_map>

namespace fletcher::ompt {

namespace {

struct Table {
  memory::SpinLock lock;
  std::unordered_map<std::uint32_t, Block> blocks;
};

/// Never freed: threads outlive every destructor.
Table& table() {
  static Table* const the = new Table;
  return *the;
}

} // namespace

void remember_block(TaskId task, Block block) {
  if (block.size == 0) return;
  const memory::SpinGuard guard(table().lock);
  table().blocks.emplace(number(task), block);
}

Block forget_block(TaskId task) {
  const memory::SpinGuard guard(table().lock);
  const auto found = table().blocks.find(number(task));
  if (found == table().blocks.end()) return {};
  const Block block = found->second;
  table().blocks.erase(found);
  return block;
}

} // namespace fletcher::ompt
