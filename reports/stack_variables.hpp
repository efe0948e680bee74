// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of variables on a stack, found by the frames that hold them: asks the program frame-variables (tools/frames),
// which reads debug information. What llvm-symbolizer says of a frame is enough only where its beginning is known.
#pragma once

#include "reports/document.hpp"
#include "reports/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

/// A variable as debug information has it. `start` is its address in the process.
struct FrameVariable {
  std::string name, file;
  std::uint32_t line = 0;
  Address start = 0;
  std::uint64_t size = 0;
};

/// One answer for each of `variables`, in their order; nothing where debug information does not say for certain.
Result<std::vector<std::optional<FrameVariable>>> ask_frames(const std::string& program, const Document& document,
                                                             const std::vector<StackVariable>& variables);

} // namespace fletcher::reports
