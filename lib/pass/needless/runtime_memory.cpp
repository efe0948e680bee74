// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/needless/runtime_memory.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr unsigned entry_argument = 5; ///< of __kmpc_omp_task_alloc(loc, thread, flags, size, shared size, entry)
constexpr unsigned task_parameter = 1; ///< of a task's function(thread, task)

StringRef name_of(const CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() ? StringRef() : callee->getName();
}

bool allocates_task(const Value& value) {
  const auto* call = dyn_cast<CallBase>(&value);
  return call != nullptr && call->arg_size() > entry_argument && name_of(*call) == "__kmpc_omp_task_alloc";
}

/// What these are given is a task, or a variable of the compiler's own that they use while they are called.
bool is_call_of_runtime(const CallBase& call) {
  constexpr StringRef prefixes[]{
      "__kmpc_omp_task",   "__kmpc_taskloop",         "__kmpc_omp_wait_deps",    "__kmpc_omp_reg_task_with_affinity",
      "__kmpc_task_allow", "__kmpc_for_static_init_", "__kmpc_dist_for_static_", "__kmpc_dispatch_next_",
      "__kmpc_doacross_",  "__kmpc_reduce",           "__fletcher_task_keeps"};
  const StringRef name = name_of(call);
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// The local variable is filled with addresses and given to the entry point that ends a reduction, which has the copies
/// combined: that is nobody's access (events/work.hpp, Reduction). Nothing else is done with it.
bool is_list_of_copies(const Value& local) {
  return all_of(local.users(), [&local](const User* user) {
    if (const auto* element = dyn_cast<GetElementPtrInst>(user)) return is_list_of_copies(*element);
    if (const auto* store = dyn_cast<StoreInst>(user)) return store->isSimple() && store->getValueOperand() != &local;
    const auto* call = dyn_cast<CallBase>(user);
    return call != nullptr && (call->isLifetimeStartOrEnd() || name_of(*call).starts_with("__kmpc_reduce"));
  });
}

/// A reduction's copy is put into such a list.
bool lists_copy(const Use& use) {
  const auto* store = dyn_cast<StoreInst>(use.getUser());
  if (store == nullptr) return false;
  const Value* const list = getUnderlyingObject(store->getPointerOperand());
  return isa<AllocaInst>(list) && is_list_of_copies(*list);
}

struct Escape final : Captures {
  bool found = false;
  void tooManyUses() override { found = true; }
  bool is_captured(const Use& use) override {
    if (lists_copy(use)) return false;
    const auto* call = dyn_cast<CallBase>(use.getUser());
    found = call == nullptr || !call->isDataOperand(&use) || !is_call_of_runtime(*call);
    return found;
  }
};

/// More of them occur in functions whose loops were unrolled, and in long ones without optimisation. Where a variable
/// counts as seen by others, what a thread keeps there for a moment counts as what it may know itself by.
constexpr unsigned most_uses = 2000;

bool escapes(const Value& pointer) {
  Escape escape;
  PointerMayBeCaptured(&pointer, &escape, most_uses);
  return escape.found;
}

/// A taskloop's tasks are copies that the compiler's function makes.
bool is_copied_openly(const CallBase& task) {
  for (const User* user : task.users()) {
    const auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr || !name_of(*call).starts_with("__kmpc_taskloop")) continue;
    const Value* const last = call->getArgOperand(call->arg_size() - 1);
    if (isa<ConstantPointerNull>(last)) continue;
    const auto* copies = dyn_cast<Function>(last);
    if (copies == nullptr || copies->isDeclaration()) return true;
    for (const Argument& argument : copies->args())
      if (argument.getType()->isPointerTy() && escapes(argument)) return true;
  }
  return false;
}

/// The function's callers are the runtime, with tasks whose creators kept all pointers to themselves, and such creators
/// (undeferred tasks).
bool is_called_with_closed_tasks(const Function& function) {
  return function.hasLocalLinkage() && all_of(function.uses(), [&](const Use& use) {
           const auto* call = dyn_cast<CallBase>(use.getUser());
           if (call == nullptr) return false;
           if (call->isCallee(&use)) return allocates_task(*call->getArgOperand(task_parameter));
           return allocates_task(*call) && call->getArgOperandNo(&use) == entry_argument && !escapes(*call) &&
                  !is_copied_openly(*call);
         });
}

