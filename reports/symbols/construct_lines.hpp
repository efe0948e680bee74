// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC gives the call that creates a task or begins a region the line of the statement before. The function that it made
// of the construct's body, which is the call's first argument, begins with the construct's own line or the body's first
// one. Relies on x86-64's instructions and on the source text; elsewhere lines stay as they are.
#pragma once

#include "reports/symbols/symbolizer.hpp"

#include <cstddef>
#include <vector>

namespace fletcher::reports {

class ConstructLines {
public:
  /// Adds to `queries` those about the functions that calls among them have as their first argument.
  explicit ConstructLines(std::vector<Query>& queries);
  /// Gives the calls the lines that their functions begin with, and takes those answers away.
  void apply(std::vector<Answer>& answers) const;

private:
  std::vector<std::size_t> calls_; ///< of the added queries
};

} // namespace fletcher::reports
