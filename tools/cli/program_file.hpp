// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the file of a program says about how it can be checked, before it runs. Relies on the system's <elf.h> and on
// the dynamic linker's own list of the libraries that it would load.
#pragma once

#include <filesystem>
#include <string>

namespace fletcher::cli {

struct ProgramFile {
  bool elf = false;            ///< else a script, or what only the system knows how to run
  bool same_machine = false;   ///< a 64-bit program of this processor, into which our library can be loaded
  std::string interpreter;     ///< the dynamic linker; empty for a statically linked program
  bool contains_tsan = false;  ///< ThreadSanitizer's runtime is linked into the program
  bool loads_fletcher = false; ///< the libraries that it loads, directly or not
  bool loads_libomp = false;
  bool loads_libgomp = false;
  bool loads_libtsan = false;
  bool calls_gomp_target = false; ///< it has target constructs as gcc compiles them
};

/// An unreadable file is told like a script: whether it runs, exec decides.
ProgramFile inspect(const std::filesystem::path& file);

} // namespace fletcher::cli
