// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a function that makes a call, as debug information places them in its frame.
#pragma once

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::frames {

/// What the unwinder of the checked process found of a frame.
struct Details {
  std::uint64_t end = 0;                ///< the canonical frame address; 0: it was not asked
  std::vector<std::uint64_t> registers; ///< rbx, r12, r13, r14, r15; empty where they are not known
  std::uint64_t memory_begin = 0;
  std::vector<std::uint64_t> memory; ///< words of the frame, from memory_begin
};

/// A call that a function makes, with what its registers were before it.
struct Call {
  std::uint64_t return_address = 0; ///< as the file has it
  std::uint64_t stack_pointer = 0;
  std::uint64_t frame_pointer = 0; ///< rbp, whatever the function uses it for
  bool is_entry = false;           ///< the function's first, before its own code: by now it may be anywhere
  Details details = {};
};

struct Variable {
  std::string name, file;
  std::uint64_t line = 0;
  std::uint64_t start = 0; ///< its address
  std::uint64_t size = 0;  ///< in bytes
  std::string function;    ///< whose it is, where that was inlined into the calling function
};

/// The variable of the calling function that holds `address` and is in scope at the call, or anywhere if the call is
/// the function's entry. Nothing where the address is not in that function's frame, or where it is not certain.
std::optional<Variable> variable_at(llvm::DWARFContext& context, const Call& call, std::uint64_t address);

} // namespace fletcher::frames
