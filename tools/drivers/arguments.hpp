// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler's command line asks for, as far as Fletcher must know it: does it compile, does it link, with OpenMP?
// The arguments themselves are never taken apart: they pass through as they are.
#pragma once

#include <string>
#include <vector>

namespace fletcher::drivers {

using Arguments = std::vector<std::string>;

struct Request {
  bool compiles = false;     ///< a source file is among the inputs
  bool fortran = false;      ///< one of Fortran's
  bool links = false;        ///< a program or a shared library is to be made
  bool openmp = false;       ///< -fopenmp is in force
  bool names_libomp = false; ///< -lgomp or -lomp is among the libraries
  bool is_static = false;    ///< -static or -static-pie
  bool other_width = false;  ///< -m32 or -mx32: code that Fletcher has no runtime for
  bool link_time = false;    ///< -flto: code is generated when linking
};

/// Reads a command line without the compiler's name; `@file` arguments are read as the compiler does.
Request understand(const Arguments& arguments);

/// The arguments with every `@file` replaced by what the file contains. One that cannot be read stays.
Arguments expand_response_files(const Arguments& arguments);

} // namespace fletcher::drivers
