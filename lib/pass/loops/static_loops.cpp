// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/static_loops.hpp"

#include "lib/pass/doubts/flow.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>

#include <optional>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr StringRef init_name = "__kmpc_for_static_init_";

/// The runtime's kmp_sch_static_chunked and kmp_sch_static; bits above say whether it is monotonic.
constexpr std::uint64_t static_chunked = 33, static_unchunked = 34, schedule_bits = 0xffff;

enum Parameter : unsigned { location, thread, schedule, last, lower, upper, stride, step, chunk };

/// The only load of `low` that is put into another variable: the loop's counter.
StoreInst* start_of(const AllocaInst& low) {
  StoreInst* start = nullptr;
  for (const User* user : low.users()) {
    const auto* load = dyn_cast<LoadInst>(user);
    if (load == nullptr || !load->hasOneUse()) continue;
    auto* store = const_cast<StoreInst*>(dyn_cast<StoreInst>(*load->user_begin()));
    if (store == nullptr || store->getValueOperand() != load || !isa<AllocaInst>(store->getPointerOperand())) continue;
    if (start != nullptr || store->getParent() != load->getParent()) return nullptr;
    start = store;
  }
  return start;
}

/// The place of the construct that the runtime is given says so (KMP_IDENT_WORK_SECTIONS).
bool is_of_sections(const CallInst& init) {
  constexpr unsigned flags_field = 1;
  constexpr std::uint64_t of_sections = 0x400;
  const auto* place = dyn_cast<GlobalVariable>(init.getArgOperand(location)->stripPointerCasts());
  const Constant* const fields = place == nullptr || !place->hasInitializer() ? nullptr : place->getInitializer();
  const auto* flags =
      fields == nullptr ? nullptr : dyn_cast_or_null<ConstantInt>(fields->getAggregateElement(flags_field));
  return flags != nullptr && (flags->getZExtValue() & of_sections) != 0;
}

std::optional<StaticLoop> loop_of(CallInst& init, const LoopInfo& loops) {
  const auto* kind = dyn_cast<ConstantInt>(init.getArgOperand(schedule));
  if (kind == nullptr) return std::nullopt;
  const std::uint64_t number = kind->getZExtValue() & schedule_bits;
  if (number != static_chunked && number != static_unchunked) return std::nullopt;
  auto* const low = dyn_cast<AllocaInst>(init.getArgOperand(lower));
  auto* const high = dyn_cast<AllocaInst>(init.getArgOperand(upper));
  auto* const distance = dyn_cast<AllocaInst>(init.getArgOperand(stride));
  if (low == nullptr || high == nullptr || distance == nullptr || low->getAllocatedType() != high->getAllocatedType())
    return std::nullopt;
  StoreInst* const start = start_of(*low);
  if (start == nullptr) return std::nullopt;
  const bool chunked = number == static_chunked;
  BasicBlock* const header = chunked ? nullptr : start->getParent()->getSingleSuccessor();
  Loop* const loop = chunked ? loops.getLoopFor(start->getParent()) : loops.getLoopFor(header);
  if (loop == nullptr || loop->contains(&init)) return std::nullopt;
  BasicBlock* const tests = chunked ? start->getParent() : header;
  const auto* branch = dyn_cast<BranchInst>(tests->getTerminator());
  if (branch == nullptr || !branch->isConditional() || !loop->contains(branch->getSuccessor(0)) ||
      loop->contains(branch->getSuccessor(1)))
    return std::nullopt;
  if (!chunked && (loop->getHeader() != header || loop->contains(start))) return std::nullopt;
  const bool is_signed = !called_name(init).ends_with("u");
  return StaticLoop{&init,
                    low,
                    high,
                    distance,
                    init.getArgOperand(chunk),
                    start,
                    loop,
                    branch->getSuccessor(1),
                    chunked,
                    is_of_sections(init),
                    is_signed};
}

/// It holds the addresses of copies, for the entry point that combines them.
bool is_list_of_copies(const AllocaInst& local) {
  return any_of(local.users(), [](const User* user) {
    const auto* call = dyn_cast<CallInst>(user);
    return call != nullptr && called_name(*call).starts_with("__kmpc_reduce");
  });
}

/// What a depend or task_reduction clause names, for the runtime to read at once.
bool is_list_of_items(const AllocaInst& local) {
  const Type* type = local.getAllocatedType();
  while (const auto* array = dyn_cast<ArrayType>(type)) type = array->getElementType();
  const auto* item = dyn_cast<StructType>(type);
  return item != nullptr && item->hasName() &&
         (item->getName().starts_with("struct.kmp_depend_info") ||
          item->getName().starts_with("struct.kmp_taskred_input_t"));
}

/// It holds the exception that a handler or the way out of the function is for.
bool is_of_exceptions(const AllocaInst& local) {
  const auto is_caught = [](const User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    const auto* caught = store == nullptr ? nullptr : dyn_cast<ExtractValueInst>(store->getValueOperand());
    return caught != nullptr && isa<LandingPadInst>(caught->getAggregateOperand());
  };
  return any_of(local.users(), is_caught) &&
         all_of(local.users(), [&](const User* user) { return !isa<StoreInst>(user) || is_caught(user); });
}

/// The iteration that `ordered depend` or `doacross` names, which the runtime reads.
bool is_iteration(const Value& address) {
  return any_of(address.users(), [](const User* user) {
    const auto* call = dyn_cast<CallInst>(user);
    return (call != nullptr && called_name(*call).starts_with("__kmpc_doacross_")) ||
           (isa<GetElementPtrInst>(user) && is_iteration(*user));
  });
}

} // namespace

SmallVector<StaticLoop, 4> static_loops(Function& function, const LoopInfo& loops) {
  SmallVector<StaticLoop, 4> result;
  for (Instruction& instruction : instructions(function))
    if (called_name(instruction).starts_with(init_name))
      if (const auto loop = loop_of(cast<CallInst>(instruction), loops)) result.push_back(*loop);
  return result;
}

bool is_of_compiler(const AllocaInst& local) {
  return is_list_of_copies(local) || is_list_of_items(local) || is_iteration(local) || is_of_exceptions(local) ||
         any_of(local.users(), [&](const User* user) {
           const auto* call = dyn_cast<CallInst>(user);
           if (call != nullptr &&
               (called_name(*call).starts_with(init_name) || called_name(*call).starts_with("__kmpc_dispatch_next_")))
             return true;
           const auto* store = dyn_cast<StoreInst>(user);
           const auto* load = store == nullptr ? nullptr : dyn_cast<LoadInst>(store->getValueOperand());
           const auto* low = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
           return low != nullptr && any_of(low->users(), [low](const User* other) {
                    const auto* init = dyn_cast<CallInst>(other);
                    return init != nullptr && called_name(*init).starts_with(init_name) &&
                           init->getArgOperand(lower) == low;
                  });
         });
}

bool is_copy_for_reduction(const AllocaInst& local) {
  return any_of(local.users(), [&](const User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store->getValueOperand() != &local) return false;
    const auto* list = dyn_cast<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return list != nullptr && is_list_of_copies(*list);
  });
}

} // namespace fletcher::pass
