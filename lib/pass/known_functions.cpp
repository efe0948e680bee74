// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/known_functions.hpp"

#include "lib/pass/llvm_versions.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Numbers in, a number out. Without the letter for another type of number at the end.
constexpr StringRef mathematical[] = {
    "acos",      "acosh", "asin",  "asinh",   "atan",   "atan2", "atanh",  "cbrt",      "ceil",      "copysign",
    "cos",       "cosh",  "erf",   "erfc",    "exp",    "exp2",  "exp10",  "expm1",     "fabs",      "fdim",
    "floor",     "fma",   "fmax",  "fmin",    "fmod",   "hypot", "ilogb",  "ldexp",     "llrint",    "llround",
    "log",       "log10", "log1p", "log2",    "logb",   "lrint", "lround", "nearbyint", "nextafter", "pow",
    "remainder", "rint",  "round", "scalbln", "scalbn", "sin",   "sinh",   "sqrt",      "tan",       "tanh",
    "tgamma",    "trunc", "cabs",  "cacos",   "cacosh", "carg",  "casin",  "casinh",    "catan",     "catanh",
    "ccos",      "ccosh", "cexp",  "clog",    "cpow",   "csin",  "csinh",  "csqrt",     "ctan",      "ctanh"};

/// The compiler calls them where a processor has no instruction: for complex numbers, and powers that are integers.
constexpr StringRef of_compiler[] = {"__mulsc3", "__muldc3", "__mulxc3",  "__multc3",  "__divsc3",  "__divdc3",
                                     "__divxc3", "__divtc3", "__powisf2", "__powidf2", "__powixf2", "__powitf2"};

/// They fill in a loop's bounds, and keep no address.
constexpr StringRef of_runtime[] = {"__kmpc_for_static_init_", "__kmpc_dist_for_static_init_", "__kmpc_dispatch_next_"};

StringSet<> mathematical_names() {
  StringSet<> names;
  for (const StringRef name : mathematical)
    for (const char* const type : {"", "f", "l"}) names.insert((name + type).str());
  return names;
}

constexpr const char* calculation = "fletcher-calculates";

/// Where the module does not ask for errno, what it may be set to is memory that the module cannot access.
MemoryEffects effects_on_errno(const Module& module) {
  if (module.getFunction("__errno_location") == nullptr) return MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod);
  return MemoryEffects::unknown().getWithoutLoc(MemoryEffects::Location::InaccessibleMem);
}

} // namespace

bool only_calculates(const CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  return callee != nullptr && callee->hasFnAttribute(calculation);
}

PreservedAnalyses KnownFunctions::run(Module& module, ModuleAnalysisManager&) {
  const StringSet<> names = mathematical_names();
  for (Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    if (function.getName().starts_with("MPI_") || function.getName().starts_with("mpi_"))
      function.addFnAttr(Attribute::NoMerge); // two calls on two ways would become one, with one line
    const bool is_mathematical = names.contains(function.getName());
    if (is_mathematical || is_contained(of_compiler, function.getName())) {
      function.addFnAttr(calculation);
      for (const auto known : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
        function.addFnAttr(known);
      const MemoryEffects at_most = is_mathematical ? effects_on_errno(module) : MemoryEffects::none();
      function.setMemoryEffects(function.getMemoryEffects() & at_most);
    } else if (any_of(of_runtime, [&](StringRef prefix) { return function.getName().starts_with(prefix); })) {
      for (const Argument& argument : function.args())
        if (argument.getType()->isPointerTy()) {
          AttrBuilder attributes(module.getContext());
          add_no_capture(attributes);
          function.addParamAttrs(argument.getArgNo(), attributes);
        }
    }
  }
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