/// The function is called for a task, with its block.
const Function* task_function(const Value& object) {
  const auto* argument = dyn_cast<Argument>(&object);
  if (argument == nullptr || argument->getArgNo() != task_parameter) return nullptr;
  const Function* const function = argument->getParent();
  const bool is_entry = any_of(function->uses(), [](const Use& use) {
    return allocates_task(*use.getUser()) && cast<CallBase>(use.getUser())->getArgOperandNo(&use) == entry_argument;
  });
  return is_entry ? function : nullptr;
}

/// The place of the shared variables' addresses, which stands at the begin of the block.
bool is_place_of_shared(const Value& object) {
  const auto* load = dyn_cast<LoadInst>(&object);
  if (load == nullptr || !load->isSimple()) return false;
  const Value* const block = load->getPointerOperand()->stripPointerCasts();
  return allocates_task(*block) || task_function(*block) != nullptr;
}

/// The parameter that the value is, or that it was read from without optimisation: the only thing that its slot gets.
const Argument* parameter_behind(const Value& value) {
  if (const auto* argument = dyn_cast<Argument>(&value)) return argument;
  const auto* load = dyn_cast<LoadInst>(&value);
  const auto* slot = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
  if (slot == nullptr) return nullptr;
  const Argument* parameter = nullptr;
  for (const User* user : slot->users()) {
    if (isa<LoadInst>(user)) continue;
    const auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || parameter != nullptr || store->getPointerOperand() != slot) return nullptr;
    parameter = dyn_cast<Argument>(store->getValueOperand());
    if (parameter == nullptr) return nullptr;
  }
  return parameter;
}

void check_side(MemIntrinsic& intrinsic, Value* pointer, bool writes) {
  IRBuilder<> builder(&intrinsic);
  Value* const size = builder.CreateZExtOrTrunc(intrinsic.getLength(), builder.getInt64Ty());
  insert_check(builder, {pointer, size, nullptr, nullptr, nullptr, writes}, intrinsic.getDebugLoc());
}

/// The compiler's instrumentation would call a function instead that copies or fills, and checks both sides.
void check_visible_sides(MemIntrinsic& intrinsic, const Marks& marks) {
  auto* const copy = dyn_cast<MemTransferInst>(&intrinsic);
  const bool reads = copy != nullptr && !nobody_else_sees(copy->getSource(), false);
  const bool writes = !nobody_else_sees(intrinsic.getDest(), true);
  if (writes && (reads || copy == nullptr)) return;
  if (reads) check_side(intrinsic, copy->getSource(), false);
  if (writes) check_side(intrinsic, intrinsic.getDest(), true);
  marks.mark(intrinsic);
}

} // namespace

bool stays_with_runtime(const Value* local) { return !escapes(*local); }

bool is_task_memory(const Value* object) {
  if (allocates_task(*object)) return !escapes(*object);
  if (const Function* const function = task_function(*object))
    return !escapes(*object) && is_called_with_closed_tasks(*function);
  return is_place_of_shared(*object);
}

bool is_thread_number(const Value* object) {
  const Argument* const parameter = parameter_behind(*object);
  if (parameter == nullptr || parameter->getArgNo() > 1 || !parameter->getParent()->hasLocalLinkage()) return false;
  const Function& function = *parameter->getParent();
  return !function.use_empty() && all_of(function.uses(), [&](const Use& use) {
    const auto* call = dyn_cast<CallBase>(use.getUser());
    if (call == nullptr) return false;
    if (!call->isCallee(&use)) return name_of(*call).starts_with("__kmpc_fork_");
    // By the one that the runtime calls: with -g the region is in a function of its own.
    return call->getFunction() != &function && is_thread_number(call->getArgOperand(parameter->getArgNo()));
  });
}

PreservedAnalyses RuntimeMemory::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const Marks marks(*function.getParent());
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (marks.is_marked(instruction)) continue;
    if (isa<LoadInst, StoreInst>(instruction)) {
      const Value* const pointer = getLoadStorePointerOperand(&instruction);
      if (!instruction.isAtomic() && !instruction.isVolatile() &&
          nobody_else_sees(pointer, isa<StoreInst>(instruction)))
        marks.mark(instruction);
    } else if (auto* intrinsic = dyn_cast<MemIntrinsic>(&instruction);
               intrinsic != nullptr && !intrinsic->isVolatile()) {
      check_visible_sides(*intrinsic, marks);
    }
  }
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
