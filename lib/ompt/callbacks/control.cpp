// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_control_tool: what the commands do is in lib/tool/control.hpp.

#include "lib/ompt/local.hpp"

#include <array>
#include <limits>

namespace fletcher::ompt {

namespace {

int on_control_tool(std::uint64_t command, std::uint64_t, void*, const void*) {
  int result = tool::control::ignored;
  if (command <= std::numeric_limits<int>::max()) result = tool::control::command(static_cast<int>(command));
  const Entered at; // this thread takes the command over at once
  return result;
}

} // namespace

std::span<const Callback> control_callbacks() {
  static const std::array list{
      Callback{ompt_callback_control_tool, as_callback<ompt_callback_control_tool_t>(on_control_tool), "control_tool"},
  };
  return list;
}

} // namespace fletcher::ompt
