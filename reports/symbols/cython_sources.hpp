// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cython makes a C file of a .pyx file, and debug information has the lines of the C file. Its comments say which line
// of which .pyx file the code below them is of: /* "summing.pyx":8
#pragma once

#include "reports/symbols/symbols.hpp"

#include <map>
#include <string>
#include <vector>

namespace fletcher::reports {

class CythonSources {
public:
  /// Where the user wrote what stands at `place`, without a column; `place` itself where no Cython made its file.
  SourcePlace written(const SourcePlace& place);

private:
  /// The code below `line` of the C file is of the place.
  struct Mark {
    std::uint32_t line;
    SourcePlace written;
  };
  const std::vector<Mark>& marks(const std::string& file);

  std::map<std::string, std::vector<Mark>> marks_; ///< of a file, in the order of lines
};

} // namespace fletcher::reports
