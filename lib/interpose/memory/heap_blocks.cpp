// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/heap_blocks.hpp"

#include "checker/checker.hpp"
#include "lib/interpose/library/library_calls.hpp"
#include "lib/interpose/memory/heap_registry.hpp"
#include "lib/interpose/openmp/task_reductions.hpp"

namespace fletcher::interpose {

void* block_begins(access::ThreadState& thread, void* block, std::size_t size, Address pc) {
  if (block == nullptr) return nullptr;
  const tool::InsideTool inside;
  const InLibrary library(thread, pc);
  const auto base = reinterpret_cast<Address>(block);
  const ContextId origin = thread.checker == nullptr ? ContextId::none : thread.checker->place(thread, pc);
  heap::born({base, size, origin, thread.id, tool::where().team == TeamId::none});
  // Also where accesses are not checked at the moment: what was recorded about the memory must not outlive its owner.
  raise(MemoryBegin{thread.id, base, size, MemoryKind::heap, pc});
  return block;
}

void block_ends(access::ThreadState& thread, void* block, std::size_t size, Address pc) {
  if (block == nullptr) return;
  const tool::InsideTool inside;
  const InLibrary library(thread, pc);
  const auto base = reinterpret_cast<Address>(block);
  const auto known = heap::died(base);
  if (thread.off <= 0) raise(MemoryEnd{thread.id, base, known ? *known : size, MemoryKind::heap, pc - 1});
}

void* runtime_block_begins(void* block, std::size_t size) {
  if (block == nullptr) return nullptr;
  const tool::InsideTool inside;
  const auto base = reinterpret_cast<Address>(block);
  heap::born({base, size, ContextId::none, ThreadId::none});
  raise(MemoryBegin{tool::where().thread, base, size, MemoryKind::heap});
  return block;
}

void runtime_block_ends(void* block) {
  if (block == nullptr) return;
  reduction_copies_end(reinterpret_cast<Address>(block));
  heap::died(reinterpret_cast<Address>(block));
}

std::optional<ObjectDescription> describe_heap(Address address) {
  const auto block = heap::find(address);
  if (!block || block->thread == ThreadId::none) return std::nullopt;
  ObjectDescription object;
  object.kind = ObjectKind::heap;
  object.base = block->base;
  object.size = block->size;
  object.thread = block->thread;
  if (tool::Session* const session = tool::session()) object.origin = session->checker().stack(block->origin);
  return object;
}

} // namespace fletcher::interpose
