// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The basic blocks of a function, read from its machine code (x86-64), with its calls, and where on its stack an
// instruction reads and writes.
#pragma once

#include "checker/ids.hpp"
#include "lib/tool/carried/calls.hpp"
#include "lib/tool/process/function_extent.hpp"
#include "lib/tool/process/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace fletcher::tool::carried {

struct Line {
  Address at = 0;
  Instruction is;
  std::optional<std::int32_t> frame; ///< of memory on the stack at a place that is known: from rsp at the entry
  /// The same of the address that an indexed access, or an instruction that takes an address, begins with.
  std::optional<std::int32_t> frame_base;
  std::optional<std::int32_t> stack; ///< where rsp is before it
  Call call = Call::unknown;
  bool has_name = false;                    ///< the function that it calls
  Registers arguments = arguments_of_calls; ///< where that may find some
  std::uint8_t bytes = 0;                   ///< of Call::accesses
  Bounds bounds;
  Address next() const noexcept { return at + is.length; }
};

struct Block {
  std::vector<Line> lines;
  std::vector<std::size_t> to, from;
};

/// The name of a function whose code, or linkage stub, is at the address; of a slot, which has its address. Empty where
/// that is not known.
using NameOf = std::function<std::string_view(Address at, bool is_slot)>;

/// The first block is the entry's. A call that begins a unit of work ends its block, and so does one whose exceptions
/// the function catches. Empty where the function has an instruction that is not known, or goes on nobody knows where,
/// or is too long. `nested`: where a call returns to in which a unit of work begins, or 0; so may then other calls.
std::vector<Block> blocks_of(FunctionExtent function, const NameOf& name_of, Address nested = 0);

} // namespace fletcher::tool::carried
