// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/program_order.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// What tells memory from other memory: a variable, an argument, or the variable that the address was read from. Null:
/// one of several.
const Value* object_of(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* const load = dyn_cast<LoadInst>(object)) object = getUnderlyingObject(load->getPointerOperand(), 0);
  return isa<PHINode, SelectInst>(object) ? nullptr : object;
}

} // namespace

bool offloads(const Module& module) {
  return module.getNamedMetadata("omp_offload.info") != nullptr || module.getModuleFlag("openmp-device") != nullptr;
}

ProgramOrder::ProgramOrder(const Function& function, const LoopInfo& loops)
    : loops_(loops), matters_(offloads(*function.getParent())) {}

const ProgramOrder::Nest& ProgramOrder::nest(const Loop& outermost) {
  const auto [at, is_new] = nests_.try_emplace(&outermost);
  Nest& nest = at->second;
  if (!is_new) return nest;
  const auto writes = [&](const Value* pointer) {
    const Value* const object = object_of(pointer);
    object == nullptr ? static_cast<void>(nest.writes_unknown = true) : static_cast<void>(nest.written.insert(object));
  };
  for (BasicBlock* const block : outermost.blocks())
    for (Instruction& instruction : *block) {
      if (const auto* const intrinsic = dyn_cast<MemIntrinsic>(&instruction)) writes(intrinsic->getRawDest());
      if (const auto access = plain_access_of(instruction)) {
        if (access->writes)
          writes(access->pointer);
        else
          nest.read.insert(object_of(access->pointer));
      }
    }
  return nest;
}

bool ProgramOrder::may_leave_loops(const Access& access) {
  if (!matters_) return true;
  const Loop* outermost = loops_.getLoopFor(access.instruction->getParent());
  while (outermost != nullptr && outermost->getParentLoop() != nullptr) outermost = outermost->getParentLoop();
  if (outermost == nullptr) return true;
  const Nest& around = nest(*outermost);
  const Value* const object = object_of(access.pointer);
  if (access.writes) return object != nullptr && !around.read.contains(object);
  return around.written.empty() && !around.writes_unknown
             ? true
             : object != nullptr && !around.writes_unknown && !around.written.contains(object);
}

} // namespace fletcher::pass
