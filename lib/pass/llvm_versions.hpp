// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the C++ interfaces of LLVM 16 to 22 differ, so that one source serves all (plugin.cpp has what differs of the
// plugin itself). What the headers can be asked about is asked, in place of their version.
#pragma once

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/ModRef.h>

#include <cstdint>
#include <type_traits>

namespace llvm {
class SCEVExpander;
}

namespace fletcher::pass {

static_assert(LLVM_VERSION_MAJOR == FLETCHER_PLUGIN_FOR, "the headers are of another version than the compiler");

/// A place some bytes further on.
inline llvm::Value* advanced(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Value* bytes) {
  return builder.CreateGEP(builder.getInt8Ty(), pointer, bytes);
}

/// Weights of a branch that is hardly ever taken.
inline llvm::MDNode* unlikely(llvm::LLVMContext& context) {
  return llvm::MDBuilder(context).createBranchWeights(1, (1U << 20) - 1);
}

/// The callee keeps no copy of the pointer.
inline void add_no_capture(llvm::AttrBuilder& builder) {
#if LLVM_VERSION_MAJOR >= 21
  builder.addCapturesAttr(llvm::CaptureInfo::none());
#else
  builder.addAttribute(llvm::Attribute::NoCapture);
#endif
}

/// Somebody but the function may have the address: then the compiler's own instrumentation checks accesses of it.
inline bool may_be_captured(const llvm::Value& pointer) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::PointerMayBeCaptured(&pointer, true);
#else
  return llvm::PointerMayBeCaptured(&pointer, true, true);
#endif
}

/// A zero-extension of a number that is known not to be negative.
template <class Instruction> bool is_of_non_negative(const Instruction& extension) {
  if constexpr (requires { extension.hasNonNeg(); }) return extension.hasNonNeg();
  return false;
}

/// An addition that the optimiser wrote as an "or", as no bit is set in both.
inline bool is_disjoint_or([[maybe_unused]] const llvm::Instruction& instruction) {
#if LLVM_VERSION_MAJOR >= 18
  const auto* added = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  return added != nullptr && added->isDisjoint();
#else
  return false;
#endif
}

/// By how many bytes elements lie apart at this step of an address.
template <class Step> llvm::TypeSize stride(const Step& step, const llvm::DataLayout& layout) {
  if constexpr (requires { step.getSequentialElementStride(layout); })
    return step.getSequentialElementStride(layout);
  else
    return layout.getTypeAllocSize(step.getIndexedType());
}

template <class Expander = llvm::SCEVExpander>
Expander expander(llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout, const char* name) {
  if constexpr (std::is_constructible_v<Expander, llvm::ScalarEvolution&, const llvm::DataLayout&, const char*>)
    return Expander(evolution, layout, name);
  else
    return Expander(evolution, name);
}

/// Has the compiler's own instrumentation pass by a load or a store. Up to LLVM 16 it asks for no mark, but leaves
/// alone what is in another address space. Those below 256 are the same memory to x86.
inline void leave_alone(llvm::Instruction& access) {
  llvm::LLVMContext& context = access.getContext();
  access.setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(context, {}));
#if LLVM_VERSION_MAJOR < 17
  constexpr unsigned other_space = 1;
  const unsigned operand = llvm::isa<llvm::StoreInst>(access) ? llvm::StoreInst::getPointerOperandIndex() : 0;
  if (!llvm::isa<llvm::StoreInst>(access) && !llvm::isa<llvm::LoadInst>(access)) return;
  llvm::IRBuilder<> builder(&access);
  llvm::Value* const number = builder.CreatePtrToInt(access.getOperand(operand), builder.getInt64Ty());
  access.setOperand(operand, builder.CreateIntToPtr(number, llvm::PointerType::get(context, other_space)));
  // All atomic accesses it instruments. After it comes no pass that makes two of one.
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&access); load != nullptr && load->isAtomic()) {
    load->setAtomic(llvm::AtomicOrdering::NotAtomic);
    load->setVolatile(true);
  }
#endif
}

/// Where a pointer goes: `is_captured` is asked about each place that it may be known by. It may decide for the rest.
class Captures : public llvm::CaptureTracker {
public:
  virtual bool is_captured(const llvm::Use& use) = 0; ///< true: no further place matters
#if LLVM_VERSION_MAJOR >= 21
  Action captured(const llvm::Use* use, llvm::UseCaptureInfo how) final {
    if (how.isPassthrough()) return Continue;
    return is_captured(*use) ? Stop : Continue;
  }
#else
  bool captured(const llvm::Use* use) final { return is_captured(*use); }
#endif
};

} // namespace fletcher::pass
