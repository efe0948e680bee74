// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/accesses.hpp"

#include "lib/pass/needless/runtime_memory.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

// Counters of profiling and coverage are raced for on purpose.
bool belongs_to_instrumentation(const GlobalVariable& variable) {
  return variable.getName().starts_with("__llvm_gc") || variable.getName().starts_with("__profc_") ||
         (variable.hasSection() && variable.getSection().contains("__llvm_prf"));
}

bool is_virtual_table_access(const Instruction& instruction) {
  const MDNode* tag = instruction.getMetadata(LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

} // namespace

bool nobody_else_sees(const Value* pointer, bool writes) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* variable = dyn_cast<GlobalVariable>(object))
    return belongs_to_instrumentation(*variable) || (variable->isConstant() && !writes);
  if (const auto* table = dyn_cast<LoadInst>(object); table != nullptr && is_virtual_table_access(*table))
    return !writes;
  if (isa<AllocaInst>(object)) return stays_with_runtime(object);
  return is_task_memory(object) || (!writes && is_thread_number(object));
}

std::optional<Access> plain_access_of(Instruction& instruction) {
  Access access{&instruction, nullptr, 0, isa<StoreInst>(instruction)};
  const auto* load = dyn_cast<LoadInst>(&instruction);
  const auto* store = dyn_cast<StoreInst>(&instruction);
  if (load == nullptr && store == nullptr) return std::nullopt;
  if (load != nullptr ? !load->isSimple() : !store->isSimple()) return std::nullopt;
  if (instruction.hasMetadata(LLVMContext::MD_nosanitize)) return std::nullopt;
  if (access.writes && is_virtual_table_access(instruction)) return std::nullopt;
  access.pointer = getLoadStorePointerOperand(&instruction);
  if (access.pointer->getType()->getPointerAddressSpace() != 0 || access.pointer->isSwiftError()) return std::nullopt;
  const TypeSize size = instruction.getModule()->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
  if (size.isScalable() || size.isZero()) return std::nullopt;
  access.size = size.getFixedValue();
  return access;
}

std::optional<Access> access_of(Instruction& instruction) {
  const auto access = plain_access_of(instruction);
  return access && !nobody_else_sees(access->pointer, access->writes) ? access : std::nullopt;
}

bool has_line(const Instruction& instruction) {
  const DILocation* place = instruction.getDebugLoc();
  return place != nullptr && place->getLine() != 0;
}

bool on_same_line(const Instruction& a, const Instruction& b) {
  const DILocation* first = a.getDebugLoc();
  const DILocation* second = b.getDebugLoc();
  if (first == nullptr || second == nullptr) return first == second;
  return first->getLine() == second->getLine() && first->getFile() == second->getFile() &&
         first->getInlinedAt() == second->getInlinedAt();
}

} // namespace fletcher::pass
