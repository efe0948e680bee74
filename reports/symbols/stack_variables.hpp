// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of variables on a stack, found by the frames that hold them: asks the program frame-variables (tools/frames),
// which reads debug information. llvm-symbolizer does not say what its offsets are relative to, and leaves out those
// that change within the function.
#pragma once

#include "checker/finding.hpp"
#include "reports/document/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

struct FrameQuestion {
  /// The call that the frame is known by: any that the function makes, where only variables in scope are asked for; or
  /// the first, before its own code, where the function may be anywhere by now.
  enum class Moment : std::uint8_t { call, entry };
  Address address = 0;
  StackFrame frame;
  Moment moment = Moment::call;
  std::string file;   ///< that the call is in; empty where that is not known
  Address offset = 0; ///< of where the call returns to, in the file
};

/// A variable as debug information has it. `start` is its address in the process.
struct FrameVariable {
  std::string name, file;
  std::uint32_t line = 0;
  Address start = 0;
  std::uint64_t size = 0;
  std::string function; ///< whose variable it is, where that was inlined into the frame's function
};

/// One answer for each of `questions`, in their order; nothing where debug information does not say for certain. Fewer
/// where what the program read made it end.
Result<std::vector<std::optional<FrameVariable>>> ask_frames(const std::string& program,
                                                             const std::vector<FrameQuestion>& questions);

} // namespace fletcher::reports
