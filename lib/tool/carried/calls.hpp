// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that gcc's and clang's code calls are for OpenMP and for the instrumentation, by their names.
#pragma once

#include "lib/tool/process/instruction.hpp"

#include <cstdint>
#include <string_view>

namespace fletcher::tool::carried {

enum class Call : std::uint8_t {
  unknown,
  begin,        ///< of a worksharing construct, or a masked one; it may begin a unit of work
  next,         ///< chunk: it begins a unit of work, if there is one
  next_section, ///< all that a thread takes of one construct are one unit
  nested,       ///< a function in which units of work begin
  end,          ///< of a construct, or a barrier
  end_by_one,   ///< of a construct; only the thread that has executed it comes there
  quiet,        ///< another one of OpenMP's runtime, or one without arguments: no value of the thread's goes there
  task,         ///< to be executed at any time: with what is in its memory
  atomic_begin, ///< gcc's lock of atomic updates, clang's begin of what combines a reduction
  atomic_end,
  cancels,   ///< its result says that the construct is cancelled
  transfers, ///< input or output: values go to a file, or to text in memory
  accesses,  ///< the instrumentation's call for an access; its first argument is the address
  never_returns,
};
Call call_of(std::string_view name) noexcept;
inline bool begins_unit(Call call) noexcept {
  return call == Call::begin || call == Call::next || call == Call::nested;
}
/// Bytes of the access that an instrumentation's call of that name reports; 0 where it does not say.
std::uint8_t bytes_of_access(std::string_view name) noexcept;

/// Where clang's code has a call write what unit it is.
struct Bounds {
  std::uint8_t bytes = 0; ///< of each, at the addresses that it is given; 0: it writes none
  Registers flag = 0;     ///< the address in this one is that of four bytes
  bool on_stack = false;  ///< it is given one there, too
};
Bounds bounds_written_by(std::string_view name) noexcept;

} // namespace fletcher::tool::carried
