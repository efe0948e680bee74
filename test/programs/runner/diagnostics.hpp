// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker's text output, read back as an editor's problem matcher would.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fletcher::programs {

struct Place {
  std::string file; ///< as printed
  unsigned line = 0;
};

struct Reported {
  bool error = false;
  std::string rule;
  std::string text; ///< the whole first line
  std::string all;  ///< with its notes
  Place place;
  std::vector<Place> notes; ///< of a race, the first is the other access
};

/// All diagnostics of `output`; a note belongs to the diagnostic before it.
std::vector<Reported> read_diagnostics(std::string_view output);

} // namespace fletcher::programs
